// SPDX-License-Identifier: GPL-3.0-or-later
// 1500 runs with other values need no more memory than the first hundred.
'use strict';

const { expect, finish, newEngine, path, requestFor, source } = require('./harness.js');

const engine = newEngine();
const request = requestFor(path.join(source, 'examples/four_bar.yaml'));
let before = 0;
for (let i = 0; i < 1500; i++) {
  const sets = [`parameters.a=${100 + 5 * Math.sin(i)} mm`, 'simulate.t_end=0.05 s'];
  // a model that is wrong now and then leaves nothing behind either
  const reply = engine.run({ ...request, sets: i % 50 === 7 ? ['parameters.a=x'] : sets });
  expect(reply.ok === (i % 50 !== 7), `run ${i}: ${reply.message}`);
  before = i === 99 ? engine.bytes() : before;
}
expect(engine.bytes() === before, `${engine.bytes()} bytes after 1500 runs, ${before} after 100`);
finish(`1500 runs, ${engine.bytes()} bytes`);
