// SPDX-License-Identifier: GPL-3.0-or-later
// The page on a projector: mechanism and word bond graph side by side, letters that can be read, parts
// that open, what lights up with what, the causality decision by decision.
//
//   node stage.js PROGRAM-OF-THE-BROWSER HALFARROW EXAMPLES DIRECTORY
'use strict';

const path = require('path');
const { call, check, checkQuiet, csv, examples, makePage, near, runTests } = require('./harness.js');

const SIZE = { width: 1600, height: 1000 };
const LETTER = 17.99; // [px] 18 but for rounding

// The smallest letters [px] of what a selector finds and is in sight of the canvas around it.
const letters = (page, selector) => page.value(`(() => {
    const sizes = [...document.querySelectorAll(${JSON.stringify(selector)})].filter((text) => {
        const box = text.getBoundingClientRect(), frame = text.closest('.canvas').getBoundingClientRect();
        return box.width > 0 && box.left >= frame.left && box.right <= frame.right && box.top >= frame.top &&
            box.bottom <= frame.bottom;
    }).map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a);
    return { least: Math.min(...sizes), n: sizes.length };
})()`);

async function checkLetters(page, selector, least, text) {
    const found = await letters(page, selector);
    check(found.n >= least, `${text}: only ${found.n} texts in sight`);
    check(found.least >= LETTER, `${text}: letters of ${found.least} px`);
}

async function middleOf(page, expression) {
    return page.value(`(() => { const box = (${expression}).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2]; })()`);
}

// Clicks that follow each other by 50 ms, as the page is told, however busy the machine is.
async function press(page, at, times = 1) {
    const begin = Date.now() / 1000;
    await page.mouse('mouseMoved', ...at);
    for (let i = 1; i <= times; i++) {
        const click = { button: 'left', clickCount: i, timestamp: begin + 0.05 * (i - 1) };
        await page.mouse('mousePressed', ...at, click);
        await page.mouse('mouseReleased', ...at, click);
    }
    await page.settle();
}

const node = (name) => `[...document.querySelectorAll('.canvas.words .node')].find((one) => one.dataset.part === '${name}')`;

// The numbers beside bonds that a bond goes through: the middle of the box of a text is its figures.
const crossed = (page) => page.value(`(() => {
    const points = [...document.querySelectorAll('.canvas.words .edge path')].flatMap((path) => {
        const matrix = path.getScreenCTM(), length = path.getTotalLength();
        return Array.from({ length: 200 }, (_, i) => path.getPointAtLength(length * i / 199)).map((at) =>
            new DOMPoint(at.x, at.y).matrixTransform(matrix));
    });
    return [...document.querySelectorAll('.canvas.words .edge text')].filter((text) => {
        const box = text.getBoundingClientRect(), middle = (box.top + box.bottom) / 2;
        return points.some((at) => at.x > box.left && at.x < box.right && Math.abs(at.y - middle) < 0.3 * box.height);
    }).map((text) => text.closest('.edge').id);
})()`);

// --- what is seen first -----------------------------------------------------------------------------

async function checkOpening(page, name, least) {
    const box = (selector) => page.value(`(() => { const box = document.querySelector('${selector}').getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom]; })()`);
    const [left, right, stage] = [await box('#mechanism'), await box('#graph'), await box('#stage')];
    check(left[2] <= right[0], `${name}: the mechanism is not left of the bond graph`);
    check(stage[3] <= SIZE.height && stage[3] > 0.97 * SIZE.height, `${name}: the stage ends at ${stage[3]}`);
    check(left[3] - left[1] > 0.7 * SIZE.height, `${name}: the mechanism is ${left[3] - left[1]} high`);
    near(left[3] - left[1], right[3] - right[1], 1, `${name}: heights`);
    check(await page.value("graph.level === 'words' && document.querySelector('.canvas.bonds').hidden"),
        `${name}: it does not open in words`);
    await checkLetters(page, '.canvas.words text', least, `${name} in words`);
    const hidden = await crossed(page);
    check(hidden.length === 0, `${name}: bonds through the numbers of ${hidden}`);
    check(!await page.value("document.querySelector('.canvas').textContent.includes('half arrow')") &&
        await page.value("document.getElementById('legend').textContent.includes('half arrow')"),
    `${name}: the legend is in the picture`);
}

// --- opening ----------------------------------------------------------------------------------------

async function testParts(page) {
    await press(page, await middleOf(page, node('K3')), 2);
    const open = () => page.value(`[graph.level, [...(graph.opened || [])],
        [...document.querySelectorAll('.hull')].filter((hull) => hull.style.display === 'none').map((hull) => hull.dataset.part)]`);
    let [level, opened, without] = await open();
    check(level === 'bonds' && `${opened}` === 'K3' && `${without}` === 'K3', `opened ${level} ${opened} ${without}`);
    await checkLetters(page, '.canvas.bonds .node text', 5, 'K3 opened');
    // a neighbour opens too, and both close again
    await press(page, await middleOf(page, "document.querySelector('.hull[data-part=spring] text')"), 2);
    [level, opened] = await open();
    check(level === 'bonds' && `${opened.sort()}` === 'K3,spring', `opened ${opened}`);
    await page.value("graph.toggle('spring')");
    await page.value("graph.toggle('K3')");
    check((await open())[0] === 'words', 'nothing is open and there are no words');
    // by keys
    await page.value(`${node('K2')}.focus()`);
    await page.key('Enter');
    check(await page.value('selection.key') === 'part:K2', 'Enter does not select a part');
    await page.key('Enter');
    check(`${(await open())[1]}` === 'K2', 'Enter does not open a part');
    await page.click('#to-bonds');
    check(await page.value('graph.opened === null') && await page.value(
        "[...document.querySelectorAll('.hull')].every((hull) => hull.style.display === 'none')"), 'not all bonds are shown');
    await page.click('#to-words');
    await page.key('Escape');
    check(await page.value('selection.key') === null && await page.value(
        "document.querySelectorAll('.lit').length") === 0, 'Escape does not end a selection');
}

// --- lighting up ------------------------------------------------------------------------------------

// What is lit: names of parts in the mechanism and in words, numbers of bonds, outputs, equations.
const lit = (page) => page.value(`(() => {
    const all = (selector, get) => [...new Set([...document.querySelectorAll(selector)].map(get))].sort();
    return { bodies: all('.scene .lit', (one) => one.dataset.part), words: all('.canvas.words .node.lit', (one) => one.dataset.part),
        bonds: all('.canvas.bonds .bond.lit', (one) => Number(/\\d+$/.exec(one.id)[0])).sort((a, b) => a - b),
        rows: all('tr.lit', (one) => one.dataset.output), equations: all('.equations .lit', (one) => one.textContent),
        faint: plots.charts.flatMap((chart) => chart.series.filter((one) => one.alpha < 1).map((one) => one.output)) };
})()`);

async function testLighting(page, strokes, names) {
    const of = (part, name) => name === part || name.startsWith(part + '.');
    const numbers = (part) => strokes.filter(({ tail, head }) => of(part, tail) || of(part, head)).map(({ bond }) => bond);
    // a body, by a click on its box
    await press(page, await middleOf(page, node('K3')));
    let now = await lit(page);
    check(`${now.bodies}` === 'K3' && `${now.words}` === 'K3', `with K3 light up ${now.bodies} and ${now.words}`);
    check(`${now.bonds}` === `${numbers('K3')}`, `bonds ${now.bonds} of K3, not ${numbers('K3')}`);
    const rows = names.filter((name) => of('K3', name));
    check(rows.length > 10 && rows.every((name) => now.rows.includes(name)) && now.rows.every((name) => of('K3', name)),
        `rows of K3: ${now.rows}`);
    const lines = await page.value("[...document.querySelectorAll('.equations li')].map((item) => item.textContent)");
    const wanted = lines.filter((line) => /(^|[^\w.])K3\./.test(line)).length;
    check(now.equations.length === wanted && wanted > 5, `${now.equations.length} equations of K3, not ${wanted}`);
    check(now.faint.includes('K1.angle') && !now.faint.includes('K3.angle'), `faint curves: ${now.faint}`);
    // a body, by a click on the mechanism
    await press(page, await page.value(`(() => { const line = document.querySelector('.run-0 .body-3 path');
        const middle = line.getPointAtLength(line.getTotalLength() / 4);
        const at = new DOMPoint(middle.x, middle.y).matrixTransform(line.getScreenCTM()); return [at.x, at.y]; })()`));
    check(await page.value('selection.key') === 'part:K4', 'a click on a body does not select it');
    // a joint by its row
    await page.click('tr[data-output="H.force"] th');
    now = await lit(page);
    check(`${now.words}` === 'H' && now.rows.includes('H.force') && `${now.bodies}` === 'H', `with the row of H: ${now.words}`);
    // a bond: its two ends
    const bond = strokes.find(({ tail, head }) => tail.startsWith('K1.') && head.startsWith('H.'));
    await page.value(`selection.select('bond:${bond.bond}')`);
    now = await lit(page);
    check(`${now.words}` === 'H,K1' && `${now.bonds}` === `${bond.bond}`, `with bond ${bond.bond}: ${now.words}, ${now.bonds}`);
    check(now.rows.includes('H.fx') && now.equations.length > 0, 'a bond without rows or equations');
    // a curve, by its name
    await page.click('#chosen .chip button.name');
    now = await lit(page);
    check(`${now.words}` === 'K1' && now.rows.includes('K1.angle') && !now.faint.includes('K1.angle'), `with a curve: ${now.words}`);
    // an equation
    await page.value("document.querySelector('#equations details').open = true");
    const i = lines.findIndex((line) => line.startsWith('der(K5.position.angle.q)'));
    await page.value(`document.querySelectorAll('.equations li')[${i}].click()`);
    now = await lit(page);
    check(`${now.words}` === 'K5' && now.equations.includes(lines[i]), `with an equation: ${now.words}`);
}

// Work in proportion to what lights up, each thing once; the time of it is printed and not judged.
async function testWork(page) {
    const times = await page.value(`(async () => {
        const times = [];
        for (const key of ['part:K1', 'part:K2', 'part:K3', 'bond:7', 'output:K4.angle', 'equation:40', 'part:K7']) {
            const began = performance.now();
            selection.select(key);
            document.body.offsetHeight; /* with styles and layout */
            times.push(performance.now() - began);
            const all = document.querySelectorAll('.lit').length;
            if (all !== selection.lit.length || new Set(selection.lit).size !== all) {
                return key + ': ' + all + ' light up, ' + selection.lit.length + ' were touched';
            }
        }
        return times;
    })()`);
    check(Array.isArray(times), times);
    console.log(`from selecting to lighting, Andrews: ${times.map((time) => time.toFixed(1)).join(', ')} ms`);
    await page.value('selection.select(null)');
}

// --- causality --------------------------------------------------------------------------------------

async function testDecisions(page, n) {
    await page.value('player.setRow(0)');
    await page.click('#power'); /* what was clicked on does not take the keys */
    await page.click('#to-words');
    await page.key(' ', 'Space');
    await page.value(`new Promise((done) => { const wait = () => player.row > 0 ? done(true) : requestAnimationFrame(wait); wait(); })`);
    await page.key(' ', 'Space');
    check(!await page.value('player.isPlaying'), 'space does not pause');
    check(await page.value('decisions.at') === null, 'the causality begins by itself');
    await page.key('ArrowRight');
    check(await page.value('decisions.at') === 1, 'the first arrow does not go to the first decision');
    check(await page.value("parseFloat(getComputedStyle(document.getElementById('said')).fontSize)") >= 24, 'the reason is small');
    const count = await page.value('decisions.current.list.length');
    check(count > 5 && 2 * count < n, `${count} decisions of ${n} steps`);
    for (const at of [1, Math.round(count / 2), count - 1]) {
        await page.value(`decisions.show(${at})`);
        await checkLetters(page, '.canvas.bonds .edge text, .canvas.bonds .node text', 1, `decision ${at}`);
        check(await page.value("document.querySelectorAll('.canvas.bonds .decided, .canvas.bonds .follows').length") > 0,
            `decision ${at} marks nothing`);
    }
    await page.key('ArrowLeft');
    check(await page.value('decisions.at') === count - 2, 'the left arrow does not go back');
    await page.key('Escape');
    check(await page.value("document.querySelectorAll('.decided, .follows, .ahead').length") === 0, 'marks stay after Escape');
    await page.value('graph.show("words", new Set())');
}

async function testAndrews(browser) {
    const model = path.join(examples, 'andrews.yaml');
    const causality = JSON.parse(call('causality', '--json', '--trace', model));
    const page = await browser.open(makePage('andrews', model), SIZE);
    await page.settle();
    await checkOpening(page, 'Andrews', 20);
    await testParts(page);
    await testLighting(page, causality.strokes, Object.keys(csv(model)));
    await testWork(page);
    await testDecisions(page, causality.trace.split('\n').length);
    checkQuiet(page, 'Andrews');
    await page.close();
}

async function testOthers(browser) {
    for (const [name, least] of [['four_bar', 8], ['slider_crank', 8], ['clearance_slider_crank', 8]]) {
        const page = await browser.open(makePage(name, path.join(examples, name + '.yaml')), SIZE);
        await page.settle();
        await checkOpening(page, name, least);
        checkQuiet(page, name);
        await page.close();
    }
}

// Of a graph that is too large for all its bonds there are words; nothing opens, and nothing complains.
async function testLarge(browser) {
    const page = await browser.open(makePage('chain', path.join(examples, 'nested_chain.yaml'), '--t-end', '1 ms'), SIZE);
    await page.settle();
    check(await page.value("document.querySelectorAll('.canvas.words .node').length") > 0 && await page.value(
        "document.querySelectorAll('.canvas.bonds').length") === 0, 'a chain is not in words alone');
    await page.value("graph.toggle(document.querySelector('.canvas.words .node').dataset.part); decisions.show(3)");
    check(await page.value('graph.level') === 'words', 'what is not there opens');
    const listed = await page.value("[...document.querySelectorAll('#bond tr')].length - 1");
    const bonds = await page.value("selection.index().parts.get(document.querySelector('.canvas.words .node').dataset.part).bonds.length");
    check(listed === bonds && bonds > 1, `${listed} of ${bonds} bonds are listed`);
    checkQuiet(page, 'chain');
    await page.close();
}

runTests(testAndrews, testOthers, testLarge);
