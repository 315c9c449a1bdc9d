// SPDX-License-Identifier: GPL-3.0-or-later
// A point of the mechanism is dragged to another start. The start values that the file fixes are what may
// change; the engine assembles the rest. With the derivatives of the point by these values, from
// differences, a step of Levenberg's method leads the point towards the pointer.

const drag = {
    NEAR: 22, // [px]
    STEP: 1e-4, // of a start value [m, rad]
    DAMPING: 1e-3,
    MOST: 0.4, // [m or rad] of a step

    begin() {
        if (!picture) {
            return;
        }
        picture.addEventListener('pointerdown', (event) => this.down(event));
        picture.addEventListener('pointermove', (event) => this.move(event));
        picture.addEventListener('pointerup', (event) => this.up(event));
        picture.addEventListener('pointercancel', (event) => this.up(event));
    },

    mechanism() {
        return mechanisms.find((one) => one.run === player.run);
    },

    // The place of the pointer in the plane of the mechanism [m].
    at(event) {
        const { world, scale } = this.mechanism();
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(world.getScreenCTM().inverse());
        return [at.x / scale, at.y / scale];
    },

    down(event) {
        const one = this.mechanism();
        if (!one || player.row !== 0 || !event.isPrimary || engine.refused) {
            return;
        }
        const matrix = one.world.getScreenCTM();
        let best = null, least = this.NEAR;
        one.run.points.forEach(([, body], p) => {
            const at = new DOMPoint(...one.place(p, 0)).matrixTransform(matrix);
            const away = Math.hypot(at.x - event.clientX, at.y - event.clientY);
            if (body >= 0 && away < least) {
                [best, least] = [p, away];
            }
        });
        if (best !== null) {
            this.held = { point: best, from: [event.clientX, event.clientY], isMoved: false };
            picture.setPointerCapture(event.pointerId);
        }
    },

    move(event) {
        const { held } = this;
        if (!held || (!held.isMoved && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) < 5)) {
            return;
        }
        if (!held.isMoved) {
            held.isMoved = true;
            state.keep();
            document.body.classList.add('live-drag');
        }
        this.goal = { point: held.point, target: this.at(event) };
        this.follow();
    },

    up() {
        const { held } = this;
        if (held?.isMoved) {
            addEventListener('click', (event) => event.stopPropagation(), { capture: true, once: true });
            this.follow();
        }
        document.body.classList.remove('live-drag');
        this.held = null;
    },

    // What may change: the start values that the file fixes, else those of the body that is held.
    free(point) {
        const body = player.run.bodies[player.run.points[point][1]][0];
        const fixed = live.fixed.filter((path) => /\.(x|y|angle)$/.test(path));
        return fixed.length > 0 ? fixed : [...state.values.keys()].filter((path) =>
            path.startsWith(`bodies.${body}.start.`) && /\.(x|y|angle)$/.test(path));
    },

    factor(path) {
        return state.values.get(path)?.factor ?? 1;
    },

    // Poses of all bodies at the start for changes of the free values [SI]; null: it is not assembled.
    async poses(changes) {
        const reply = await engine.ask(state.request(player.run.index, { t_end: 0, sets: state.sets(new Map([...state.changes,
            ...changes])) }));
        const at = new Map(reply.columns.map(({ name }, i) => [name, i]));
        return !reply.ok || reply.rows === 0 ? null : player.run.bodies.map(([name]) => ['x', 'y', 'angle'].map((key) =>
            reply.values[at.get(`${name}.${key}`)][0]));
    },

    placeOf(point, poses) {
        const [, body, px, py] = player.run.points[point], [x, y, angle] = poses[body];
        return [x + px * Math.cos(angle) - py * Math.sin(angle), y + px * Math.sin(angle) + py * Math.cos(angle)];
    },

    // Where the value is that a path of a start value names [SI].
    now(path, poses) {
        const [, body, , key] = path.split('.');
        return poses[player.run.bodies.findIndex(([name]) => name === body)][['x', 'y', 'angle'].indexOf(key)];
    },

    // One step after the other towards the last target.
    async follow() {
        if (this.isBusy) {
            return;
        }
        this.isBusy = true;
        while (this.goal) {
            const { point, target } = this.goal;
            this.goal = null;
            if (!await this.step(point, target)) {
                this.goal = null;
            }
        }
        this.isBusy = false;
        if (!this.held) {
            state.tell('change');
        }
    },

    async step(point, target) {
        const free = this.free(point), before = await this.poses([]);
        if (free.length === 0 || !before) {
            controls.say('The file gives no start value that could follow.', 'failed');
            return false;
        }
        const from = this.placeOf(point, before), values = free.map((path) => this.now(path, before)), columns = [];
        const set = (path, x) => [path, Number((x / this.factor(path)).toPrecision(10))];
        for (let i = 0; i < free.length; i++) {
            const poses = await this.poses([set(free[i], values[i] + this.STEP)]);
            const to = poses ? this.placeOf(point, poses) : from;
            columns.push([(to[0] - from[0]) / this.STEP, (to[1] - from[1]) / this.STEP]);
        }
        const steps = this.solve(columns, [target[0] - from[0], target[1] - from[1]]);
        const changes = free.map((path, i) => set(path, values[i] + steps[i]));
        const poses = await this.poses(changes);
        if (poses) {
            state.set(Object.fromEntries([...changes, ...this.others(free, poses)]), 'input');
        }
        return true;
    },

    // The other start values that the file gives as numbers are where the engine has put them.
    others(free, poses) {
        return [...state.values.keys()].filter((path) => /\.start\.(x|y|angle)$/.test(path) && !free.includes(path))
            .map((path) => [path, Number((this.now(path, poses) / this.factor(path)).toPrecision(8))]);
    },

    // J (J'J + mu)^-1 in the form J'(JJ' + mu)^-1, which is 2 x 2.
    solve(columns, [rx, ry]) {
        let a = 0, b = 0, d = 0;
        for (const [x, y] of columns) {
            a += x * x;
            b += x * y;
            d += y * y;
        }
        const mu = this.DAMPING * (a + d) + 1e-12, det = (a + mu) * (d + mu) - b * b;
        const u = ((d + mu) * rx - b * ry) / det, v = ((a + mu) * ry - b * rx) / det;
        return columns.map(([x, y]) => Math.max(-this.MOST, Math.min(this.MOST, x * u + y * v)));
    },
};
