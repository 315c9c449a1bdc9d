// SPDX-License-Identifier: GPL-3.0-or-later
// Opens live pages of `halfarrow report --live` in a browser and moves their values. What they show is
// compared with `run`, `equations` and `check` of the program with the same values by --set.
//
//   node live.js PROGRAM-OF-THE-BROWSER HALFARROW EXAMPLES DIRECTORY
'use strict';

const fs = require('fs');
const path = require('path');
const { call, check, csv, directory, examples, largest, makePage, near, read, runTests } = require('./harness.js');

const MOST_GROWTH = 600e3; // bytes

function example(name) {
    return path.join(examples, name + '.yaml');
}

async function openLive(browser, file, options) {
    const page = await browser.open(file, options);
    await page.value('window.halfarrow.ready.then(() => true)');
    return page;
}

// Changes values as sliders do, and waits until all of it is drawn.
function set(page, changes, how = 'change') {
    return page.value(`(async () => {
        state.set(${JSON.stringify(changes)}, '${how}');
        do { await new Promise((done) => setTimeout(done, 20)); } while (pilot.isBusy);
        liveDraw.flush();
        return document.getElementById('live-said').textContent;
    })()`);
}

function checkQuiet(page, name) {
    check(page.complaints.length === 0, `${name}: ${page.complaints.join('; ')}`);
    check(page.requests.every((one) => /^(file|blob):/.test(one)) && page.requests.filter((one) =>
        one.startsWith('file:')).length === 1, `${name}: requests ${page.requests.join(' ')}`);
}

// The places of all bodies in a row against the program's.
async function checkPlaces(page, table, row, name) {
    const shown = await page.value(`(player.setRow(${row}), { scale: data.view.scale, bodies: runs[0].bodies.map((body) => body[0]),
        transforms: runs[0].bodies.map((body, i) => document.querySelector('.run-0 .body-' + i).getAttribute('transform')) })`);
    shown.bodies.forEach((body, i) => {
        const [x, y, angle] = shown.transforms[i].match(/-?[\d.]+(e-?\d+)?/g).map(Number);
        [x / shown.scale, y / shown.scale, angle * Math.PI / 180].forEach((found, k) => {
            const wanted = table[`${body}.${['x', 'y', 'angle'][k]}`];
            near(found, wanted[row], 1e-6 * largest(wanted) + 1e-9, `${name}: ${body} ${k} in row ${row}`);
        });
    });
}

// What the engine and all that goes with it make of a page.
async function testGrowth() {
    for (const name of ['four_bar', 'slider_crank', 'andrews', 'andrews base compliant bera']) {
        const [model, ...variants] = name.split(' '), options = variants.flatMap((one) => ['--variant', one]);
        const size = (...more) => fs.statSync(makePage('growth', example(model), ...options, ...more)).size;
        const growth = size('--live') - size();
        check(growth <= MOST_GROWTH, `${name}: --live makes the page ${growth} bytes larger`);
    }
}

async function testFourBar(browser) {
    const model = example('four_bar'), file = makePage('four_bar', model, '--live');
    const page = await openLive(browser, file, { width: 1600, height: 1000 });
    const sets = ['--set', 'parameters.a=120 mm', '--set', 'parameters.c=260 mm'];
    const wanted = JSON.parse(call('run', '--json', model, ...sets));
    const found = await page.value("halfarrow.run({ 'parameters.a': '120 mm', 'parameters.c': 0.26 })");
    check(found.status === 'done' && Object.keys(found).sort().join() === 'final,message,peaks,seconds,status',
        `halfarrow.run gives ${Object.keys(found)} ${found.message}`);
    for (const [name, value] of Object.entries(wanted.final)) {
        near(found.final[name], value, 1e-5 * Math.max(1, Math.abs(value)), `final ${name}`);
    }
    near(found.peaks['rocker.angle'].max, wanted.peaks['rocker.angle'].max, 1e-6, 'the peak of rocker.angle');

    await set(page, { 'parameters.a': 120, 'parameters.c': 260 });
    const table = csv(model, ...sets);
    await checkPlaces(page, table, 0, 'four_bar');
    await checkPlaces(page, table, 345, 'four_bar');
    await set(page, { 'parameters.a': 90 });
    await set(page, { 'parameters.a': 120 });
    check(await page.value(`(() => { /* drawn over, and anew */
        const one = mechanisms[0], isOver = one.written.length > 0;
        const look = () => {
            player.setRow(player.run.rowAt(player.time));
            return one.root.outerHTML.replace(/ class=""/g, '');
        };
        const over = look();
        liveDraw.replace(player.run, one, one.scene);
        liveDraw.mechanism(player.run, {});
        liveDraw.traces();
        return isOver && look() === over;
    })()`), 'what is drawn over is not what is drawn anew');
    const force = Math.max(...table['O.fx'].map((x, i) => Math.hypot(x, table['O.fy'][i])));
    const load = await page.value(`[...document.querySelectorAll('[data-window=all] tr[data-output="O.force"] td')][0].textContent`);
    near(read(load.replace(/ N$/, '')), force, 2e-3 * force, 'the load of O');
    const multipliers = await page.value(`[...document.querySelectorAll('#audit tr')]
        .find((row) => row.cells[0].textContent === 'multipliers').cells[1].textContent`);
    check(read(multipliers) === wanted.multipliers, `${multipliers} multipliers, not ${wanted.multipliers}`);
    const power = await page.value('(() => { const all = runs[0].powers(); return Math.max(...[...all.values()].map((one) => Math.max(...one))); })()');
    check(power > 0, 'no power in the bonds');
    await testFollowing(page);
    await testFailure(page);
    await testKeeping(page);
    await testText(page, model, sets);
    await testDrag(page);
    checkQuiet(page, 'four_bar');
    await page.close();
    await testAddress(browser, file);
    await testRefusal(browser, file);
}

// A value is run when it comes, also while the page waits for the slider to rest before it finds all of a run; and
// the first run, for which the browser compiles the engine, makes no model a slow one.
async function testFollowing(page) {
    const isAsked = await page.value(`(async () => {
        const { QUIET, BONDS, FRAME } = pilot, wait = () => new Promise((done) => setTimeout(done, 10));
        Object.assign(pilot, { QUIET: 1e6, BONDS: 1e6, FRAME: 1e6, count: 1 }); /* whatever the machine does */
        state.set({ 'parameters.a': 110 }, 'input');
        while (engine.current) {
            await wait();
        }
        state.set({ 'parameters.a': 120 }, 'input');
        for (let i = 0; i < 20; i++) {
            await null; /* no other task */
        }
        const found = Boolean(engine.current);
        Object.assign(pilot, { QUIET, BONDS, FRAME });
        while (engine.current) {
            await wait();
        }
        return found;
    })()`);
    check(isAsked, 'a value waits while the page waits for a rest');
    await set(page, { 'parameters.a': 120 });
    const slow = await page.value(`(() => {
        const { recent, isCold } = pilot; /* 40 ms are slow */
        const after = (...all) => {
            Object.assign(pilot, { recent: [0], isCold: true });
            all.forEach((ms) => pilot.note(ms));
            return pilot.isSlow;
        };
        const found = [after(500), after(500, 500), after(500, 20)];
        Object.assign(pilot, { recent, isCold });
        return found;
    })()`);
    check(slow.join() === 'false,true,false', `models that are slow: ${slow}`);
}

// A value that cannot be: the message of the program; the next value works.
async function testFailure(page) {
    const said = await set(page, { 'parameters.a': 900 });
    check(/assembl|close|reach/i.test(said), `an impossible crank says: ${said}`);
    check(await page.value("document.body.classList.contains('live-failed')"), 'an impossible crank is not seen');
    check(/^live/.test(await set(page, { 'parameters.a': 120 })), 'the value after an impossible one fails');
    await page.value('engine.LIMIT = 1, live.runs[0].seconds = 0, 1');
    const stopped = await page.value('engine.ask(state.request(0, { max_steps: 100000, t_end: 300 })).then((reply) => reply.message)');
    check(/Stopped after/.test(stopped), `a run without end says: ${stopped}`);
    await page.value('engine.LIMIT = 20000');
    const next = await page.value('halfarrow.run({}).then((reply) => reply.status)');
    check(next === 'done', `after a stop: ${next}`);
}

// A is a ghost, and swaps with what is shown; undo goes back.
async function testKeeping(page) {
    await page.click('#live-keep');
    await page.value('state.keep()');
    await set(page, { 'parameters.a': 90 });
    check(await page.value("document.querySelectorAll('.scene .run.behind').length") === 1, 'A is no ghost');
    check(await page.value("document.querySelector('table.loads thead').textContent").then((text) => /against A/.test(text)),
        'loads are not compared with A');
    await page.value("document.getElementById('live-swap').click()");
    await set(page, {});
    check(await page.value("state.get('parameters.a')") === 120, 'A and B do not swap');
    await page.value("document.getElementById('live-undo').click()");
    await set(page, {});
    check(await page.value("state.get('parameters.a')") === 90, 'undo does not go back');
    await set(page, { 'parameters.a': 120 });
}

// The YAML runs as the values do, and keeps its comments.
async function testText(page, model, sets) {
    const text = await page.value('(livePage.copyText(), livePage.copied)');
    const file = path.join(directory, 'copied.yaml');
    fs.writeFileSync(file, text);
    const comments = (one) => one.match(/#.*/g).join('\n');
    check(comments(text) === comments(fs.readFileSync(model, 'utf8')), 'comments are lost');
    const wanted = JSON.parse(call('run', '--json', model, ...sets)).final, found = JSON.parse(call('run', '--json', file)).final;
    check(JSON.stringify(wanted) === JSON.stringify(found), 'the YAML does not run as the values do');
}

// A point goes where it is dragged to, as far as the mechanism lets it.
async function testDrag(page) {
    await page.value('state.restore([])');
    await set(page, {});
    await page.value('scrollTo(0, 0), player.setRow(0)');
    const place = (angle) => page.value(`(() => { const one = drag.mechanism(), r = 0.1 * one.scale; /* the crank: 100 mm */
        const at = new DOMPoint(r * Math.cos(${angle}), r * Math.sin(${angle})).matrixTransform(one.world.getScreenCTM());
        return [at.x, at.y]; })()`);
    const [x, y] = await place(0), [tx, ty] = await place(0.6);
    await page.drag([x, y], [tx, ty]);
    await page.value(`(async () => { do { await new Promise((done) => setTimeout(done, 200)); } while (pilot.isBusy || drag.isBusy); })()`);
    const angle = await page.value("state.get('bodies.crank.start.angle')");
    check(angle > 0.2 && angle < 0.75, `the crank was dragged to ${angle} rad, not towards 0.6`);
}

// An address restores the state.
async function testAddress(browser, file) {
    const page = await browser.open(file);
    await page.value(`window.halfarrow.ready.then(async () => {
        location.hash = '#live=' + encodeURIComponent('parameters.a=110');
        do { await new Promise((done) => setTimeout(done, 100)); } while (pilot.isBusy); })`);
    check(await page.value("state.get('parameters.a')") === 110, 'the address does not restore a value');
    check(await page.value('livePage.address.includes(location.hash)'), 'the address is another one');
    await page.close();
}

// Where WebAssembly is refused the page says so and is what it is without.
async function testRefusal(browser, file) {
    const refused = path.join(directory, 'refused.html');
    fs.writeFileSync(refused, fs.readFileSync(file, 'utf8').replace(" 'wasm-unsafe-eval'", ''));
    const page = await browser.open(refused);
    const reason = await page.value('window.halfarrow.ready.then(() => "", (error) => error.message)');
    check(reason !== '', 'the engine runs where it is refused');
    check(/does not run the engine/.test(await page.value("document.getElementById('live-said').textContent")), 'nothing says so');
    check(await page.value('plots.charts.length > 0 && mechanisms.length === 1'), 'the page does not work without the engine');
    await page.close();
}

// The graph, the equations and the table of the run that leads against the program's; equations with overrides
// of their own: they are written for the values of the file.
async function checkForm(page, model, sets, own = sets) {
    const structure = JSON.parse(call('check', '--json', model, ...sets));
    const rows = await page.value(`Object.fromEntries([...document.querySelectorAll('#structure tr')].map((row) =>
        [row.cells[0].textContent, row.cells[player.run.index + 1]?.textContent]))`);
    check(rows.class === structure.class, `class ${rows.class}, not ${structure.class}`);
    check(rows['implicit constraints'].startsWith(String(structure.implicit_constraints.length)),
        `constraints ${rows['implicit constraints']}`);
    const lines = call('equations', model, ...own).split('\n').filter((line) => line && !line.startsWith('#'));
    const shown = await page.value(`[...document.querySelectorAll('#equations .of-run:not([hidden]) li')].map((item) => item.textContent)`);
    check(shown.join('\n') === lines.join('\n'), `equations:\n${shown.join('\n')}\nnot\n${lines.join('\n')}`);
    const bonds = JSON.parse(call('causality', '--json', model, ...sets)).strokes.length;
    check(await page.value('graph.view().bonds.groups.size') === bonds, `not ${bonds} bonds in the picture`);
    const pictures = await page.value(`[...document.querySelectorAll('#graph .canvas:not([hidden])')].map((one) =>
        [one.dataset.run, one.querySelectorAll('.node').length, one.classList.contains('words')])`);
    check(pictures.length === 1 && pictures[0][1] > 0 && pictures[0][2], `pictures that are seen: ${pictures.join(' ')}`);
    const known = await page.value(`[...graph.view().words.nodes.keys()].every((name) => selection.index().parts.has(name)) &&
        graph.view().words.edges.every(({ bonds }) => bonds.length > 0)`);
    check(known, 'the picture in words is not of its run');
}

// The hinge of the slide from compliant to ideal.
async function testForms(browser) {
    const model = example('rapson'), file = makePage('rapson', model, '--live');
    const page = await openLive(browser, file, { width: 1600, height: 1000 });
    const compliant = ['--set', 'joints.hinge.model=compliant', '--set', 'joints.hinge.stiffness=kb*0.1', '--set',
        'joints.hinge.damping=rb*0.1'];
    for (const [value, sets] of [[0.1, compliant], ['ideal', []], [0.1, compliant]]) {
        await set(page, { 'joints.hinge.stiffness': value });
        await checkForm(page, model, sets, sets.map((one) => one.replace('*0.1', '')));
        const table = csv(model, ...sets);
        await checkPlaces(page, table, 300, 'rapson');
    }
    checkQuiet(page, 'rapson');
    await page.close();
}

// A form that another run of the page came with.
async function testVariants(browser) {
    const model = example('andrews'), file = makePage('andrews', model, '--live', '--variant', 'base', '--variant', 'compliant');
    const page = await openLive(browser, file, { width: 1600, height: 1000 });
    await page.value('engine.LIMIT = 60000'); /* whatever else the machine does */
    const lead = (run) => page.value(`document.querySelectorAll('#runs input')[${run}].click()`);
    const steps = [[0, 0.5, 'compliant'], [1, 0.5, 'compliant'], [1, 'ideal', 'base'], [0, 'ideal', 'base'], [0, 1, 'compliant']];
    for (const [run, value, variant] of steps) {
        await lead(run);
        await set(page, { 'joints.*.stiffness': value });
        await checkForm(page, model, ['--variant', variant]);
        const power = await page.value('Math.max(...[...player.run.powers().values()].map((one) => Math.max(...one)))');
        check(power > 0, `no power in the bonds of run ${run}`);
    }
    checkQuiet(page, 'andrews');
    await page.close();
}

// On paper there are no controls; on a phone they do not spill.
async function testPlaces(browser) {
    const file = makePage('pendulum', example('pendulum'), '--live');
    for (const [width, height] of [[1600, 1000], [390, 844]]) {
        const page = await openLive(browser, file, { width, height });
        check(await page.value('document.documentElement.scrollWidth <= innerWidth'), `${width} px: wider than the window`);
        await page.value("controls.say('ready; a run takes 0.13 s, when a slider is released')");
        check(await page.value(`[...document.querySelectorAll('#live-strip, #live-strip *')].every((one) =>
            one.getBoundingClientRect().right <= document.getElementById('player').getBoundingClientRect().right + 1)`),
        `${width} px: the strip of values spills`);
        await page.click('#live-open');
        check(await page.value("!document.getElementById('live').hidden && document.documentElement.scrollWidth <= innerWidth"),
            `${width} px: the panel is wider than the window`);
        await page.send('Emulation.setEmulatedMedia', { media: 'print' });
        check(await page.value("getComputedStyle(document.getElementById('live')).display") === 'none', 'the panel is on paper');
        await page.close();
    }
}

// Ranges that cannot be meant are refused; one that is given is that of the slider, in the unit of the value.
async function testRanges(browser) {
    const refused = (range, pattern) => {
        try {
            makePage('refused', example('four_bar'), '--live', range);
            check(false, `${range} is accepted`);
        } catch (error) {
            check(error.status === 2 && pattern.test(error.stderr), `${range}: ${error.status} ${error.stderr}`);
        }
    };
    refused('parameters.q=1:2', /no number at `parameters.q`/);
    refused('parameters.a=120 mm:80 mm', /does not go upwards/);
    refused('parameters.a=1 kg:2 kg', /mass/);
    refused('joints.B.stiffness=0:1e6', /above 0/);
    const file = makePage('ranges', example('four_bar'), '--live', 'parameters.a=0.08 m:12 cm', 'joints.B.stiffness=1e5:1e8',
        'bodies.crank.mass=0.2:1');
    const page = await openLive(browser, file);
    const range = (path, list) => page.value(`(({ low, high }) => [low, high])(state.${list}.get('${path}'))`);
    const [low, high] = await range('parameters.a', 'values');
    near(low, 80, 1e-9, 'low');
    near(high, 120, 1e-9, 'high');
    check((await range('bodies.crank.mass', 'values')).join() === '0.2,1', 'no range for a mass');
    await page.value('engine.LIMIT = 60000'); /* whatever else the machine does */
    await set(page, { 'joints.B.stiffness': 2e5 });
    const rows = await page.value("document.querySelector('#structure p').textContent");
    check(/2 rows held elastically/.test(rows), `a joint with springs: ${rows}`);
    check(await page.value('runs[0].times[runs[0].times.length - 1]') === 3, 'a joint with springs does not run');
    await page.close();
}

runTests(testGrowth, testRanges, testFourBar, testForms, testVariants, testPlaces);
