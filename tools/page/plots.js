// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of outputs, one for each axis, of all runs over each other: the others are ghosts behind the one
// that leads. Limits are lines.

const COLOURS = ['#2563eb', '#d97706', '#16a34a', '#9333ea', '#0891b2', '#db2777', '#65a30d', '#b91c1c'];
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

const plots = {
    chosen: [],
    charts: [],
    width: null, // [px] on paper

    // Outputs to begin with: the energies, and a few angles or whatever comes first.
    suggest() {
        const names = runs.find((run) => run.hasRows).columns.map((column) => column[0]);
        const bodies = new Set(player.run.bodies.map((body) => body[0] + '.angle'));
        const angles = names.filter((name) => bodies.has(name));
        const energies = names.filter((name) => /^energy\.(kinetic|potential|supplied|dissipated)$/
            .test(name));
        const others = names.filter((name) => !name.startsWith('energy.'));
        const limited = (data.limits || []).map((limit) => limit[0]).filter((name) => names.includes(name));
        return [...new Set([...limited, ...(angles.length > 0 ? angles : others).slice(0, 4), ...energies])];
    },

    unitOf(name) {
        const run = runs.find((candidate) => candidate.byName.has(name));
        return run ? run.byName.get(name)[1] : '';
    },

    // Outputs share an axis that are of one unit, or all efforts, flows ... of elements without one.
    axisOf(name) {
        const signal = /\.([efpq])\d*$/.exec(name);
        return this.unitOf(name) || (signal ? `.${signal[1]}` : '');
    },

    // What is no number is a gap.
    points(values) {
        return Array.from(values, (x) => Number.isFinite(x) ? x : null);
    },

    // The series of one chart: each run has times of its own, so that its rows are put between those
    // of the others (as undefined), and lines go over them.
    table(names) {
        const tables = [], series = [];
        for (const run of runs.filter((candidate) => candidate.hasRows)) {
            const own = names.filter((name) => run.byName.has(name));
            tables.push([Array.from(run.times),
                ...own.map((name) => this.points(run.values(run.byName.get(name)[2])))]);
            const isGhost = run !== player.run && player.run.hasRows;
            own.forEach((name) => series.push({
                label: runs.length > 1 ? `${name} (${run.title})` : name,
                stroke: COLOURS[names.indexOf(name) % COLOURS.length] + (isGhost ? '66' : ''),
                dash: isGhost ? DASHES[1 + run.index % (DASHES.length - 1)] : [],
                width: isGhost ? 1.2 : 2, points: { show: run.times.length < 2 },
                value: (chart, x) => show(x), output: name, isGhost,
            }));
        }
        return { values: tables.length === 1 ? tables[0] : uPlot.join(tables), series };
    },

    draw() {
        for (const chart of this.charts) {
            chart.destroy();
        }
        this.charts = [];
        const axes = [...new Set(this.chosen.map((name) => this.axisOf(name)))];
        $('charts').replaceChildren(...axes.map((axis) => this.drawAxis(axis)));
        for (const place of $('charts').children) {
            place.open();
        }
        this.showSpan();
        this.light();
        this.mark();
    },

    // The part of the time that is looked at.
    showSpan() {
        if (span.isCycle && player.run.window) {
            const [min, max] = span.of(player.run);
            this.charts.forEach((chart) => chart.setScale('x', { min, max }));
        }
    },

    // Curves that are not selected are faint.
    light() {
        const has = selection.key !== null && this.chosen.some((name) => selection.keys.has('output:' + name));
        for (const chart of this.charts) {
            let isChanged = false;
            chart.series.forEach((one, i) => {
                const alpha = i === 0 || !has || selection.keys.has('output:' + one.output) ? 1 : 0.2;
                isChanged ||= one.alpha !== alpha;
                one.alpha = alpha;
            });
            if (isChanged) {
                chart.redraw(false, false);
            }
        }
    },

    // The limits of the outputs of a chart, as lines with words.
    drawLimits(chart) {
        const { left, top, width, height } = chart.bbox, pen = chart.ctx, ratio = devicePixelRatio;
        const style = getComputedStyle(document.body);
        pen.save();
        pen.strokeStyle = pen.fillStyle = style.getPropertyValue('--mark').trim();
        pen.lineWidth = 1.5 * ratio;
        pen.font = `${12 * ratio}px system-ui, sans-serif`;
        pen.setLineDash([8 * ratio, 4 * ratio]);
        for (const name of new Set(chart.series.slice(1).map((one) => one.output))) {
            for (const value of review.limits(name)) {
                const y = chart.valToPos(value, 'y', true);
                if (y >= top && y <= top + height) {
                    pen.beginPath();
                    pen.moveTo(left, y);
                    pen.lineTo(left + width, y);
                    pen.stroke();
                    pen.fillText(`limit of ${name}: ${show(value, 4)}`, left + 6 * ratio, y - 5 * ratio);
                }
            }
        }
        pen.restore();
    },

    // A limit that is not far away belongs to the picture.
    range(chart, low, high, names) {
        if (low === null || high === null) {
            return [0, 1];
        }
        const far = 1.5 * Math.max(high - low, Math.abs(high), Math.abs(low));
        for (const value of names.flatMap((name) => review.limits(name))) {
            if (value > low - far && value < high + far) {
                [low, high] = [Math.min(low, value), Math.max(high, value)];
            }
        }
        return uPlot.rangeNum(low, high, 0.1, true);
    },

    drawAxis(axis) {
        const names = this.chosen.filter((name) => this.axisOf(name) === axis);
        const unit = this.unitOf(names[0]);
        const place = make('div', { class: 'chart' });
        place.open = () => {
            const { values, series } = this.table(names);
            const chart = new uPlot(this.options(unit, series, place, names), values, place);
            const line = make('div', { class: 'now' });
            chart.over.append(line);
            chart.nowLine = line;
            this.listen(chart, place);
            this.charts.push(chart);
        };
        return place;
    },

    options(unit, series, place, names) {
        const style = getComputedStyle(document.body);
        const ink = style.getPropertyValue('--pale').trim(), grid = style.getPropertyValue('--line').trim();
        const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } };
        const label = (text) => ({ label: text, labelSize: 22, labelFont: '13px system-ui, sans-serif' });
        const short = (chart, splits) => splits.map((x) => x === null ? '' : Number(x.toPrecision(6)) + '');
        return {
            width: this.width || Math.max(200, place.clientWidth), height: 280,
            cursor: { sync: { key: 'time' }, drag: { x: true, y: false, dist: 6 } },
            scales: { x: { time: false }, y: { range: (chart, low, high) => this.range(chart, low, high, names) } },
            hooks: { draw: [(chart) => this.drawLimits(chart)] },
            series: [{ label: 't', value: (chart, x) => show(x) }, ...series],
            axes: [{ ...axis, ...label('t [s]'), values: short },
                { ...axis, ...label(unit ? `[${unit}]` : ''), size: 74, values: short }],
        };
    },

    // Buttons and clicks; dragging zooms by itself.
    listen(chart, place) {
        const bar = make('div', { class: 'bar' }), tools = make('span');
        const whole = () => [chart.data[0][0], chart.data[0][chart.data[0].length - 1]];
        const zoom = (factor) => {
            const { min, max } = chart.scales.x, middle = (min + max) / 2, half = (max - min) / 2 / factor;
            const [low, high] = whole();
            this.zoomAll(Math.max(low, middle - half), Math.min(high, middle + half));
        };
        for (const [text, label, act] of [['+', 'Zoom in', () => zoom(1.6)],
            ['−', 'Zoom out', () => zoom(1 / 1.6)], ['Reset', 'All of the plot', () => this.zoomAll(...whole())]]) {
            const button = make('button', { type: 'button', 'aria-label': label }, text);
            button.addEventListener('click', act);
            tools.append(button, ' ');
        }
        bar.append(tools);
        place.prepend(bar);
        chart.over.addEventListener('click', (event) => {
            const box = chart.over.getBoundingClientRect();
            if (chart.select.width === 0) {
                player.play(false);
                player.setTime(chart.posToVal(event.clientX - box.left, 'x'));
                this.pick(chart, event.clientX - box.left, event.clientY - box.top);
            }
        });
    },

    // Selects the curve at a place of a chart, if there is one.
    pick(chart, x, y) {
        const row = chart.posToIdx(x);
        let best = null, least = 9; /* [px] */
        chart.series.forEach((one, i) => {
            const value = i > 0 && !one.isGhost ? chart.data[i][row] : null;
            const away = value === null || value === undefined ? Infinity : Math.abs(chart.valToPos(value, 'y') - y);
            [best, least] = away < least ? [one.output, away] : [best, least];
        });
        if (best !== null) {
            selection.select('output:' + best);
        }
    },

    // All plots show the same time.
    zoomAll(min, max) {
        for (const chart of this.charts) {
            chart.setScale('x', { min, max });
        }
        this.mark();
    },

    // The line at the time of the page, and the values there while nobody points at another time. Nothing is
    // asked that the browser would have to lay out the page for.
    mark() {
        for (const chart of this.charts) {
            if (!(chart.cursor.left >= 0)) {
                chart.setLegend({ idx: chart.valToIdx(player.time) }, false);
            }
            const left = chart.valToPos(player.time, 'x');
            chart.nowLine.style.left = left + 'px';
            chart.nowLine.hidden = left < 0 || left > chart.bbox.width / uPlot.pxRatio;
        }
    },

    add(name) {
        if (this.unitOf(name) !== '' || runs.some((run) => run.byName.has(name))) {
            if (!this.chosen.includes(name)) {
                this.chosen.push(name);
                this.list();
                this.draw();
            }
            $('output').value = '';
            $('output').setCustomValidity('');
        } else {
            $('output').setCustomValidity('There is no such output.');
            $('output').reportValidity();
        }
    },

    list() {
        $('chosen').replaceChildren(...this.chosen.map((name) => {
            const button = make('button', { type: 'button', class: 'name' }, name);
            const remove = make('button', { type: 'button', 'aria-label': 'Remove ' + name }, '×');
            button.addEventListener('click', () => selection.select('output:' + name));
            remove.addEventListener('click', () => {
                this.chosen = this.chosen.filter((other) => other !== name);
                this.list();
                this.draw();
            });
            return make('span', { class: 'chip' }, button, remove);
        }));
    },

    begin() {
        if (!runs.some((run) => run.hasRows && run.columns.length > 0)) {
            return;
        }
        $('plots').hidden = false;
        const names = new Set(runs.flatMap((run) => run.columns.map((column) => column[0])));
        $('outputs').append(...[...names].map((name) => make('option', { value: name })));
        $('add').addEventListener('click', () => this.add($('output').value.trim()));
        $('output').addEventListener('keydown', (event) => {
            $('output').setCustomValidity('');
            if (event.key === 'Enter') {
                event.preventDefault();
                this.add($('output').value.trim());
            }
        });
        this.chosen = this.suggest();
        this.list();
        this.draw();
        player.follow(() => this.mark());
        selection.follow(() => this.light());
        span.follow(() => this.draw());
        new ResizeObserver(() => {
            if (this.width !== null) {
                return;
            }
            for (const chart of this.charts) {
                chart.setSize({ width: Math.max(200, chart.root.parentElement.clientWidth), height: 280 });
            }
            this.mark();
        }).observe($('charts'));
        matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw());
    },
};
