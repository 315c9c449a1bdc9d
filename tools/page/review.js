// SPDX-License-Identifier: GPL-3.0-or-later
// For a design review: the force on each pin over the cycle, in the axes of a body of the joint, and the
// friction circle of each tyre; limits; the first variant as a ghost behind the one that leads.

const review = {
    MOST: 24,
    polars: [],

    // The limits of an output: [value].
    limits(name) {
        return (data.limits || []).filter((limit) => limit[0] === name).map((limit) => limit[1]);
    },

    // Behind the run that leads: the others, the first one before all.
    ghosts() {
        return runs.filter((run) => run !== player.run && run.hasRows);
    },

    // The force on body `end` (0, 1) of a joint in a run, in its axes.
    force(run, name, end) {
        const joint = run.joints.find((one) => one[0] === name);
        const fx = joint && run.values(joint[4]), fy = joint && run.values(joint[5]);
        if (!fx || !fy) {
            return null;
        }
        const body = run.points[joint[2 + end]][1];
        const angles = body < 0 ? null : run.values(run.bodies[body][3]), sign = end === 1 ? 1 : -1;
        const turned = (row, a, b) => {
            const angle = angles ? angles[row] : 0;
            return sign * (a[row] * Math.cos(angle) + b[row] * Math.sin(angle));
        };
        const minus = fx.map((x) => -x);
        return { run, x: (row) => turned(row, fx, fy), y: (row) => turned(row, fy, minus) };
    },

    bodyOf(run, joint, end) {
        const body = run.points[joint[2 + end]][1];
        return body < 0 ? 'ground' : run.bodies[body][0];
    },

    addPin(joint) {
        const run = player.run, name = joint[0];
        const state = { end: run.points[joint[3]][1] >= 0 ? 1 : 0 };
        const polar = new Hodograph({
            title: name, unit: 'N', key: 'output:' + name + '.force',
            peak: () => this.sayLoad(name),
            axes: () => ['x of ' + this.bodyOf(run, joint, state.end), 'y'],
            curves: () => [...this.ghosts().map((one) => ({ ...this.force(one, name, state.end), look: 'ghost' })),
                { ...this.force(player.run, name, state.end), look: 'lead' }].filter(({ x }) => x),
            limits: () => this.limits(name + '.force').map((value) => [Math.abs(value), `limit ${Number(value.toPrecision(4))} N`]),
        });
        const choice = make('select', { 'aria-label': 'In the axes of' }, ...[1, 0].map((end) =>
            make('option', { value: end }, `on ${this.bodyOf(run, joint, end)}, in its axes`)));
        choice.value = state.end;
        choice.addEventListener('change', () => {
            state.end = Number(choice.value);
            polar.draw();
        });
        polar.name.after(choice);
        return polar;
    },

    // The largest load of a joint, as the table has it.
    sayLoad(name) {
        const row = document.querySelector(`[data-window]:not([hidden]) tr[data-output="${CSS.escape(name + '.force')}"]`);
        const cells = row ? [...row.children].map((cell) => cell.textContent) : [];
        return cells.length > 2 ? `at most ${cells[1]} at ${cells[2]}` : null;
    },

    addTyre(name, run) {
        const series = (one, signal) => one.byName.has(`${name}.${signal}`)
            ? one.values(one.byName.get(`${name}.${signal}`)[2]) : null;
        const curve = (run, look) => {
            const along = series(run, 'f_long'), across = series(run, 'f_lat');
            return { run, look, x: along && ((row) => along[row]), y: across && ((row) => across[row]) };
        };
        return new Hodograph({
            title: name + (run.byName.has(name + '.limit') ? ', friction circle' : ', force of the tyre'), unit: 'N', key: 'output:' + name + '.f_long',
            axes: () => ['along the wheel', 'across'],
            curves: () => [...this.ghosts().map((run) => curve(run, 'ghost')), curve(player.run, 'lead')]
                .filter(({ x, y }) => x && y),
            limits: () => this.circles(series(player.run, 'limit')),
        });
    },

    // The circles of the least and of the largest limit in the time that is shown.
    circles(limit) {
        if (!limit) {
            return [];
        }
        const values = [...limit.slice(...span.rows(player.run))].filter((x) => x > 0);
        const most = values.reduce((a, b) => Math.max(a, b), 0), least = values.reduce((a, b) => Math.min(a, b), most);
        return most > 0 ? [...(least < 0.999 * most ? [[least, 'least limit']] : []), [most, `limit ${Number(most.toPrecision(4))} N`]] : [];
    },

    largest(joint) {
        const x = player.run.values(joint[4]), y = player.run.values(joint[5]);
        return x.reduce((most, value, row) => Math.max(most, Math.hypot(value, y[row]) || 0), 0);
    },

    begin() {
        const run = player.run;
        const joints = run.hasRows ? run.joints.filter((joint) => run.values(joint[4]) && run.values(joint[5])) : [];
        const tyres = run.joints.map((joint) => joint[0]).filter((name) =>
            run.byName.has(name + '.f_long') && run.byName.has(name + '.f_lat'));
        const pins = joints.filter((joint) => !tyres.includes(joint[0])).map((joint) => [this.largest(joint), joint])
            .sort((a, b) => b[0] - a[0]).filter(([size]) => size > 1e-12).slice(0, this.MOST);
        this.polars = [...pins.map(([, joint]) => this.addPin(joint)), ...tyres.map((name) => this.addTyre(name, run))];
        $('loads').hidden = this.polars.length === 0 && document.querySelector('#loads table') === null;
        if (this.polars.length === 0) {
            return;
        }
        const title = make('h3');
        $('polars').before(title);
        $('polars').append(...this.polars.map(({ element }) => element));
        const draw = () => {
            title.textContent = 'Forces in the axes of the bodies, over ' +
                (span.isCycle && player.run.window ? player.run.window[2] : 'the run');
            this.polars.forEach((polar) => polar.draw());
        };
        let last = player.run;
        player.follow(() => {
            if (player.run !== last) {
                last = player.run;
                draw();
            } else {
                this.polars.forEach((polar) => polar.move());
            }
        });
        span.follow(draw);
        draw();
    },
};
