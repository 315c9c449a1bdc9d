// SPDX-License-Identifier: GPL-3.0-or-later
// Every example in the engine and in the program: the same end, the same columns, the same numbers.
// Both agree to 1e-11, or as well as the program agrees with itself: the sines of the two differ in
// their last digits, and where a run decides, by an event, by a step that is tried again, or by how
// much longer the next one is at a start from rest whose errors are round-off, a difference of
// round-off makes other steps. To know it the program runs with tolerances that differ by some 1e-15
// of themselves, which is round-off and nothing else; what differs by more than ten times what
// one of these runs does is a fault of the engine.
//
// Differences are those by the largest value that the columns of a unit have: a column beside them
// that is zero but for round-off and drift has no digits of its own. Where all of a unit are, as
// accelerations at constant speed, below 1e-9 of the largest number of the table, there is nothing
// to compare; nor is there in the energy's error. Where the tolerances of an example leave it fewer
// than three digits, by the estimate of `run`, both are compared at a tolerance of 1e-9.
'use strict';

const { directory, expect, finish, fs, halfarrow, library, newEngine, path, requestFor, source } =
  require('./harness.js');

const SMOOTH = 1e-11, SWITCHING = 1e-3, ROUND_OFF = 1e-9, DIGITS = 3, TIGHT = 1e-9;
const TIMES = 10, TRIALS = 12, LEAST = 2 ** -50;

// The table of a CSV file whose head has no commas in names.
function readTable(file) {
  const [head, ...lines] = fs.readFileSync(file, 'utf8').trim().split('\n');
  const names = head.match(/"(?:[^"]|"")*"|[^,]+/g)
    .map((name) => name.replace(/^"|"$/g, '').replace(/ \[[^\]]*\]$/, ''));
  const rows = lines.map((line) => line.split(',').map(Number));
  return { names, rows };
}

const largest = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

// The largest difference by the largest value of a unit, and the name of the column.
function differ(reply, table) {
  const sizes = {};
  reply.columns.forEach(({ unit }, i) => {
    sizes[unit] = Math.max(sizes[unit] ?? 0, largest(reply.values[i]));
  });
  const most = Math.max(...Object.values(sizes));
  let worst = { by: 0, name: '' };
  reply.columns.forEach(({ name, unit }, i) => {
    if (name === 'energy.error' || sizes[unit] <= ROUND_OFF * most) {
      return;
    }
    for (let r = 0; r < reply.rows; r++) {
      const by = Math.abs(reply.values[i][r] - table.rows[r][i]) / sizes[unit];
      if (!(by <= worst.by)) {
        worst = { by, name };
      }
    }
  });
  return worst;
}

const engine = newEngine();

// The largest difference that round-off makes in the program, found until it explains `by`.
function findOwn(file, rtol, reply, by) {
  const csv = path.join(directory, 'table.csv'), other = path.join(directory, 'other.csv');
  const table = readTable(csv);
  let own = 0;
  for (let k = 1; k <= TRIALS && TIMES * own < by; k++) {
    const near = rtol * (1 + (k % 2 === 0 ? k : -k) * LEAST);
    halfarrow('run', file, ...library, '--quiet', '-o', other, '--rtol', String(near));
    const { rows } = readTable(other);
    const values = reply.columns.map((column, i) => rows.map((row) => row[i]));
    const isSame = rows.length === table.rows.length;
    own = isSame ? Math.max(own, differ({ ...reply, rows: rows.length, values }, table).by) : own;
  }
  return own;
}

// The tolerance that an example gives itself.
function toleranceOf(file) {
  const text = fs.readFileSync(path.join(source, 'examples', file), 'utf8');
  return Number(/\brtol: *([\d.eE+-]+)/.exec(text)?.[1] ?? 1e-6);
}

// A run by both: the object of the program, null where it has none, the reply and what differs.
// The tolerance is given, since the program makes one by default tighter where it has to.
function runBoth(file, rtol) {
  const csv = path.join(directory, 'table.csv');
  fs.rmSync(csv, { force: true });
  const native = halfarrow('run', file, ...library, '--json', '-o', csv, '--rtol',
    String(rtol ?? toleranceOf(file)));
  const request = requestFor(path.join(source, 'examples', file));
  const reply = engine.run({ ...request, options: { rtol } });
  expect(reply.exit === native.status, `${file}: exit status ${reply.exit}, not ${native.status}`);
  if (native.stdout === '') {
    return { reply, json: null };
  }
  const table = readTable(csv);
  const same = reply.rows === table.rows.length &&
    reply.columns.every(({ name }, i) => name === table.names[i]);
  expect(same, `${file}: ${reply.rows} rows, not ${table.rows.length}, or other columns`);
  return { reply, json: JSON.parse(native.stdout), worst: same ? differ(reply, table) : { by: 0 } };
}

let n = 0;
let nClose = 0;
for (const file of fs.readdirSync(path.join(source, 'examples')).sort()) {
  if (!file.endsWith('.yaml')) {
    continue;
  }
  let { reply, json, worst } = runBoth(file);
  n++;
  if (json === null) {
    continue;
  }
  expect(reply.status === json.status, `${file}: ${reply.status}, not ${json.status}`);
  // a run that has changed its method at the bound of stability may do so again at its end, or not
  const isSettled = json.driver_switches === 0;
  expect(!isSettled || reply.driver === json.driver,
    `${file}: driver ${reply.driver}, not ${json.driver}`);
  let rtol = toleranceOf(file);
  if (worst.by > SWITCHING && json.digits_estimate < DIGITS) {
    // the program says itself that there are no more digits to compare
    console.log(`${file}: ${json.digits_estimate} digits, ${worst.by} in ${worst.name}`);
    rtol = TIGHT;
    ({ reply, json, worst } = runBoth(file, rtol));
  }
  const isClose = worst.by <= SMOOTH, own = isClose ? 0 : findOwn(file, rtol, reply, worst.by);
  console.log(`${file}: ${json.driver}, ${worst.by.toExponential(1)} in ${worst.name}` +
    (isClose ? '' : `, the program itself ${own.toExponential(1)}`));
  expect(worst.by <= Math.min(SWITCHING, Math.max(SMOOTH, TIMES * own)),
    `${file}: ${worst.name} differs by ${worst.by}, the program from itself by ${own}`);
  nClose += isClose ? 1 : 0;
}
expect(n > 40, `only ${n} examples`);
expect(nClose >= 30, `only ${nClose} agree to ${SMOOTH}`);
finish(`${n} examples, ${nClose} of them to ${SMOOTH}`);
