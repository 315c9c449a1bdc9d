// SPDX-License-Identifier: GPL-3.0-or-later
// How fast live pages follow: three sliders move in every frame, and it is measured, of each picture,
//
//   picture   from the value, when the slider's event comes, until all that is in sight shows what it leads to:
//             the run, both ways between page and worker, waiting for a run before, the page's own drawing, and
//             the browser's style and layout of it
//   committed until the browser has painted it and handed it over to be shown: that is at the end of the next
//             frame and never before, so that a display of 60 Hz makes it 17 ms or more
//   run       the engine alone, as its worker has it
//   frame     between two frames
//   first     from the beginning of the page until the engine stood and its first run was there; and without what
//             the page does before it begins with the engine
//
// No test: its numbers are those of the machine.
//
//   node live_frames.js PROGRAM-OF-THE-BROWSER HALFARROW COUNT MODEL...     COUNT frames
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { Browser } = require('./browser.js');

const LATE = 33.4; // [ms] of a frame: one was left out

function line(name, all) {
    const sorted = all.slice().sort((a, b) => a - b);
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))].toFixed(1);
    return `  ${name.padEnd(10)} ${String(all.length).padStart(4)}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, ` +
        `most ${at(1)} ms`;
}

// Runs in the page.
async function moveSliders(count) {
    const entries = [...new Set([...controls.pinned(), ...state.values.values()])]
        .filter(({ bit, low, high }) => bit === undefined && high > low).slice(0, 3);
    const found = { picture: [], committed: [], run: [], frame: [], names: entries.map(({ path: name }) => name) };
    const { show } = pilot, frame = () => new Promise(requestAnimationFrame);
    const commit = async (since) => { /* a task behind the frame's own */
        await frame();
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => found.committed.push(performance.now() - since);
        port2.postMessage(null);
    };
    pilot.show = function (done) {
        show.call(pilot, done);
        document.body.getBoundingClientRect(); /* the style and the layout */
        found.picture.push(performance.now() - done.since);
        found.run.push(done.reply.ms);
        commit(done.since);
    };
    let last = await frame();
    for (let i = 0; i < count; i++) {
        const now = await frame();
        found.frame.push(now - last);
        last = now;
        state.set(Object.fromEntries(entries.map(({ path: name, low, high }, k) => {
            const value = state.original(name), room = 0.2 * Math.min(high - value, value - low);
            return [name, Number((value + room * Math.sin(i / (9 + 4 * k))).toPrecision(4))];
        })), 'input');
    }
    pilot.show = show;
    return found;
}

async function measure(browser, file, count) {
    const page = await browser.open(file, { width: 1600, height: 1000 });
    const [first, before] = await page.value(`window.halfarrow.ready.then(() => engine.ask(state.request(0))).then(() =>
        [performance.now(), performance.getEntriesByType('navigation')[0].domInteractive])`);
    await page.value(`(async () => { /* as long as the browser still compiles */
        for (let i = 0; i < 40; i++) {
            await engine.ask(state.request(0));
        }
        while (!/^ready/.test(document.getElementById('live-said').textContent)) {
            await new Promise((done) => setTimeout(done, 50));
        }
    })()`);
    await page.value(`(${moveSliders})(60)`);
    const found = await page.value(`(${moveSliders})(${count})`);
    await page.close();
    const { picture, committed, run, frame, names } = found;
    if (picture.length === 0) {
        console.log(`${path.basename(file, '.html')}: its runs are too slow to follow a slider here`);
        return;
    }
    const late = frame.filter((ms) => ms > LATE).length;
    console.log(`${path.basename(file, '.html')}: ${names.join(', ')}; first ${first.toFixed(0)} ms, ` +
        `${(first - before).toFixed(0)} ms of the engine`);
    for (const [name, all] of Object.entries({ picture, committed, run, frame })) {
        console.log(line(name, all) + (name === 'frame' ? `, ${(100 * late / frame.length).toFixed(1)} % late` : ''));
    }
}

async function main([program, halfarrow, count, ...models]) {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'halfarrow-frames-')), browser = new Browser(program);
    for (const model of models) {
        const file = path.join(directory, path.basename(model).replace(/\.\w+$/, '.html'));
        execFileSync(halfarrow, ['report', model, '--live', '-q', '-o', file]);
        await measure(browser, file, Number(count));
    }
    await browser.close();
    fs.rmSync(directory, { recursive: true });
}

main(process.argv.slice(2));
