// SPDX-License-Identifier: GPL-3.0-or-later
// Every example in the engine and in the program: the same end, the same columns, the same numbers.
// Where nothing decides on the way both agree to 1e-11, and better. Where events do, or steps that
// were too long and were tried again, or the changing orders of IDA, a difference of round-off makes
// other steps, and both are solutions as far as the program itself estimates its digits, at most to
// 1e-3. What has another limit stands in a table with the reason.
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

// From rest, or at constant speeds, the errors of the first steps are round-off, and the steps grow
// by them: later ones have other lengths, and results differ as errors do, with the tolerance
// (1e-12 takes all of these below 1e-10). Ten times their rtol, as accelerations have a digit less.
const GROWTH = 'the first steps grow by round-off';
const LIMITS = {
  gearbox: [1e-5, GROWTH],
  inverted_pendulum: [1e-8, GROWTH], // outputs that its estimate of digits counts are better
  planetary_gear: [1e-7, GROWTH],
  rapson: [1e-8, GROWTH],
  scissor_lift: [1e-5, GROWTH],
};

// How far an example may differ, and why.
function limitOf(file, isSmooth, digits) {
  const own = LIMITS[path.basename(file, '.yaml')];
  return own ?? (isSmooth ? [SMOOTH, 'nothing decides']
    : [Math.max(SMOOTH, Math.min(SWITCHING, 10 ** -digits)), 'as far as tolerances go']);
}

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

// A run by both: the object of the program, null where it has none, the reply and what differs.
function runBoth(file, rtol) {
  const csv = path.join(directory, 'table.csv');
  const tighter = rtol === undefined ? [] : ['--rtol', rtol];
  fs.rmSync(csv, { force: true });
  const native = halfarrow('run', file, ...library, '--json', '-o', csv, ...tighter);
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
  const isSmooth = json.events === 0 && json.slides === 0 && json.driver !== 'ida' &&
    json.error_test_failures === 0 && json.convergence_failures === 0;
  expect(reply.status === json.status, `${file}: ${reply.status}, not ${json.status}`);
  expect(reply.driver === json.driver, `${file}: driver ${reply.driver}, not ${json.driver}`);
  if (worst.by > SWITCHING && json.digits_estimate < DIGITS) {
    // the program says itself that there are no more digits to compare
    console.log(`${file}: ${json.digits_estimate} digits, ${worst.by} in ${worst.name}`);
    ({ reply, json, worst } = runBoth(file, TIGHT));
  }
  const [limit, reason] = limitOf(file, isSmooth, json.digits_estimate);
  console.log(`${file}: ${json.driver}, ${json.events} events, ${json.error_test_failures} steps again, ` +
    `${worst.by.toExponential(1)} of ${limit.toExponential(1)} in ${worst.name}: ${reason}`);
  expect(worst.by <= limit, `${file}: ${worst.name} differs by ${worst.by}, not ${limit}: ${reason}`);
  nClose += limit === SMOOTH ? 1 : 0;
}
expect(n > 40, `only ${n} examples`);
expect(nClose >= 13, `only ${nClose} are held to ${SMOOTH}`);
finish(`${n} examples, ${nClose} of them to ${SMOOTH}`);
