// SPDX-License-Identifier: GPL-3.0-or-later
//
// The engine: what `halfarrow run` does with a model, from its text to its results, in node and in
// workers of browsers. makeEngine(BYTES of engine.wasm) returns an object with
//
//   run(request)   does a run and returns a reply. It returns when the run has ended; only ending
//                  the worker stops it before, and `max_steps` bounds it.
//   bytes()        of memory that the engine has; it never gives any back
//
// A request is an object; all but `text` may be left out:
//
//   text       of the model file
//   name       of the file, for messages. Without: "model.yaml"
//   includes   {NAME: text} of files that it includes, of its submodels and of its tables. NAME is
//              what the file says; of a file that another names, the path from the directory of the
//              model, or from that of the library it is in
//   sets       ["PATH=VALUE", ...] as of --set
//   variant    name of a variant
//   outputs    [NAME, ...] the outputs wanted; without: those of the file
//   bonds      true: effort and flow of all bonds are outputs, too, "#7.e" and "#7.f", beside all
//              others, but no peaks
//   structure  false: the reply has none
//   peaks      false: the same, and the run is the faster for it
//   scene      [left, right, below, above, units for a metre, size of symbols]: the view in which the
//              mechanism is to be drawn (tools/scene/scene_svg.h)
//   driver, max_steps, t_end [s]   as the options of `halfarrow run`
//   options    {NAME: value} of any others of `halfarrow run`, without their dashes in front
//
// A reply has
//
//   status     "done" or "failed", as in `run --json`
//   ok         status is "done"
//   exit       the exit status of `halfarrow run`
//   message    what the program would print: errors, warnings and notes, a line each
//   seconds    the whole took
//   driver, steps, events, t_reached, energy_error, energy_passed   as in `run --json`
//   rows       number of rows; a run that failed has those before
//   columns    [{name, unit}, ...], the time first
//   values     [Float64Array of `rows`, ...], of each column; they are copies, parts of
//   table      an ArrayBuffer, which can be transferred
//   column(i)  values[i]
//   final      {name: value} of the last row; without the time
//   peaks      {name: {max, t_max, min, t_min}} over the run, between rows, too; not of bonds;
//              null where none were wanted
//   multipliers   number of these unknowns; null where the model could not be compiled
//   structure  of the causal bond graph; null where the model could not be read, or none was wanted:
//     class, class_text, integral, derivative, implicit_constraints, explicit_constraints,
//     redundant_constraints   as in `causality --json`
//     bonds    [{bond, tail, head, strokes}, ...]: strokes has "head", "tail" or null for each
//              component
//     hash     a text that is another exactly when anything of the structure is
//
//   scene      the mechanism in the first row, groups of SVG, and
//   points     [[name, number of the body or -1, x, y in its axes], ...], where a view was given
//
// A number that is not finite is null.
'use strict';

function makeEngine(bytes) {
  const KINDS = ['text', 'name', 'variant', 'set', 'output', 'include name', 'include',
    'option', 'bonds', 'scene', 'no structure', 'no peaks'];
  const module = new WebAssembly.Module(bytes);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let wasm = null;

  // The least of WASI: a clock, and no files.
  const NO_FILE = 8, NOT_THERE = 52;
  const wasi = {
    clock_time_get(id, precision, out) {
      new DataView(wasm.memory.buffer)
        .setBigUint64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    fd_prestat_get: () => NO_FILE,
    proc_exit(code) {
      throw new Error(`the engine ended with ${code}`);
    },
  };
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = wasi[name] ?? (() => NOT_THERE);
  }
  wasm = new WebAssembly.Instance(module, imports).exports;
  wasm._initialize();

  const give = (kind, text) => {
    const coded = encoder.encode(text);
    const place = wasm.engine_alloc(coded.length);
    if (place === 0) {
      throw new RangeError('the engine has no memory left');
    }
    new Uint8Array(wasm.memory.buffer, place, coded.length).set(coded);
    if (wasm.engine_take(KINDS.indexOf(kind), place, coded.length) !== 0) {
      throw new RangeError('the engine has no memory left');
    }
  };

  const textAt = (place) => {
    const memory = new Uint8Array(wasm.memory.buffer);
    return decoder.decode(memory.subarray(place, memory.indexOf(0, place)));
  };

  const giveIncludes = (name, includes) => {
    const directory = name.slice(0, name.lastIndexOf('/') + 1);
    const prefixes = new Set(['', directory, 'library/']);
    for (const [file, text] of Object.entries(includes)) {
      for (const prefix of prefixes) {
        give('include name', prefix + file);
        give('include', text);
      }
    }
  };

  const giveRequest = (request) => {
    const name = request.name ?? 'model.yaml';
    give('text', request.text);
    give('name', name);
    giveIncludes(name, request.includes ?? {});
    if (request.variant != null) {
      give('variant', request.variant);
    }
    for (const set of request.sets ?? []) {
      give('set', set);
    }
    for (const output of request.outputs ?? []) {
      give('output', output);
    }
    if (request.bonds) {
      give('bonds', '');
    }
    if (request.structure === false) {
      give('no structure', '');
    }
    if (request.peaks === false) {
      give('no peaks', '');
    }
    if (request.scene) {
      give('scene', request.scene.join(' '));
    }
    const { driver, max_steps: steps, t_end: end, options } = request;
    const all = { driver, 'max-steps': steps, 't-end': end, ...options };
    for (const [option, value] of Object.entries(all)) {
      if (value != null) {
        give('option', `${option}=${value}`);
      }
    }
  };

  // A copy of the values of all columns, one column behind the other.
  const copyTable = (length) => {
    const place = length === 0 ? 0 : wasm.engine_values();
    if (length > 0 && place === 0) {
      throw new RangeError('the engine has no memory left');
    }
    return new Float64Array(wasm.memory.buffer, place, length).slice();
  };

  // Columns, end values and extremes as the reply has them.
  const arrange = (reply, hasPeaks) => {
    const { rows } = reply, table = copyTable(rows * reply.columns.length);
    reply.ok = reply.status === 'done';
    reply.table = table.buffer;
    reply.values = reply.columns.map((column, i) => table.subarray(i * rows, (i + 1) * rows));
    reply.column = (i) => reply.values[i];
    reply.final = {};
    reply.peaks = hasPeaks ? {} : null;
    reply.columns = reply.columns.map(({ name, unit, ...peak }, i) => {
      if (i > 0 && reply.rows > 0) {
        reply.final[name] = reply.values[i][reply.rows - 1];
      }
      if (reply.rows > 0 && 'max' in peak) {
        reply.peaks[name] = peak;
      }
      return { name, unit };
    });
    return reply;
  };

  return {
    run(request) {
      wasm.engine_begin();
      giveRequest(request);
      if (wasm.engine_run() !== 0) {
        throw new RangeError('the engine has no memory left');
      }
      return arrange(JSON.parse(textAt(wasm.engine_reply())), request.peaks !== false);
    },
    bytes: () => wasm.memory.buffer.byteLength,
  };
}

if (typeof module === 'object' && module.exports) {
  module.exports = { makeEngine };
}
