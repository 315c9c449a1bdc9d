// SPDX-License-Identifier: GPL-3.0-or-later
// The moving mechanism: the groups of tools/scene/scene_svg.c with the places of the bodies, lines between two
// points, traces of points, forces of joints. Lengths are in units of the picture, y is up in them.

const picture = document.querySelector('#mechanism .scene');

class Mechanism {
    // A run in the group `root` of a picture with `scale` units for a metre.
    constructor(run, root, scale) {
        this.run = run;
        this.root = root;
        this.scale = scale;
        this.world = this.root.querySelector('g');
        this.places = run.bodies.map((body) => body.slice(1).map((k) => run.values(k)));
        this.groups = run.bodies.map((body, i) => this.root.querySelectorAll('.body-' + i));
        this.lines = [...this.root.querySelectorAll('[class*="between-"]')].map((path) => {
            const ends = /between-(\d+)-(\d+)/.exec(path.getAttribute('class'));
            return { path, ends: [Number(ends[1]), Number(ends[2])],
                isSpring: path.classList.contains('spring') };
        });
        this.tyres = [...this.root.querySelectorAll('[class^="steer-"]')].map((group) => {
            const [, , , N, , , steer] = run.joints[Number(group.getAttribute('class').slice(6))];
            return { group, point: run.points[N], angles: run.values(steer) };
        });
        this.register();
        this.ways = svg('g');
        this.world.prepend(this.ways);
        this.arrows = svg('g');
        this.world.append(this.arrows);
    }

    // What lights up with a part.
    register() {
        const names = [['.body-', this.run.bodies], ['.joint-', this.run.joints],
            ['.load-', (this.run.forces || []).map((name) => [name])]];
        for (const [name, list] of names) {
            list.forEach(([part], i) => part !== '' && this.root.querySelectorAll(name + i).forEach((group) => {
                group.dataset.part = part;
                selection.register('part:' + part, group);
            }));
        }
    }

    // The place of point p in a row.
    place(p, row) {
        const [, body, x, y] = this.run.points[p];
        if (body < 0) {
            return [x * this.scale, y * this.scale];
        }
        return this.bodyPlace(body, x, y, row);
    }

    bodyPlace(body, x, y, row) {
        const [bx, by, angle] = this.places[body].map((values) => values[row]);
        const c = Math.cos(angle), s = Math.sin(angle);
        return [(bx + c * x - s * y) * this.scale, (by + s * x + c * y) * this.scale];
    }

    line(line, row) {
        const a = this.place(line.ends[0], row), b = this.place(line.ends[1], row);
        const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy);
        const n = line.isSpring ? 25 : 1, across = line.isSpring && length > 0 ? 12 / length : 0;
        let d = `M${a[0]} ${a[1]}`;
        for (let i = 1; i <= n; i++) {
            const side = i <= 2 || i >= n - 2 ? 0 : i % 2 === 0 ? across : -across;
            d += `L${a[0] + dx * i / n - dy * side} ${a[1] + dy * i / n + dx * side}`;
        }
        line.path.setAttribute('d', d);
    }

    move(time) {
        const row = this.run.rowAt(time);
        this.moveTo(row);
        this.drawForces(row);
    }

    moveTo(row) {
        this.groups.forEach((groups, i) => {
            const [x, y, angle] = this.places[i].map((values) => values[row]);
            const transform = `translate(${x * this.scale} ${y * this.scale}) rotate(${angle * 180 / Math.PI})`;
            groups.forEach((group) => group.setAttribute('transform', transform));
        });
        this.lines.forEach((line) => this.line(line, row));
        for (const { group, point: [, , x, y], angles } of this.tyres) {
            if (angles) {
                group.setAttribute('transform', `translate(${x * this.scale} ${y * this.scale}) ` +
                    `rotate(${angles[row] * 180 / Math.PI})`);
            }
        }
    }

    // A point that can be traced: of a body, or its mass centre.
    tracePath(tracer) {
        let d = '';
        for (let row = 0; row < this.run.times.length; row++) {
            const [x, y] = this.bodyPlace(tracer.body, tracer.x, tracer.y, row);
            d += (row === 0 ? 'M' : 'L') + x.toFixed(1) + ' ' + y.toFixed(1);
        }
        return d;
    }

    drawTraces(tracers) {
        this.ways.replaceChildren(...tracers.map((tracer) => {
            const group = svg('g', { class: 'c' + tracer.body % 8 });
            group.append(svg('path', { class: 'way', d: this.tracePath(tracer) }));
            group.firstChild.style.fill = 'none';
            return group;
        }));
    }

    // The force that all but the largest tenth of the arrows stay under, which a singular position
    // would otherwise make invisible.
    forceScale() {
        if (this.unit === undefined) {
            const sizes = [];
            for (const [, , , , fx, fy] of this.run.joints) {
                const x = this.run.values(fx), y = this.run.values(fy);
                for (let row = 0; x && y && row < x.length; row++) {
                    const size = Math.hypot(x[row], y[row]);
                    if (size > 1e-12) { // less is round-off of a mechanism without loads
                        sizes.push(size);
                    }
                }
            }
            sizes.sort((a, b) => a - b);
            this.unit = sizes.length ? sizes[Math.floor(0.9 * (sizes.length - 1))] : 0;
        }
        return this.unit;
    }

    // The part of the plane that all arrows of the run need, [left, top, right, bottom] of the picture.
    reach() {
        const reach = [Infinity, Infinity, -Infinity, -Infinity];
        const { e, f } = this.world.transform.baseVal.consolidate().matrix;
        for (const [, , , N, fx, fy] of this.run.joints) {
            const x = this.run.values(fx), y = this.run.values(fy);
            for (let row = 0; x && y && row < x.length && this.forceScale() > 0; row++) {
                const size = Math.hypot(x[row], y[row]), part = Math.min(220 / size, 110 / this.forceScale());
                const [px, py] = this.place(N, row);
                const tip = [px + x[row] * part + e, f - py - y[row] * part];
                if (Number.isFinite(tip[0]) && Number.isFinite(tip[1])) {
                    for (const k of [0, 1]) {
                        reach[k] = Math.min(reach[k], tip[k] - 20);
                        reach[k + 2] = Math.max(reach[k + 2], tip[k] + 20);
                    }
                }
            }
        }
        return reach;
    }

    drawForces(row) {
        this.arrows.replaceChildren();
        if (!$('forces').checked || !(this.forceScale() > 0)) {
            return;
        }
        for (const [name, , , N, fx, fy] of this.run.joints) {
            const x = this.run.values(fx), y = this.run.values(fy);
            if (!x || !y) {
                continue;
            }
            const size = Math.hypot(x[row], y[row]);
            const length = Math.min(220, 110 * size / this.forceScale());
            if (length < 4) {
                continue;
            }
            const [px, py] = this.place(N, row), ux = x[row] / size, uy = y[row] / size;
            const at = (along, side) =>
                `${px + ux * along - uy * side} ${py + uy * along + ux * side}`;
            const tip = Math.min(18, length);
            const shaft = svg('path', { class: 'force', d: `M${at(0, 0)}L${at(length - tip, 0)}` });
            const head = svg('path', { class: 'force tip',
                d: `M${at(length, 0)}L${at(length - tip, 8)}L${at(length - tip, -8)}Z` });
            const title = svg('title');
            title.textContent = `${name}: ${show(size)} N`;
            head.append(title);
            this.arrows.append(shaft, head);
        }
    }
}

// What can be traced, over all runs, by name; first of all points of bodies that no joint holds to the
// ground: those of couplers.
function listTracers(mechanism) {
    const run = mechanism.run;
    const onGround = new Set();
    const jointed = new Set(mechanism.lines.flatMap((line) => line.ends));
    for (const [, , M, N] of run.joints) {
        const bodies = [run.points[M][1], run.points[N][1]];
        jointed.add(M).add(N);
        if (bodies.includes(-1)) {
            bodies.forEach((body) => onGround.add(body));
        }
    }
    const tracers = run.bodies.map((body, i) => (
        { name: body[0], body: i, x: 0, y: 0, isFree: false }));
    run.points.forEach(([name, body, x, y], p) => {
        if (body >= 0) {
            tracers.push({ name, body, x, y, isFree: !jointed.has(p) });
        }
    });
    const free = tracers.filter((tracer) => tracer.isFree);
    const couplers = tracers.filter((tracer) => !onGround.has(tracer.body) && tracer.x === 0 &&
        tracer.y === 0);
    const best = free.length > 0 ? free : couplers.length > 0 ? couplers : tracers;
    for (const tracer of best.slice(0, 3)) {
        tracer.isShown = true;
    }
    return tracers;
}

const mechanisms = picture === null ? []
    : runs.filter((run) => run.bodies.length > 0 && run.hasRows).map((run) =>
        new Mechanism(run, picture.querySelector('.run-' + run.index), data.view.scale));

function beginMechanism() {
    if (mechanisms.length === 0) {
        $('mechanism').hidden = true;
        $('graph').classList.add('alone');
        return;
    }
    document.querySelector('#mechanism .controls').hidden = false;
    const tracers = listTracers(mechanisms[0]);
    const redraw = () => {
        const shown = new Set(tracers.filter((tracer) => tracer.isShown).map((t) => t.name));
        for (const mechanism of mechanisms) {
            mechanism.drawTraces(listTracers(mechanism).filter((t) => shown.has(t.name)));
        }
    };
    for (const tracer of tracers) {
        const box = make('input', { type: 'checkbox' });
        box.checked = Boolean(tracer.isShown);
        box.addEventListener('change', () => {
            tracer.isShown = box.checked;
            redraw();
        });
        document.querySelector('#traces div').append(make('label', {}, box, ' ' + tracer.name));
    }
    redraw();
    const move = (time) => {
        for (const mechanism of mechanisms) {
            mechanism.root.classList.toggle('behind', mechanism.run !== player.run);
            mechanism.move(time);
        }
    };
    const { x, y, width, height } = picture.viewBox.baseVal, whole = [x, y, x + width, y + height];
    $('forces').addEventListener('change', () => {
        const boxes = [whole, ...($('forces').checked ? mechanisms.map((one) => one.reach()) : [])];
        const [left, top, right, bottom] = [0, 1, 2, 3].map((k) =>
            Math[k < 2 ? 'min' : 'max'](...boxes.map((box) => box[k])));
        picture.setAttribute('viewBox', `${left} ${top} ${right - left} ${bottom - top}`);
        move(player.time);
    });
    picture.addEventListener('click', (event) => {
        const part = event.target.closest('[data-part]');
        selection.select(part ? 'part:' + part.dataset.part : null);
    });
    picture.addEventListener('dblclick', (event) => {
        const part = event.target.closest('[data-part]');
        if (part && graph.views.length > 0) {
            graph.toggle(part.dataset.part);
        }
    });
    player.follow(move);
}
