// SPDX-License-Identifier: GPL-3.0-or-later
// The page in a design review: loads, limits, forces in body axes, the last cycle, a ghost of the first
// variant, friction circles, paper. Numbers are compared with the CSV of `run`.
//
//   node review.js PROGRAM-OF-THE-BROWSER HALFARROW EXAMPLES DIRECTORY
'use strict';

const fs = require('fs');
const path = require('path');
const { check, checkQuiet, csv, directory, examples, makePage, near, read, runTests } = require('./harness.js');

const SIZE = { width: 1600, height: 1000 };
const PAPER = 696; // [px] A4 within its margins

const table = (page, selector) => page.value(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((row) =>
    ({ output: row.dataset.output, time: Number(row.dataset.time), cells: [...row.children].map((cell) => cell.textContent) }))`);

const sizes = (run, joint) => run[`${joint}.fx`].map((x, i) => Math.hypot(x, run[`${joint}.fy`][i]));

// --- loads ------------------------------------------------------------------------------------------

// Five first, of which the largest is the first; a click goes to its time.
async function testLoads(browser) {
    const model = [path.join(examples, 'andrews.yaml'), '--step', '0.03 ms'];
    const run = csv(...model), page = await browser.open(makePage('andrews', ...model), SIZE);
    const rows = await table(page, '#loads > div > .scroll > .loads tr[data-output]');
    const joints = Object.keys(run).filter((name) => name.endsWith('.fx') && `${name.slice(0, -3)}.fy` in run &&
        name !== 'ground.fx').map((name) => name.slice(0, -3));
    const largest = joints.map((joint) => [Math.max(...sizes(run, joint)), joint]).sort((a, b) => b[0] - a[0]);
    check(rows.length === 5 && joints.length === 10, `${rows.length} rows for ${joints.length} joints`);
    rows.forEach(({ output, time, cells }, i) => {
        const [size, joint] = largest[i], row = sizes(run, joint).indexOf(size);
        check(output === joint + '.force' && cells[0] === joint, `row ${i} is ${output}, not ${joint}`);
        const force = read(cells[1].split(' ')[0]);
        check(force >= 0.999995 * size && force <= 1.01 * size, `the load of ${joint} is ${force}, in rows ${size}`);
        near(time, run.t[row], 0.03e-3, `the time of the load of ${joint}`);
        const angle = (run['K1.angle'][row] * 180 / Math.PI % 360 + 360) % 360;
        check(Math.abs((read(cells[3].split(' ')[0]) - angle + 540) % 360 - 180) < 6, `${joint}: angle ${cells[3]}, not ${angle}`);
        check(Number(cells[4]) >= 1 && Number(cells[4]) <= 15, `${joint}: ${cells[4]} digits`);
    });
    check(await page.value("document.querySelectorAll('#loads details tr[data-output]').length") === 5, 'the others are missing');
    await page.click('#loads tr[data-output] th[scope=row]');
    await page.settle();
    near(await page.value('player.time'), rows[0].time, 0.016e-3, 'the time after a click on a load');
    check(await page.value('selection.key') === `output:${rows[0].output}`, 'a load does not light up');
    // arrows of forces need more room, which is there
    await page.click('#forces');
    const cut = await page.value(`(() => { const frame = document.querySelector('.scene').viewBox.baseVal, cut = [];
        for (let row = 0; row < player.run.times.length; row += 25) {
            player.setRow(row);
            for (const tip of document.querySelectorAll('.force.tip')) {
                const box = tip.getBBox(), at = tip.getCTM().inverse(), world = tip.closest('.run > g').transform.baseVal.consolidate().matrix;
                const x = box.x + world.e, y = world.f - box.y;
                if (x < frame.x || x + box.width > frame.x + frame.width || y > frame.y + frame.height || y - box.height < frame.y) {
                    cut.push(row);
                }
            }
        }
        return cut; })()`);
    check(cut.length === 0, `arrows are cut in rows ${cut}`);
    checkQuiet(page, 'loads');
    await page.close();
}

// The frames to choose from are not cut, and no curve crosses the label of an axis where there is room beside it.
async function testPolars(browser) {
    const page = await browser.open(makePage('four', path.join(examples, 'four_bar.yaml')), SIZE);
    const cut = await page.value(`[...document.querySelectorAll('.polar select')].filter((one) => {
        const pen = document.createElement('canvas').getContext('2d');
        pen.font = getComputedStyle(one).font;
        return pen.measureText(one.selectedOptions[0].text).width > one.clientWidth - 16;
    }).length`);
    check(cut === 0, `${cut} names of frames are cut`);
    const crossed = await page.value(`review.polars.map(({ name, svg, lead, scale }) => {
        const box = svg.querySelector('text[text-anchor=end]').getBBox();
        return [name.textContent, lead.points.filter(([, x, y]) => x * scale > box.x && -y * scale > box.y &&
            -y * scale < box.y + box.height).length];
    })`);
    check(crossed.length === 4 && crossed.every(([, n]) => n === 0), `labels that are crossed: ${JSON.stringify(crossed)}`);
    await page.close();
}

// --- the last cycle, body axes, limits --------------------------------------------------------------

async function testCycle(browser) {
    const model = path.join(examples, 'slider_crank_driven.yaml'), run = csv(model);
    const most = Math.max(...sizes(run, 'O'));
    const page = await browser.open(makePage('driven', model, '--limit', `O.force=${most / 2} N`, '--limit',
        'piston.vx=-1 km/s', '--limit', 'crank.omega=1e6 rad/s'), SIZE);
    const end = run.t[run.t.length - 1], period = 0.04;
    const window = await page.value('player.run.window');
    near(window[0], end - period, 1e-9, 'the start of the last period');
    near(window[1], end, 1e-12, 'the end of the last period');
    near(await page.value('player.time'), window[0], 1e-3 * end, 'the time that is shown first');
    const scale = await page.value('[plots.charts[0].scales.x.min, plots.charts[0].scales.x.max]');
    near(scale[0], end - period, 1e-6, 'the start of the plots');
    const rows = await table(page, '#loads [data-window]:not([hidden]) tr[data-output]');
    check(rows.length > 0 && rows.every(({ time }) => time >= end - period - 1e-9), `loads before the last cycle: ${rows.map((row) => row.time)}`);
    // the force on the crank's pin in the crank's axes: the first polar plot is that of the largest load
    const polar = await page.value(`(() => { const { lead } = review.polars.find((one) => one.name.textContent === 'O');
        return [...lead.points].filter((point, i) => i % 7 === 0).map(([row, x, y]) => [player.run.times[row], x, y]); })()`);
    check(polar.length > 5 && polar[0][0] >= end - period - 1e-9, `the polar plot begins at ${polar[0][0]}`);
    for (const [t, x, y] of polar) {
        const i = run.t.findIndex((one) => Math.abs(one - t) < 1e-9), angle = run['crank.angle'][i];
        const c = Math.cos(angle), s = Math.sin(angle);
        near(x, c * run['O.fx'][i] + s * run['O.fy'][i], 1e-5 * most, `force along the crank at ${t}`);
        near(y, -s * run['O.fx'][i] + c * run['O.fy'][i], 1e-5 * most, `force across the crank at ${t}`);
    }
    // on the other body it is the opposite, and the ground does not turn
    await page.value(`(() => { const choice = review.polars.find((one) => one.name.textContent === 'O').element.querySelector('select');
        choice.value = 0; choice.dispatchEvent(new Event('change')); })()`);
    const [row, x] = await page.value("review.polars.find((one) => one.name.textContent === 'O').lead.points[3]");
    const at = run.t.findIndex((one, i) => i === row);
    near(x, -run['O.fx'][at], 1e-5 * most, 'the force on the ground');
    // limits
    const limits = await table(page, '.limits tr[data-output]');
    check(limits.map(({ cells }) => cells[cells.length - 1]).join() === 'exceeded,kept,kept', `limits: ${JSON.stringify(limits)}`);
    near(read(limits[0].cells[2].split(' ')[0]), most, 0.01 * most, 'what O.force comes to');
    check(await page.value("review.polars.find((one) => one.name.textContent === 'O').svg.querySelectorAll('circle.limit').length") === 1,
        'no circle of the limit');
    // another cut of the time
    await page.value("(() => { const choice = document.querySelector('#window select'); choice.value = 'all'; choice.dispatchEvent(new Event('change')); })()");
    check(await page.value('plots.charts[0].scales.x.min') === 0, 'the whole run is not shown');
    check((await page.value("review.polars[0].lead.points[0][0]")) === 0, 'polar plots do not show the whole run');
    checkQuiet(page, 'cycle');
    await page.close();
}

// A limit that is near belongs to the picture of its output.
async function testLimitLine(browser) {
    const page = await browser.open(makePage('line', path.join(examples, 'four_bar.yaml'), '--limit', 'rocker.angle=150 deg'), SIZE);
    const shown = await page.value(`plots.charts.filter((chart) => chart.series.some((one) => one.output === 'rocker.angle'))
        .map((chart) => chart.scales.y.max)`);
    check(shown.length === 1 && shown[0] >= 150 * Math.PI / 180, `the plot of a limited output ends at ${shown}`);
    near(await page.value("review.limits('rocker.angle')[0]"), 150 * Math.PI / 180, 1e-9, 'a limit in degrees');
    checkQuiet(page, 'limit line');
    await page.close();
}

// --- variants, tyres --------------------------------------------------------------------------------

async function testGhost(browser) {
    const model = path.join(directory, 'variants.yaml');
    fs.writeFileSync(model, fs.readFileSync(path.join(examples, 'four_bar.yaml'), 'utf8') +
        '\nvariants:\n  heavy: {bodies: {rocker: {mass: 3 kg}}}\n');
    const page = await browser.open(makePage('variants', model, '--variant', 'base', '--variant', 'heavy'), SIZE);
    await page.click('#runs input[value="1"]');
    await page.settle();
    const looks = await page.value("review.polars[0].curves().map(({ run, look }) => [run.index, look])");
    check(JSON.stringify(looks) === '[[0,"ghost"],[1,"lead"]]', `curves ${JSON.stringify(looks)}`);
    const ghosts = await page.value('plots.charts[0].series.slice(1).map((one) => [one.isGhost, one.width])');
    check(ghosts.every(([isGhost, width], i) => isGhost === (i < ghosts.length / 2) && (isGhost ? width < 1.5 : width >= 2)),
        `series ${JSON.stringify(ghosts)}`);
    check(await page.value("document.querySelector('.run-0').classList.contains('behind') && " +
        "!document.querySelector('.run-1').classList.contains('behind')"), 'the first variant is not behind');
    const rows = await table(page, '#loads [data-window]:not([hidden]) tr[data-output]');
    const all = [csv(model), csv(model, '--variant', 'heavy')];
    for (const { output, cells } of rows) {
        const [base, heavy] = all.map((run) => Math.max(...sizes(run, output.replace('.force', ''))));
        near(read(cells[cells.length - 1].replace(/[+ %]/g, '')), 100 * (heavy / base - 1), 1.5, `the change of ${output}`);
    }
    checkQuiet(page, 'ghost');
    await page.close();
}

async function testTyres(browser) {
    const model = path.join(examples, 'lane_change.yaml');
    const run = csv(model), page = await browser.open(makePage('tyres', model), SIZE);
    const found = await page.value(`review.polars.filter((one) => one.name.textContent.includes('friction circle')).map((one) =>
        ({ name: one.name.textContent.replace(/,.*/, ''), points: one.lead.points, limits: one.limits().map(([radius]) => radius) }))`);
    check(found.length === 4, `${found.length} friction circles of four wheels`);
    for (const { name, points, limits } of found) {
        const wanted = run[name + '.limit'].filter((x) => x > 0);
        near(Math.max(...limits), Math.max(...wanted), 1e-3 * Math.max(...wanted), `the largest circle of ${name}`);
        const [row, x, y] = points[Math.floor(points.length / 2)];
        const time = await page.value(`player.run.times[${row}]`), i = run.t.findIndex((t) => Math.abs(t - time) < 1e-9);
        near(x, run[name + '.f_long'][i], 1e-3 * Math.max(...wanted), `${name}.f_long`);
        near(y, run[name + '.f_lat'][i], 1e-3 * Math.max(...wanted), `${name}.f_lat`);
    }
    checkQuiet(page, 'tyres');
    await page.close();
}

// --- paper ------------------------------------------------------------------------------------------

// What is folded is open, nothing is wider than the sheet, dark pages are light; afterwards all is as before.
async function testPaper(browser) {
    const file = makePage('paper', path.join(examples, 'slider_crank_driven.yaml'), '--limit', 'O.force=400 N');
    const page = await browser.open(file, { width: PAPER, height: 1000, dark: true });
    const state = () => page.value(`JSON.stringify([graph.level, [...document.querySelectorAll('details')].map((one) => one.open),
        document.querySelector('.canvas.bonds').hidden])`);
    const before = await state();
    await page.value("dispatchEvent(new Event('beforeprint'))");
    await page.send('Emulation.setEmulatedMedia', { media: 'print' });
    await page.settle();
    const wide = await page.value(`[...document.querySelectorAll('main *')].filter((one) => one.getClientRects().length > 0 &&
        !one.closest('svg') && one.getBoundingClientRect().right > ${PAPER} + 1).map((one) => one.outerHTML.slice(0, 80))`);
    check(wide.length === 0, `wider than the sheet: ${wide.slice(0, 3)}`);
    check(await page.value("document.querySelector('#values details').open && document.querySelector('#equations details').open"),
        'folded parts are not printed');
    check(await page.value("document.querySelector('.canvas.bonds').getClientRects().length > 0 && document.querySelector('.canvas.words').getClientRects().length > 0"),
        'not both levels are printed');
    const ink = await page.value("getComputedStyle(document.querySelector('#audit td')).color.match(/\\d+/g).map(Number)");
    check(Math.max(...ink) < 100, `the ink is ${ink}`);
    check(await page.value("getComputedStyle(document.querySelector('.canvas svg')).filter") === 'none', 'the graph is dark on paper');
    const { data } = await page.send('Page.printToPDF', { preferCSSPageSize: true });
    const text = Buffer.from(data, 'base64').toString('latin1'), pages = (text.match(/\/Type ?\/Page\b/g) || []).length;
    check(pages >= 3 && pages <= 40, `${pages} sheets`);
    await page.send('Emulation.setEmulatedMedia', { media: '' });
    await page.value("dispatchEvent(new Event('afterprint'))");
    check(await state() === before, 'printing changes the page');
    checkQuiet(page, 'paper');
    await page.close();
}

runTests(testLoads, testPolars, testCycle, testLimitLine, testGhost, testTyres, testPaper);
