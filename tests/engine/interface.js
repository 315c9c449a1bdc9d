// SPDX-License-Identifier: GPL-3.0-or-later
// What requests ask for and what replies say, against the program.
'use strict';

const { expect, finish, fs, halfarrow, newEngine, path, requestFor, source } =
  require('./harness.js');

const engine = newEngine();
const fourBar = requestFor(path.join(source, 'examples/four_bar.yaml'));
const near = (a, b) => Math.abs(a - b) <= 1e-9 * (Math.abs(a) + Math.abs(b)) + 1e-12;
const equal = (a, b) => JSON.stringify(a) === JSON.stringify(b);

// values, end values and extremes, with overrides and options
{
  const sets = ['parameters.a=90 mm'];
  const reply = engine.run({ ...fourBar, sets, t_end: 0.5, driver: 'explicit' });
  const json = JSON.parse(halfarrow('run', 'four_bar.yaml', '--json', '--set', sets[0],
    '--t-end', '0.5', '--driver', 'explicit').stdout);
  expect(reply.ok && reply.status === 'done' && reply.message === '', 'a run is done');
  expect(reply.multipliers === json.multipliers, `${reply.multipliers} multipliers`);
  expect(reply.driver === 'explicit' && reply.steps > 10 && reply.t_reached === 0.5, 'options count');
  expect(equal(reply.columns.slice(1).map((c) => c.name), Object.keys(json.final)), 'columns');
  // what is 0 but for errors, as the acceleration of a pin in the ground, is as large as those of its
  // unit let it be
  const unit = Object.fromEntries(reply.columns.map((c) => [c.name, c.unit]));
  const largest = {};
  for (const [name, peak] of Object.entries(json.peaks)) {
    const size = Math.max(Math.abs(peak.max), Math.abs(peak.min));
    largest[unit[name]] = Math.max(largest[unit[name]] || 0, size);
  }
  for (const [name, value] of Object.entries(json.final)) {
    const own = Math.max(Math.abs(json.peaks[name].max), Math.abs(json.peaks[name].min));
    const size = Math.max(own, 1e-3 * largest[unit[name]]);
    const is = name === 'energy.error' || Math.abs(reply.final[name] - value) <= 1e-6 * size + 1e-9;
    expect(is, `the end of ${name} is ${reply.final[name]}, not ${value}`);
    expect(name === 'energy.error' ||
      Math.abs(reply.peaks[name].max - json.peaks[name].max) <= 1e-6 * size + 1e-9,
      `the largest of ${name} is ${reply.peaks[name].max}, not ${json.peaks[name].max}`);
  }
  const again = engine.run({ ...fourBar, t_end: 0.5 });
  expect(!near(again.final['rocker.angle'], reply.final['rocker.angle']), 'values count');
  expect(reply.column(1) === reply.values[1] && reply.values[1].length === reply.rows,
    'columns stay when the next run is done');
}

// outputs, bonds, steps
{
  const reply = engine.run({ ...fourBar, outputs: ['rocker.angle'] });
  expect(equal(reply.columns.map((c) => c.name), ['t', 'rocker.angle']), 'outputs asked for');
  const bonds = engine.run({ ...fourBar, bonds: true });
  const strokes = JSON.parse(halfarrow('causality', 'four_bar.yaml', '--json').stdout);
  const names = bonds.columns.map((c) => c.name);
  expect(names.filter((name) => /^#\d+\.[ef]$/.test(name)).length === 2 * strokes.bonds &&
    names.includes('rocker.angle'), `effort and flow of each of ${strokes.bonds} bonds`);
  const all = engine.run(fourBar), without = engine.run({ ...fourBar, peaks: false });
  expect(without.peaks === null && without.ok && near(without.final['rocker.angle'], all.final['rocker.angle']),
    'no extremes are wanted');
  expect(equal(Object.keys(bonds.peaks), names.filter((name) => name !== 't' && !name.startsWith('#'))) &&
    all.columns.slice(1).every(({ name }) => Math.abs(all.peaks[name].max - bonds.peaks[name].max) <=
      1e-6 * Math.max(Math.abs(all.peaks[name].max), Math.abs(all.peaks[name].min)) + 1e-9),
    'the extremes of all but bonds');
  const short = engine.run({ ...fourBar, max_steps: 20 });
  expect(short.status === 'failed' && short.exit === 1 && short.rows > 0 &&
    short.message.includes('error: '), `few steps: ${short.message}`);
}

// the structure is that of `causality`, and its hash changes with it alone
{
  const json = JSON.parse(halfarrow('causality', 'motor_four_bar.yaml', '--json').stdout);
  const request = requestFor(path.join(source, 'examples/motor_four_bar.yaml'));
  const { structure } = engine.run(request);
  for (const key of ['class', 'class_text', 'integral', 'derivative', 'implicit_constraints',
    'explicit_constraints', 'redundant_constraints']) {
    expect(equal(structure[key], json[key]), `${key} of the structure`);
  }
  const bonds = json.strokes.map(({ bond, tail, head, dim, stroke }) => ({
    bond, tail, head, strokes: Array.isArray(stroke) ? stroke : Array(dim).fill(stroke),
  }));
  expect(equal(structure.bonds, bonds), 'bonds of the structure');
  expect(engine.run({ ...request, structure: false }).structure === null, 'no structure is wanted');
  const hash = (text, sets) => engine.run({ text, sets }).structure.hash;
  const graph = 'halfarrow: 1\nsimulate: {t_end: 1 s}\nbondgraph:\n' +
    '  elements: {S: {type: Se, value: 1}, 1a: {type: "1"}, R: {type: R, value: 2},\n' +
    '    I: {type: I, value: 3}}\n  bonds: [S > 1a, 1a > R, 1a > I]\n';
  expect(hash(graph) === hash(graph, ['bondgraph.elements.I.value=4']), 'a value is no structure');
  expect(hash(graph) !== hash(graph.replace('type: I,', 'type: C,')), 'another stroke is one');
  expect(hash(graph) !== hash(graph.replace('1a > R', 'R > 1a')), 'so is another half arrow');
}

// what the program says of wrong models, the engine says
for (const [from, to] of [['mass:', 'mas:'], ['a: 100 mm', 'a: 100 kg'],
  ['d: ', 'd: 5 m #'], ['halfarrow: 1', 'halfarrow: [']]) {
  const text = fourBar.text.replace(from, to);
  fs.writeFileSync(path.join(process.argv[5], 'wrong.yaml'), text);
  const native = halfarrow('run', path.join(process.argv[5], 'wrong.yaml'), '--quiet');
  const { ok, exit, message } = engine.run({ text, name: 'wrong.yaml' });
  expect(!ok && exit === native.status && native.status > 0, `${to}: exit status ${exit}`);
  const said = native.stderr.replaceAll(`${process.argv[5]}/`, '');
  expect(message === said, `${to}: the engine says\n${message}the program\n${said}`);
}

// files that stand beside a model, in a library, and that are not there
{
  const text = 'halfarrow: 1\ninclude: [parts/more.yaml, shared.yaml]\nparameters: {c: b}\n' +
    'bodies: {K: {mass: m, inertia: 1 kg.m2, start: {vx: c}}}\n' +
    'simulate: {t_end: 1 s}\n';
  const includes = {
    'parts/more.yaml': 'halfarrow: 1\ninclude: [inner.yaml]\nparameters: {b: 2*a}\n',
    'parts/inner.yaml': 'halfarrow: 1\nparameters: {a: 3 m/s}\n',
    'shared.yaml': 'halfarrow: 1\nparameters: {m: 2 kg}\n',
  };
  for (const name of ['model.yaml', 'some/where/model.yaml']) {
    const reply = engine.run({ text, name, includes });
    expect(reply.ok && near(reply.final['K.vx'], 6), `includes of ${name}: ${reply.message}`);
  }
  const reply = engine.run({ text, includes: {} });
  expect(!reply.ok && reply.exit === 2 && reply.message.includes('cannot read the file'),
    `nothing is there: ${reply.message}`);
}

// a bond graph in a model file; what an engine has not
{
  const file = path.join(process.argv[5], 'rlc.yaml');
  halfarrow('convert', 'rlc.bgl', '-o', file);
  const reply = engine.run({ text: fs.readFileSync(file, 'utf8'), t_end: 0.01 });
  expect(reply.ok && reply.rows > 1, `a graph: ${reply.message}`);
  const compact = engine.run({ text: 'Se>1a>R', name: 'r.bgl' });
  expect(!compact.ok && compact.message.includes('convert'), `compact: ${compact.message}`);
  expect(!engine.run({ ...fourBar, options: { from: 'periodic' } }).ok, 'no search for cycles');
  expect(!engine.run({ text: '' }).ok, 'an empty text is no model');
}

finish('the interface');
