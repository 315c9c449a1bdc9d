// SPDX-License-Identifier: GPL-3.0-or-later
// Opens pages of `halfarrow report` in a browser and uses them as a reader does. What they show is
// compared with the CSV of `run` and the JSON of `causality` for the same models.
//
//   node report.js PROGRAM-OF-THE-BROWSER HALFARROW EXAMPLES DIRECTORY
'use strict';

const fs = require('fs');
const path = require('path');
const { bondBetween, call, check, checkQuiet, csv, directory, examples, hover, largest, makePage, near, placeOf, read,
    runTests, sameShown, setRow } = require('./harness.js');

// --- the mechanism --------------------------------------------------------------------------------

async function checkPlaces(page, table, row) {
    const shown = await page.value(`(() => ({
        scale: data.view.scale, bodies: runs[0].bodies.map((body) => body[0]),
        transforms: runs[0].bodies.map((body, i) =>
            document.querySelector('.run-0 .body-' + i).getAttribute('transform')),
        clock: document.getElementById('clock').value }))()`);
    const time = Math.max(...table.t);
    sameShown(shown.clock.replace(' s', ''), table.t[row], time, `the clock in row ${row}`);
    shown.bodies.forEach((body, i) => {
        const [x, y, angle] = shown.transforms[i].match(/-?[\d.]+(e-?\d+)?/g).map(Number);
        const found = [x / shown.scale, y / shown.scale, angle * Math.PI / 180];
        ['x', 'y', 'angle'].forEach((name, k) => {
            const wanted = table[`${body}.${name}`];
            near(found[k], wanted[row], 1e-6 * largest(wanted) + 1e-12, `${body}.${name} in row ${row}`);
        });
    });
}

async function testAndrews(browser) {
    const model = [path.join(examples, 'andrews.yaml'), '--step', '0.03 ms'];
    const file = makePage('andrews', ...model), table = csv(...model);
    const strokes = JSON.parse(call('causality', '--json', model[0])).strokes;
    const size = fs.statSync(file).size;
    check(table.t.length === 1001, `${table.t.length} rows, not 1001`);
    check(size < 2e6, `the page of a run of 1,000 rows has ${size} bytes`);

    const page = await browser.open(file);
    for (const row of [0, 1, 333, 1000, 500]) {
        await setRow(page, row);
        await checkPlaces(page, table, row);
    }
    // a bond with three components, and the source of the torque
    const inertia = await hover(page, bondBetween(strokes, 'K1.1', 'K1'));
    check(inertia.isShown && inertia.text.includes('K1.1 ⇀ K1'), `no box at a bond: ${inertia.text}`);
    ['vx', 'vy', 'omega'].forEach((name, i) => {
        const wanted = table[`K1.${name}`];
        sameShown(inertia.rows[i][2], wanted[500], largest(wanted), `flow of K1.${name}`);
    });
    const drive = strokes.find((bond) => bond.tail === 'drive');
    const torque = await hover(page, drive.bond);
    sameShown(torque.rows[0][1], 0.033, 0.033, 'the torque of the drive');
    sameShown(torque.rows[0][3], 0.033 * table['K1.omega'][500], 0.033 * largest(table['K1.omega']),
        'the power of the drive');
    await page.mouse('mouseMoved', 3, 3);
    await page.settle();
    check(await page.value("document.getElementById('bond').hidden"), 'the box of a bond stays');
    // arrows of joint forces at the points of the joints
    check(await page.value("document.querySelectorAll('.force').length") === 0, 'forces unasked for');
    await page.click('#forces');
    await page.settle();
    check(await page.value("document.querySelectorAll('.force.tip').length") > 3, 'no forces of joints');
    await testPlots(page);
    await testKeys(page);
    checkQuiet(page, 'Andrews');
    await page.close();
}

// --- plots ----------------------------------------------------------------------------------------

async function testPlots(page) {
    const range = () => page.value('[plots.charts[0].scales.x.min, plots.charts[0].scales.x.max]');
    const whole = await range();
    const [x, y, width] = await page.middle('.chart .u-over');
    await page.drag([x - width / 4, y], [x + width / 4, y]);
    await page.settle();
    const part = await range();
    near(part[0], whole[0] + (whole[1] - whole[0]) / 4, 0.02 * whole[1], 'the start of a zoomed plot');
    near(part[1], whole[0] + 3 * (whole[1] - whole[0]) / 4, 0.02 * whole[1], 'the end of a zoomed plot');
    await page.click('.chart button[aria-label="All of the plot"]');
    await page.settle();
    near((await range())[1], whole[1], 1e-9, 'the end of a plot after Reset');
    await page.click('.chart button[aria-label="Zoom in"]');
    await page.settle();
    check((await range())[1] < whole[1], 'the button does not zoom');
    await page.click('.chart button[aria-label="All of the plot"]');
    // the cursor, and a click that sets the time
    const [left, top, over] = await page.middle('.chart .u-over');
    await page.mouse('mouseMoved', left, top);
    await page.settle();
    const legend = await page.value("document.querySelector('.u-legend .u-value').textContent");
    near(read(legend), whole[1] / 2, 0.02 * whole[1], 'the time under the cursor');
    const button = { button: 'left', clickCount: 1 };
    await page.mouse('mousePressed', left + over / 4, top, button);
    await page.mouse('mouseReleased', left + over / 4, top, button);
    await page.settle();
    near(await page.value('player.time'), 0.75 * whole[1], 0.02 * whole[1], 'the time after a click');
    // another output, by its name
    await page.value("document.getElementById('output').value = 'H.fx'");
    await page.click('#add');
    await page.settle();
    check(await page.value("plots.chosen.includes('H.fx')") &&
        await page.value('plots.charts.length') === 3, 'an output cannot be added');
}

// --- keys -----------------------------------------------------------------------------------------

async function testKeys(page) {
    await page.value("document.getElementById('slider').focus()");
    await setRow(page, 10);
    await page.key('ArrowRight');
    await page.settle();
    check(await page.value('player.row') === 11, 'the slider does not follow the keys');
    await page.value("document.activeElement.blur(); player.setRow(0)");
    await page.key(' ', 'Space');
    await page.value(`new Promise((done) => { const wait = () =>
        player.row > 0 ? done(true) : requestAnimationFrame(wait); wait(); })`);
    await page.key(' ', 'Space');
    check(!await page.value('player.isPlaying'), 'the bar does not stop the time');
    const box = () => page.value("document.querySelector('#graph .canvas:not([hidden]) svg').viewBox.baseVal.width");
    const before = await box();
    await page.value("document.querySelector('#graph .canvas:not([hidden])').focus()");
    await page.key('+');
    check(await box() < 0.9 * before, 'the bond graph does not zoom by key');
    await page.key('0');
    near(await box(), before, 1e-6, 'the bond graph after 0');
    await page.key('n');
    check(await page.value("document.getElementById('bond').textContent.startsWith('Bond 1 ')"),
        'n does not go to the first bond');
}

// --- bond graphs ----------------------------------------------------------------------------------

async function testGraph(browser) {
    const model = [path.join(examples, 'rlc.bgl'), '--t-end', '20 ms'];
    const file = makePage('rlc', ...model), table = csv(...model);
    const causality = JSON.parse(call('causality', '--json', '--trace', model[0]));
    const page = await browser.open(file);

    check(await page.value("document.getElementById('mechanism').hidden"), 'a mechanism without bodies');
    let signs = new Set();
    for (const row of [0, 40, 100, 140, 500]) {
        await setRow(page, row);
        for (const name of ['R', 'I', 'C']) {
            const bond = causality.strokes.find((stroke) => stroke.head === name).bond;
            const { rows } = await hover(page, bond);
            const e = table[name + '.e'], f = table[name + '.f'];
            const power = e.map((x, i) => x * f[i]);
            sameShown(rows[0][1], e[row], largest(e), `effort of ${name} in row ${row}`);
            sameShown(rows[0][2], f[row], largest(f), `flow of ${name} in row ${row}`);
            sameShown(rows[0][3], power[row], largest(power), `power of ${name} in row ${row}`);
            const stroke = await page.value(
                `document.querySelector('#d0-bond-${bond} path').style.stroke`);
            if (Math.abs(power[row]) > 0.01 * largest(power)) {
                signs.add(power[row] > 0);
                check(stroke === (power[row] > 0 ? 'rgb(37, 99, 235)' : 'rgb(217, 119, 6)'),
                    `the power ${power[row]} of ${name} in row ${row} is ${stroke}`);
            }
        }
    }
    check(signs.size === 2, 'powers of one sign only were looked at');
    await page.mouse('mouseMoved', 3, 3);
    await testTrace(page, causality);
    await testMoving(page);
    checkQuiet(page, 'RLC');
    await page.close();
}

// The decisions have all steps of `causality --trace`, in order; with each its strokes appear, at the
// right ends.
async function testTrace(page, causality) {
    const list = await page.value(`decisions.current.list.map(({ own, then }) => ({ own, then }))`);
    const lines = causality.trace.split('\n').filter((line) => /^\d+ /.test(line));
    const all = list.flatMap(({ own, then }) => [...own, ...then]);
    check(all.length === lines.length && all.length > 0, `${all.length} steps for ${lines.length}`);
    for (const line of lines) {
        const [, bond, at] = /bond (\d+), .*: stroke at ([^;]*);/.exec(line), follows = line.includes('follows from');
        const place = list.findIndex(({ own, then }) => (follows ? then : own).some((step) => step[0] === Number(bond)));
        check(place >= 0, `${line} is in no decision`);
        check(all.some(([number, , end, tail, head]) => number === Number(bond) && (end === 'head' ? head : tail) === at),
            `${line}: the stroke is elsewhere`);
    }
    const seen = () => page.value(`[...document.querySelectorAll('.canvas.bonds polyline.stroke')].filter((line) =>
        getComputedStyle(line).display !== 'none').length`);
    await page.click('#first');
    check(await seen() === 0, 'strokes before the first decision');
    let n = 0;
    for (const { own, then } of list) {
        await page.key('ArrowRight');
        n += own.length + then.length;
        check(await seen() === n, `${await seen()} strokes after a decision, not ${n}`);
        const said = await page.value("document.getElementById('more').textContent");
        check(own.every(([number]) => said.includes(`bond ${number} at`)), `${said} lacks a bond of ${JSON.stringify(own)}`);
    }
    check(list.length > 1 && n === causality.strokes.length, `${n} strokes of ${causality.strokes.length} bonds`);
    // the stroke is nearer to the element that it is said to be at
    for (const { bond, head, tail, stroke } of causality.strokes) {
        const isNear = await page.value(`(() => {
            const line = document.querySelector('#d0-bond-${bond} polyline.stroke').getBBox();
            const away = (text) => { const node = [...document.querySelectorAll('.canvas.bonds .node')].find(
                (candidate) => candidate.querySelector('title').textContent === text).getBBox();
                return Math.hypot(node.x + node.width / 2 - line.x, node.y + node.height / 2 - line.y); };
            return away(${JSON.stringify(head)}) < away(${JSON.stringify(tail)});
        })()`);
        check(isNear === (stroke === 'head'), `the stroke of bond ${bond} is not at its ${stroke}`);
    }
    await page.key('Escape');
    check(await seen() === n, 'strokes are missing after Escape');
}

// Wheel and mouse move the bond graph.
async function testMoving(page) {
    const box = () => page.value(`(() => { const box = document.querySelector('#graph .canvas:not([hidden]) svg').viewBox.baseVal;
        return [box.x, box.y, box.width]; })()`);
    const [x, y] = await page.middle('#graph .canvas:not([hidden])'), before = await box();
    await page.mouse('mouseWheel', x, y, { deltaX: 0, deltaY: -240 });
    await page.settle();
    const zoomed = await box();
    check(zoomed[2] < 0.9 * before[2], 'the wheel does not zoom');
    await page.drag([x, y + 60], [x - 50, y + 60]);
    await page.settle();
    check((await box())[0] > zoomed[0], 'the bond graph cannot be dragged');
}

// --- other readers --------------------------------------------------------------------------------

async function testReaders(browser) {
    const file = makePage('four_bar', path.join(examples, 'four_bar.yaml'));
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(fs.readFileSync(file, 'utf8'))[1];
    check(/^default-src 'none'; style-src 'sha256-[\w+/]{43}='; script-src 'sha256-[\w+/]{43}='; base-uri 'none'; form-action 'none'$/
        .test(policy), `the policy is ${policy}`);
    for (const options of [{ width: 1280 }, { width: 375, height: 760 },
        { width: 375, height: 760, dark: true }, { still: true }]) {
        const name = JSON.stringify(options), page = await browser.open(file, options);
        const [wide, inner] = await page.value('[document.documentElement.scrollWidth, innerWidth]');
        check(wide <= inner, `${name}: the page is ${wide} wide in ${inner}`);
        for (const id of ['play', 'slider', 'speed', 'mechanism', 'graph', 'plots', 'trace', 'audit']) {
            const box = await page.value(`(() => { const box = document.getElementById('${id}')
                .getBoundingClientRect(); return [box.left, box.right, box.height]; })()`);
            check(box[0] >= 0 && box[1] <= inner && box[2] > 10, `${name}: ${id} at ${box}`);
        }
        const ground = await page.value('getComputedStyle(document.body).backgroundColor');
        const isDark = Number(/\d+/.exec(ground)[0]) < 100;
        check(isDark === Boolean(options.dark), `${name}: the page is ${ground}`);
        check(await page.value('player.row') === 0 && !await page.value('player.isPlaying'),
            `${name}: it moves by itself`);
        checkQuiet(page, name);
        await page.close();
    }
    // without scripts the tables and pictures are there, and a sentence says what is missing
    const page = await browser.open(file, { scripts: false });
    const text = await page.value('document.body.innerText');
    for (const wanted of ['Scripts are off', 'storages in integral causality', 'largest error of the book']) {
        check(text.includes(wanted), `without scripts: no \`${wanted}\``);
    }
    check(await page.value("document.querySelectorAll('svg').length") >= 2, 'without scripts: no pictures');
    checkQuiet(page, 'without scripts');
    await page.close();
}

// Names with all that is dangerous, several variants.
async function testNames(browser) {
    const name = `</script><b onload=x>"'&amp; \\u`, variant = `heavy <i>&"'`;
    const model = path.join(directory, 'names.yaml');
    fs.writeFileSync(model, fs.readFileSync(path.join(examples, 'four_bar.yaml'), 'utf8')
        .replace(/^name: .*/m, 'name: ' + JSON.stringify(name)) +
        `\nvariants:\n  ${JSON.stringify(variant)}: {bodies: {rocker: {mass: 3 kg}}}\n`);
    const file = makePage('names', model, '--variant', 'base', '--variant', variant);
    const page = await browser.open(file);
    check(await page.value("document.querySelector('h1').textContent") === name, 'the name is changed');
    check(await page.value('document.title') === name, 'the title is changed');
    check(await page.value("document.querySelectorAll('b, i').length") === 0, 'a name became markup');
    const labels = await page.value("[...document.querySelectorAll('#runs label')].map((l) => l.textContent.trim())");
    check(labels[0] === 'base' && labels[1] === variant, `variants ${labels}`);
    const tables = [csv(model), csv(model, '--variant', variant)];
    const row = 200;
    await setRow(page, row);
    for (const [run, table] of tables.entries()) {
        const x = await page.value(`(() => { const text = document.querySelector('.run-${run} .body-2')
            .getAttribute('transform'); return Number(/-?[\\d.]+(e-?\\d+)?/.exec(text)[0]) / data.view.scale; })()`);
        near(x, table['rocker.x'][row], 1e-6, `rocker.x of variant ${run}`);
    }
    check(await page.value('plots.charts[0].series.length') === 7, 'the variants are not plotted together');
    await page.click('#runs input[value="1"]');
    await page.settle();
    check(await page.value('player.run.index') === 1 && await page.value(
        "document.querySelector('#graph .canvas[data-run=\"0\"]').hidden"), 'the other variant cannot lead');
    checkQuiet(page, 'names');
    await page.close();
}

// --- fingers, few rows, gaps ----------------------------------------------------------------------

// On a phone a bond that is tapped keeps its box until something else is.
async function testFinger(browser) {
    const file = makePage('rlc_phone', path.join(examples, 'rlc.bgl'), '--t-end', '20 ms');
    const page = await browser.open(file, { width: 375, height: 760 });
    const isShown = () => page.value("!document.getElementById('bond').hidden");

    await page.tap(...await placeOf(page, 2));
    await page.settle();
    check(await isShown() && await page.value(
        "document.getElementById('bond').textContent.startsWith('Bond 2 ')"), 'a tapped bond is not shown');
    const corner = await page.value(`(() => { const box = document.querySelector('#graph .canvas')
        .getBoundingClientRect(); return [box.left + 4, box.bottom - 4]; })()`);
    await page.tap(...corner);
    await page.settle();
    check(!await isShown(), 'the box of a bond stays after a tap elsewhere');
    checkQuiet(page, 'fingers');
    await page.close();
}

// A run of one row, one without any, and variants of which only the second has rows.
async function testFewRows(browser) {
    const one = makePage('one_row', path.join(examples, 'four_bar.yaml'), '--t-end', '0');
    let page = await browser.open(one);
    check(await page.value('player.run.times.length') === 1, 'not one row');
    await page.click('#play');
    await page.settle();
    await page.settle();
    check(!await page.value('player.isPlaying') && await page.value('player.row') === 0,
        'one row is played for ever');
    check(await page.value("document.querySelectorAll('.u-over').length") > 0, 'no plot of one row');
    checkQuiet(page, 'one row');
    await page.close();

    const none = path.join(directory, 'none.html');
    try {
        call('report', '--graph', 'Se1>0a>R;Se2>0a', '--t-end', '1', '-o', none);
        check(false, 'a conflict is no failure');
    } catch (error) {
        check(error.status === 2, `a conflict ends with ${error.status}`);
    }
    page = await browser.open(none);
    check(await page.value("document.getElementById('player').hidden && " +
        "document.getElementById('plots').hidden"), 'times without rows');
    const { text } = await hover(page, 1);
    check(text.includes('–'), `numbers without rows: ${text}`);
    checkQuiet(page, 'no rows');
    await page.close();
}

// What is no number makes a gap in a plot and is no number under a bond.
async function testGaps(browser) {
    const file = makePage('gaps', path.join(examples, 'four_bar.yaml'), '--variant', 'base', '--variant',
        'base');
    const page = await browser.open(file);
    await page.value(`(() => { const run = runs[0], name = 'energy.kinetic';
        const values = run.values(run.byName.get(name)[2]);
        for (let row = 100; row < 120; row++) { values[row] = row < 110 ? NaN : Infinity; }
        plots.draw(); player.setRow(105); })()`);
    await page.settle();
    const shown = await page.value(`(() => { const chart = plots.charts[1], series = chart.series[1];
        return { nulls: chart.data[1].filter((x) => x === null).length, gaps: series._paths.gaps.length,
            others: chart.series[chart.series.length - 1]._paths.gaps.length, low: chart.scales.y.min, high: chart.scales.y.max }; })()`);
    check(shown.nulls === 20 && shown.gaps === 1 && shown.others === 0,
        `gaps of a plot: ${JSON.stringify(shown)}`);
    check(Number.isFinite(shown.low) && Number.isFinite(shown.high), 'the scale of a plot with gaps');
    checkQuiet(page, 'gaps');
    await page.close();
}

runTests(testAndrews, testGraph, testReaders, testNames, testFinger, testFewRows, testGaps);
