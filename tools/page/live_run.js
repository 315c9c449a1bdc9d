// SPDX-License-Identifier: GPL-3.0-or-later
// A run of the page takes the numbers that the engine found: columns by name, in place of the ones that
// came with the page.

const adoption = {
    // By run: what came with the page.
    own: runs.map((run) => ({ names: new Set(run.columns.map(([name]) => name)), window: run.window,
        ideal: live.runs[run.index]?.ideal, share: undefined })),

    lists: new WeakMap(), // of columns, which replies share: what follows from each

    // Numbers by name, and whether there are bonds among them.
    know(columns) {
        if (!this.lists.has(columns)) {
            this.lists.set(columns, { at: new Map(columns.map(({ name }, i) => [name, i])),
                hasBonds: columns.some(({ name }) => name.startsWith('#')) });
        }
        return this.lists.get(columns);
    },

    // The columns that are shown, and the bonds' own; as they are when the last reply had the same.
    name(run, reply, ideal, numbers, find) {
        const own = this.own[run.index], { bonds } = run, { columns } = reply;
        if (own.columns === columns && own.bonds === bonds && own.numbers === numbers && own.last === ideal) {
            return;
        }
        Object.assign(own, { columns, bonds, numbers, last: ideal });
        const isShown = (name) => !name.startsWith('#') && name !== 't' && (ideal !== own.ideal || own.names.has(name));
        run.columns = columns.map(({ name, unit }, i) => [name, unit, i]).filter(([name]) => isShown(name));
        run.byName = new Map(run.columns.map((column) => [column[0], column]));
        bonds.forEach((bond, i) => bond.slice(3).forEach((component, c) => {
            component[1] = find(`#${numbers?.[i]?.[c]}.e`);
            component[2] = find(`#${numbers?.[i]?.[c]}.f`);
        }));
    },

    // Series by number are now the columns of the reply.
    take(run, reply, ideal, numbers) {
        const own = this.own[run.index], { at, hasBonds } = this.know(reply.columns);
        own.share ??= this.shareOfTurn(run);
        const find = (name) => at.has(name) ? at.get(name) : -1;
        Object.assign(run, { status: reply.ok ? 'done' : 'failed', rows: reply.rows, series: reply.values,
            decoded: reply.values, times: reply.values[0] });
        this.name(run, reply, ideal, numbers, find);
        if (hasBonds) { /* else the power is that of before */
            run.power = undefined;
        }
        run.bodies.forEach((body) => ['x', 'y', 'angle'].forEach((key, k) => { body[k + 1] = find(`${body[0]}.${key}`); }));
        run.joints.forEach((joint) => {
            joint[4] = find(joint[0] + '.fx');
            joint[5] = find(joint[0] + '.fy');
            joint[6] = find(joint[0] + '.steer');
        });
        run.points = reply.points || run.points;
        run.window = this.findWindow(run, own);
    },

    // The first row from which a body makes its last turn; 0: there is none.
    turnFrom(run) {
        const angle = run.turning >= 0 ? run.values(run.bodies[run.turning][3]) : null;
        let row = run.times.length - 1;
        if (!angle) {
            return 0;
        }
        const end = angle[row];
        while (row > 0 && Math.abs(angle[row] - end) < 2 * Math.PI) {
            row--;
        }
        return row;
    },

    // The last cycle of the page in turns of the body that turns; NaN: nothing turns.
    shareOfTurn(run) {
        const row = run.hasRows && run.window ? this.turnFrom(run) : 0;
        return row > 0 ? (run.window[1] - run.window[0]) / (run.window[1] - run.times[row]) : NaN;
    },

    // The last cycle with other values: as many turns as before; without a turn as long as before.
    findWindow(run, own) {
        const end = run.times[run.times.length - 1];
        if (!own.window) {
            return undefined;
        }
        if (Number.isNaN(own.share)) {
            return own.window[1] <= end ? own.window : undefined;
        }
        const row = this.turnFrom(run), from = end - own.share * (end - run.times[row]);
        return row > 0 && from >= run.times[0] ? [Math.abs(own.share - 1) < 0.01 ? run.times[row] : from, end,
            own.window[2]] : undefined;
    },
};
