// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of the engine share: the arguments, the engine, the program, models and their files.
'use strict';

const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const [, , module_, source, program, directory] = process.argv;
const { makeEngine } = require(path.join(path.resolve(source), 'tools/engine/engine.js'));

// The request for an example: its text and what it includes, from beside it or the library.
function requestFor(file) {
  const text = fs.readFileSync(file, 'utf8');
  const includes = {};
  const add = (name, beside) => {
    const places = [path.join(beside, name), path.join(source, 'library', name)];
    const place = places.find((at) => fs.existsSync(at));
    if (place !== undefined && !(name in includes)) {
      includes[name] = fs.readFileSync(place, 'utf8');
      find(includes[name], path.dirname(place));
    }
  };
  const find = (yaml, beside) => {
    for (const [, list] of yaml.matchAll(/^include: *\[([^\]]*)\]/gm)) {
      list.split(',').forEach((name) => add(name.trim(), beside));
    }
    for (const [, name] of yaml.matchAll(/\bfile: *([^,}\s]+)/g)) {
      add(name, beside);
    }
  };
  find(text, path.dirname(file));
  return { text, name: path.basename(file), includes };
}

// Runs the program in the directory of the examples.
function halfarrow(...given) {
  return spawnSync(path.resolve(program), given, {
    cwd: path.join(source, 'examples'), encoding: 'utf8', maxBuffer: 1 << 28,
    env: { ...process.env, LC_ALL: 'C' },
  });
}

let failures = 0;

function expect(isGood, text) {
  if (!isGood) {
    console.log(`wrong: ${text}`);
    failures++;
  }
}

function finish(text) {
  console.log(`${text}; ${failures} faults`);
  process.exit(failures === 0 ? 0 : 1);
}

module.exports = {
  directory, execFileSync, expect, finish, fs, halfarrow, path, requestFor, source,
  library: ['--library', path.join(path.resolve(source), 'library')],
  newEngine: () => makeEngine(fs.readFileSync(module_)),
};
