// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the parts of the page together.

// Which run leads: its bond graph is shown, the time goes by its rows, the others are behind it.
function beginRuns() {
    if (runs.length < 2) {
        return;
    }
    $('runs').hidden = false;
    for (const run of runs) {
        const button = make('input', { type: 'radio', name: 'run', value: run.index });
        button.checked = run === player.run;
        button.addEventListener('change', () => {
            player.lead(run);
            plots.draw();
        });
        $('runs').firstElementChild.append(make('label', {}, button,
            ` ${run.title}${run.status === 'done' ? '' : ` (${run.status})`}`));
    }
}

// The stage is as high as the window below what is above it; what is scrolled to ends below the player,
// which stays.
function layOut() {
    const above = [document.querySelector('header'), $('player')];
    const measure = () => {
        const heights = above.map((element) => Math.ceil(element.getBoundingClientRect().height));
        document.documentElement.style.setProperty('--above', heights[0] + heights[1] + 'px');
        document.documentElement.style.setProperty('--stuck', heights[1] + 'px');
    };
    const seen = new ResizeObserver(measure);
    above.forEach((element) => seen.observe(element));
    measure();
}

// What was clicked on with a pointer does not keep the space bar and the arrows for itself.
function freeKeys() {
    document.addEventListener('click', (event) => {
        if (event.detail > 0) {
            event.target.closest('button, summary, input[type=checkbox], input[type=radio]')?.blur();
        }
    });
}

function listParts() {
    const list = document.querySelector('nav');
    for (const section of list ? document.querySelectorAll('section[data-title]:not([hidden])') : []) {
        list.append(make('a', { href: '#' + section.id },
            section.dataset.title));
    }
}

function sayWhatIsKept() {
    const run = player.run;
    if (!run.hasRows) {
        return;
    }
    const n = run.times.length;
    $('kept').textContent = (n < run.rows ? `The page holds ${n} of ${run.rows} rows of results` :
        `The page holds all ${n} rows of results`) + (run.coarse ?
        ', places of bodies in single precision, other numbers to 1/65535 of their range.' :
        ', in single precision.');
}

// Which parts a page has, its data say: runs, modes, panels.
if (runs.length > 0) {
    layOut();
    freeKeys();
    $('stage').dataset.said = document.querySelector('#structure p').textContent.replace(/ Causality:.*/, '');
    selection.begin();
    span.begin();
    beginMechanism();
    graph.begin();
    plots.begin();
    decisions.begin();
    document.addEventListener('keydown', (event) => graph.key(event)); /* after the others */
    review.begin();
    beginRuns();
    if (player.run.hasRows) {
        player.begin();
    } else {
        player.tell();
    }
    sayWhatIsKept();
}
modes.begin();
beginPanels();
paper.begin();
listParts();
