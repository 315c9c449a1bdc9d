// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that follow the engine: loads of joints, limits, values at the end, extremes, audit. Loads are
// found as in tools/page/page_load.c: the parabola through the largest square and its neighbours.

const MORE = 1.05; // of a square, at most, for the parabola to be believed
const FIRST = 5; // loads that are always shown

const liveTables = {
    // The largest force of a joint in a part of the time, and when; null: it has none.
    load(run, joint, [from, to]) {
        const x = run.values(joint[4]), y = run.values(joint[5]), { times } = run;
        let most = -1, at = 0;
        for (let row = 0; x && y && row < times.length; row++) {
            const square = x[row] * x[row] + y[row] * y[row];
            if (times[row] >= from && times[row] <= to && square > most && square < Infinity) {
                [most, at] = [square, row];
            }
        }
        return most < 0 ? null : this.refine(times, (row) => x[row] * x[row] + y[row] * y[row], at, from, to);
    },

    refine(times, square, row, from, to) {
        let size = Math.sqrt(square(row)), time = times[row];
        if (row > 0 && row + 1 < times.length) {
            const before = times[row] - times[row - 1], after = times[row + 1] - times[row], y = square(row);
            const left = (y - square(row - 1)) / before, right = (square(row + 1) - y) / after;
            const bend = (right - left) / (before + after), slope = right - bend * after;
            const step = -slope / (2 * bend), top = y + slope * step / 2;
            if (before > 0 && after > 0 && bend < 0 && step > -before && step < after && top <= MORE * y) {
                [size, time] = [Math.sqrt(top), time + step];
            }
        }
        return { size, time: Math.min(Math.max(time, from), to), row };
    },

    angleAt(run, { row, time }) {
        const angle = run.values(run.bodies[run.turning][3]), { times } = run;
        const other = time > times[row] ? Math.min(row + 1, times.length - 1) : Math.max(row - 1, 0);
        const way = times[other] - times[row];
        return angle[row] + (way === 0 ? 0 : (angle[other] - angle[row]) * (time - times[row]) / way);
    },

    number(x, unit, digits = 6) {
        const cell = make('td', { class: 'number' }, show(x, digits));
        if (Number.isFinite(x) && unit) {
            cell.append(' ', make('small', {}, unit));
        }
        return cell;
    },

    // The loads of a run in its tables: one for the last cycle, one for all of the time.
    loads(run, base) {
        for (const place of document.querySelectorAll(`[data-window][data-run="${run.index}"]`)) {
            const isCycle = place.dataset.window === 'cycle';
            const window = isCycle && run.window ? run.window : [-Infinity, Infinity];
            const found = run.joints.map((joint) => [joint[0], this.load(run, joint, window)])
                .filter(([, load]) => load).sort((a, b) => b[1].size - a[1].size);
            const tables = [...place.querySelectorAll('table.loads')];
            const rows = found.map(([name, load]) => this.loadRow(run, name, load, base, isCycle));
            tables[0].tBodies[0].replaceChildren(...rows.slice(0, FIRST));
            tables[1]?.tBodies[0].replaceChildren(...rows.slice(FIRST));
            this.head(tables, base);
        }
    },

    head(tables, base) {
        for (const table of tables) {
            table.querySelectorAll('.against').forEach((cell) => cell.remove());
            if (base) {
                table.tHead.rows[0].append(make('th', { scope: 'col', class: 'against' }, `against ${base.title}`));
            }
        }
    },

    loadRow(run, name, load, base, isCycle) {
        const row = make('tr', { 'data-output': name + '.force', 'data-time': load.time }, make('th', { scope: 'row' }, name),
            this.number(load.size, 'N', 5), this.number(load.time, 's'));
        if (run.turning >= 0) {
            const degrees = this.angleAt(run, load) * 180 / Math.PI;
            row.append(this.number(Math.round(100 * ((degrees % 360) + 360) % 36000) / 100, 'deg'));
        }
        row.append(make('td', {}, '–'));
        const joint = base?.joints.find((one) => one[0] === name);
        const other = joint && this.load(base, joint, isCycle && base.window ? base.window : [-Infinity, Infinity]);
        if (base) {
            row.append(other && other.size > 0 ? make('td', { class: 'number' },
                `${load.size > other.size ? '+' : ''}${show(100 * (load.size / other.size - 1), 3)} %`) : make('td', {}, '–'));
        }
        return row;
    },

    // What each limit comes to.
    limits(run, peaks) {
        const rows = [...document.querySelectorAll('table.limits tr[data-output]')];
        (data.limits || []).forEach(([name, value], i) => {
            const row = rows[i * live.runs.length + run.index], joint = run.joints.find((one) => one[0] + '.force' === name);
            const load = joint && this.load(run, joint, [-Infinity, Infinity]), peak = peaks[name];
            const x = peak ? (value < 0 ? peak.min : peak.max) : load ? load.size : NaN;
            const time = peak ? (value < 0 ? peak.t_min : peak.t_max) : load ? load.time : NaN, part = x / value;
            const unit = row.cells[1].querySelector('small')?.textContent;
            row.dataset.time = time;
            row.classList.toggle('over', part > 1);
            row.cells[2].replaceWith(this.number(x, unit));
            row.cells[3].replaceWith(this.number(time, 's'));
            row.cells[4].replaceWith(this.number(Math.round(1000 * (1 - part)) / 10, '%'));
            row.cells[5].replaceChildren(Number.isNaN(x) ? '–' : part > 1 ? make('strong', {}, 'exceeded') : 'kept');
        });
    },

    // Values at the end and extremes: of each run one cell, and four.
    values(run, reply) {
        const { peaks } = reply, final = engine.final(reply);
        const [ends, extremes] = document.querySelectorAll('#values table');
        const unit = (name) => run.byName.get(name)?.[1] || (name === 't' ? 's' : '');
        for (const row of ends ? ends.querySelectorAll('tr[data-output]') : []) {
            const name = row.dataset.output;
            row.cells[run.index + 1].replaceWith(this.number(final[name] ?? (name === 't' ? run.times[run.times.length - 1]
                : NaN), unit(name)));
        }
        for (const row of extremes ? extremes.querySelectorAll('tr[data-output]') : []) {
            const name = row.dataset.output, peak = peaks[name] || {};
            ['min', 't_min', 'max', 't_max'].forEach((key, k) => row.cells[4 * run.index + 1 + k].replaceWith(
                this.number(peak[key] ?? NaN, k % 2 === 1 ? 's' : unit(name))));
        }
    },

    // What is known of a run in the page; the rest is not.
    audit(run, reply) {
        const final = engine.final(reply), known = {
            'kinetic energy at the end': [final['energy.kinetic'], 'J'],
            'potential energy at the end': [final['energy.potential'], 'J'],
            'work supplied': [final['energy.supplied'], 'J'], 'work dissipated': [final['energy.dissipated'], 'J'],
            'largest error of the book in the run': [reply.energy_error, 'J'],
            'energy that passed through it': [reply.energy_passed, 'J'],
            'time reached': [run.times[run.times.length - 1], 's'], steps: [reply.steps, ''], events: [reply.events, ''],
            'multipliers': [reply.multipliers, ''],
        };
        for (const row of document.querySelectorAll('#audit tr')) {
            const label = row.cells[0].textContent, isFixed = /tolerance$/.test(label);
            if (row.cells[run.index + 1]?.tagName === 'TD' && !isFixed) {
                const [x, unit] = known[label] || [NaN, ''];
                row.cells[run.index + 1].replaceWith(this.number(x ?? NaN, unit));
            }
        }
    },
};
