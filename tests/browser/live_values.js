// SPDX-License-Identifier: GPL-3.0-or-later
// Random values of all sliders of live pages, through the engine and the overrides that the page makes: each
// gives a result or a message of the program. Runs that take longer than the page lets them are ended, too.
//
//   node live_values.js HALFARROW COUNT MODEL...     COUNT values for each slider
'use strict';

const { execFileSync } = require('child_process');
const vm = require('vm');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const zlib = require('zlib');

const LIMIT = 2000; // [ms], as tools/page/live_engine.js has it

// What a page holds, and its scripts as a browser has them, without the page.
function open(halfarrow, model) {
    const page = execFileSync(halfarrow, ['report', model, '--live', '-q', '-o', '-'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const part = (id) => new RegExp(`id="${id}">([^]*?)</script>`).exec(page)[1];
    const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map((match) => match[1]);
    const script = scripts.find((text) => text.includes('const adoption = {'));
    const elements = { 'live-data': part('live-data') };
    const scope = { $: (id) => ({ textContent: elements[id] }), player: { run: { index: 0 } }, URLSearchParams, performance };
    const wanted = script.slice(0, script.indexOf('const adoption = {'));
    vm.runInNewContext(`${wanted};this.live = live; this.state = state; this.engine = engine;`, scope);
    const unpack = (id) => zlib.gunzipSync(scope.engine.decode(part(id)));
    Object.assign(scope.live, JSON.parse(unpack('live-rest')));
    return { ...scope, bytes: unpack('engine'), script: part('engine-script') };
}

function start({ bytes, script }) {
    return new Worker(__filename, { workerData: { bytes, script } });
}

function serve() {
    const makeEngine = vm.runInThisContext(`${workerData.script};makeEngine`);
    let engine = makeEngine(workerData.bytes);
    parentPort.on('message', (request) => {
        try {
            const { status, message, rows } = engine.run(request);
            parentPort.postMessage({ status, message, rows });
        } catch (error) {
            engine = makeEngine(workerData.bytes);
            parentPort.postMessage({ status: 'broken', message: String(error) });
        }
    });
}

// Numbers from 0 to 1, the same on each machine.
function makeRandom(seed) {
    let x = seed;
    return () => {
        x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
        return x / 2 ** 32;
    };
}

async function ask(at, request) {
    at.worker ??= start(at.page);
    const reply = new Promise((resolve) => {
        at.worker.removeAllListeners('message');
        at.worker.once('message', resolve);
    });
    let timer = null;
    const late = new Promise((resolve) => { timer = setTimeout(resolve, at.limit, null); });
    at.worker.postMessage(request);
    const found = await Promise.race([reply, late]);
    clearTimeout(timer);
    if (found === null) {
        await at.worker.terminate();
        at.worker = null;
    }
    return found || { status: 'stopped', message: 'stopped' };
}

async function tryModel(halfarrow, model, count) {
    const page = open(halfarrow, model), { state, live } = page, random = makeRandom(7), found = {};
    const at = { page, worker: null, limit: Math.max(LIMIT, 4000 * (live.runs[0].seconds || 0)) };
    let silent = 0;
    const sliders = [...state.values.values(), ...state.switches.values()].filter(({ low, high }) => high > low);
    for (const { path, low, high, bit } of sliders) {
        for (let i = 0; i < count; i++) {
            const part = random(), value = bit === undefined ? low + part * (high - low) : low * (high / low) ** part;
            const request = { text: live.text, name: live.name, includes: live.includes || {}, max_steps: live.maxSteps,
                sets: state.sets(new Map([[path, Number(value.toPrecision(4))]])) };
            const reply = await ask(at, JSON.parse(JSON.stringify(request)));
            found[reply.status] = (found[reply.status] || 0) + 1;
            if (reply.status === 'broken' || (reply.status === 'done' ? !(reply.rows > 0) : reply.message === '')) {
                silent++;
                console.log(`${model}: ${request.sets.join(' ')}: ${JSON.stringify(reply)}`);
            }
        }
    }
    await at.worker?.terminate();
    console.log(`${model.replace(/.*\//, '')}: ${sliders.length} sliders, ${JSON.stringify(found)}`);
    return silent;
}

async function main([halfarrow, count, ...models]) {
    let silent = 0;
    for (const model of models) {
        silent += await tryModel(halfarrow, model, Number(count));
    }
    console.log(`${silent} problems`);
    process.exitCode = silent === 0 ? 0 : 1;
}

if (isMainThread) {
    main(process.argv.slice(2));
} else {
    serve();
}
