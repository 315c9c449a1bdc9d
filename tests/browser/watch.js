// SPDX-License-Identifier: GPL-3.0-or-later
// A page that replaces itself at each save of its model: it keeps time, zoom, choices and scroll, and
// shows the errors of a model that is wrong.
//
//   node watch.js PROGRAM-OF-THE-BROWSER HALFARROW EXAMPLES DIRECTORY
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const { Browser } = require('./browser.js');

const [program, halfarrow, examples, directory] = process.argv.slice(2);
const model = path.join(directory, 'model.yaml'), file = path.join(directory, 'page.html');
let problems = 0;

function check(isGood, text) {
    if (!isGood) {
        problems++;
        console.log(text);
    }
}

// Waits until something is so; a loaded machine takes its time.
async function until(what, text) {
    for (let i = 0; i < 600; i++) {
        if (await what()) {
            return;
        }
        await new Promise((done) => setTimeout(done, 100));
    }
    throw new Error(`after a minute: ${text}`);
}

// While a page is replaced it answers nothing.
const ask = (page, expression) => page.value(expression).catch(() => undefined);

const state = `({ time: player.time, box: Canvas.all[1].box, power: document.getElementById('power').checked,
    scroll: scrollY, stamp: document.querySelector('meta[name=stamp]').content })`;

async function use(browser) {
    await until(() => fs.existsSync(file + '.watch.js'), 'there is no page');
    const page = await browser.open(file);
    await page.value(`(() => {
        player.setTime(1.5);
        document.getElementById('power').click();
        Canvas.all[1].zoomMiddle(3);
        scrollTo(0, 200);
    })()`);
    const before = await page.value(state);
    const text = fs.readFileSync(model, 'utf8');

    fs.writeFileSync(model, text.replace('type: revolute', 'type: revolut'));
    await until(() => ask(page, `document.getElementById('watch')?.textContent.includes('revolut')`),
        'the page shows no error');
    const shown = await page.value(`document.getElementById('watch').textContent`);
    check(/model\.yaml:\d+:\d+: joint `\w+` has the type `revolut`/.test(shown), `it shows: ${shown}`);
    check((await page.value(state)).stamp === before.stamp, 'an error replaces the page');

    fs.writeFileSync(model, text.replace(/^name:.*/m, 'name: another one'));
    await until(() => ask(page, `document.title.includes('another one')`), 'the page stays as it was');
    await until(() => ask(page, `Math.abs(player.time - ${before.time}) < 1e-9`), 'the time is lost');
    const after = await page.value(state);
    check(after.stamp !== before.stamp, 'the stamp is that of before');
    check(after.power === false && before.power === false, 'a choice is lost');
    check(after.scroll === before.scroll && before.scroll === 200, `the scroll is ${after.scroll}`);
    for (const key of ['x', 'y', 'width', 'height']) {
        check(Math.abs(after.box[key] - before.box[key]) < 1e-6 * before.box.width,
            `${key} of the zoom is ${after.box[key]}, not ${before.box[key]}`);
    }
    check(await page.value(`document.getElementById('watch') === null ||
        document.getElementById('watch').hidden`), 'the error stays');
    const foreign = page.requests.filter((url) => !url.startsWith('file://' + directory));
    check(foreign.length === 0, `it asks for ${foreign.join(' ')}`);
}

async function main() {
    fs.copyFileSync(path.join(examples, 'four_bar.yaml'), model);
    const watcher = spawn(halfarrow, ['report', model, '--watch', '-q', '-o', file],
        { stdio: ['ignore', 'ignore', 'ignore'] });
    const ended = new Promise((resolve) => watcher.on('exit', resolve));
    const browser = new Browser(program);
    try {
        await use(browser);
    } finally {
        await browser.close();
        watcher.kill('SIGINT');
    }
    check(await ended === 0, 'the end of the watch is a failure');
    check(!fs.existsSync(file + '.watch.js'), 'the watch leaves its script behind');
    process.exit(problems > 0 ? 1 : 0);
}

main().catch((error) => {
    console.log(error.message);
    process.exit(1);
});
