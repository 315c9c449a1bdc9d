// SPDX-License-Identifier: GPL-3.0-or-later
// What tests of pages share: calls of the program, counted checks, places on the screen.
'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const { Browser } = require('./browser.js');

const [program, halfarrow, examples, directory] = process.argv.slice(2);
let problems = 0, checks = 0;

function check(isGood, text) {
    checks++;
    if (!isGood) {
        problems++;
        console.log(text);
    }
}

function near(found, wanted, tolerance, text) {
    check(Math.abs(found - wanted) <= tolerance, `${text}: ${found}, not ${wanted}`);
}

function call(...words) {
    return execFileSync(halfarrow, [...words, '-q'], { encoding: 'utf8', maxBuffer: 1 << 28 });
}

// The columns of a run by name, without units.
function csv(...words) {
    const [head, ...rows] = call('run', ...words, '-o', '-').trim().split('\n').map((line) => line.split(','));
    return Object.fromEntries(head.map((name, i) => [name.replace(/ \[.*/, ''),
        rows.map((row) => Number(row[i]))]));
}

function makePage(name, ...words) {
    const file = path.join(directory, name + '.html');
    call('report', ...words, '-o', file);
    return file;
}

// Nothing but the file itself was asked for, and nobody complained, the content policy included.
function checkQuiet(page, name) {
    check(page.complaints.length === 0, `${name}: ${page.complaints.join('; ')}`);
    check(page.requests.length === 1 && page.requests[0].startsWith('file://'),
        `${name}: requests ${page.requests.join(' ')}`);
}

async function setRow(page, row) {
    await page.value(`(() => { const slider = document.getElementById('slider'); slider.value = ${row};
        slider.dispatchEvent(new Event('input', { bubbles: true })); })()`);
    await page.settle();
}

// A number as the page prints it.
const read = (text) => text === '–' ? NaN : Number(text.replace(/−/g, '-'));

// The middle of a bond on the screen.
function placeOf(page, number) {
    return page.value(`(() => {
        if (document.getElementById('d0-bond-${number}').closest('.canvas').hidden) {
            graph.show('bonds', null);
            graph.canvas().open();
        }
        const group = document.getElementById('d0-bond-${number}');
        group.closest('.canvas').scrollIntoView({ block: 'center' });
        const path = group.querySelector('path');
        const middle = path.getPointAtLength(path.getTotalLength() / 2);
        const at = new DOMPoint(middle.x, middle.y).matrixTransform(path.getScreenCTM());
        return [at.x, at.y];
    })()`);
}

// Points at a bond with the mouse; the rows of the box that appears: [component, e, f, P].
async function hover(page, number) {
    const place = await placeOf(page, number);
    await page.mouse('mouseMoved', 3, 3);
    await page.mouse('mouseMoved', place[0], place[1]);
    await page.settle();
    const shown = await page.value(`(() => {
        const box = document.getElementById('bond');
        return { isShown: !box.hidden, text: box.textContent,
            rows: [...box.querySelectorAll('tr')].slice(1).map((row) =>
                [...row.children].map((cell) => cell.textContent)) };
    })()`);
    if (!shown.isShown || !shown.text.startsWith(`Bond ${number} `)) {
        throw new Error(`pointing at bond ${number} shows ${JSON.stringify(shown)}`);
    }
    return shown;
}

// Five digits are shown.
function sameShown(text, wanted, size, name) {
    near(read(text), wanted, 2e-4 * Math.abs(wanted) + 1e-4 * size, name);
}

const largest = (values) => values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

function bondBetween(strokes, tail, head) {
    return strokes.find((bond) => bond.tail === tail && bond.head === head).bond;
}

// Runs tests, each with the browser, and says how many checks there were.
function runTests(...tests) {
    const browser = new Browser(program);
    const all = async () => {
        try {
            for (const test of tests) {
                await test(browser);
            }
        } finally {
            await browser.close();
        }
        console.log(`${checks} checks, ${problems} problems`);
        process.exitCode = problems === 0 ? 0 : 1;
    };
    all().catch((error) => {
        console.log(error.stack);
        process.exitCode = 1;
    });
}

module.exports = { bondBetween, call, check, checkQuiet, csv, directory, examples, hover, largest, makePage, near, placeOf,
    read, runTests, sameShown, setRow };
