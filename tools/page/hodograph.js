// SPDX-License-Identifier: GPL-3.0-or-later
// The way of a vector's tip over a cycle: the force on a pin in the axes of a body, the force of a tyre
// in those of the wheel. Circles tell the size; limits are circles too.

// The largest of 1, 2, 5 times a power of ten that is not more.
function roundDown(x) {
    const power = 10 ** Math.floor(Math.log10(x)), part = x / power;
    return (part >= 5 ? 5 : part >= 2 ? 2 : 1) * power;
}

class Hodograph {
    // curves(): [{ run, x, y, look }], with x and y functions of a row, the one that leads last;
    // limits(): [[radius, text]]; axes(): what stands at them; peak(): the largest in words, if it is known
    // better than from rows.
    constructor({ title, unit, key, axes, curves, limits, peak }) {
        Object.assign(this, { unit, axes, curves, limits, peak });
        this.svg = svg('svg', { viewBox: '-130 -130 260 260', role: 'img', 'aria-label': title });
        this.name = make('button', { type: 'button' }, title);
        this.name.addEventListener('click', () => selection.select(key));
        this.said = make('p', { class: 'peak' });
        this.element = make('figure', { class: 'polar' }, this.name, this.svg, this.said);
        selection.register(key, this.element);
        this.svg.addEventListener('click', (event) => this.pick(event));
    }

    rows({ run, x, y }) {
        const [from, to] = span.rows(run), found = [];
        for (let row = from; row < to; row++) {
            const at = [x(row), y(row)];
            if (Number.isFinite(at[0]) && Number.isFinite(at[1])) {
                found.push([row, ...at]);
            }
        }
        return found;
    }

    text(x, y, words, more = {}) {
        const element = svg('text', { x, y, ...more });
        element.textContent = words;
        return element;
    }

    // The height of the label at the right end of the axis x: the nearest one at which no curve crosses it.
    besideAxis(curves) {
        const left = 126 - 6 * this.axes()[0].length;
        const near = curves.flatMap(({ points }) => points).map(([, x, y]) => [x * this.scale, -y * this.scale])
            .filter(([x]) => x > left);
        const crossed = (height) => near.filter(([, y]) => y > height - 12 && y < height + 4).length;
        return [-5, 13, -17, 25].reduce((a, b) => crossed(b) < crossed(a) ? b : a);
    }

    // Circles and axes; what stands at them, to be put over the curves.
    drawGrid(curves) {
        const texts = [this.text(128, this.besideAxis(curves), this.axes()[0], { 'text-anchor': 'end' }), this.text(5, -116, this.axes()[1])];
        const step = roundDown(this.most / 1.9);
        for (let size = step; size <= 1.001 * this.most; size += step) {
            const r = this.scale * size;
            this.svg.append(svg('circle', { class: 'ring', r }));
            texts.push(this.text(r * 0.71 + 2, -r * 0.71 - 2, `${Number(size.toPrecision(3))} ${this.unit}`, { class: 'small' }));
        }
        this.svg.append(svg('path', { class: 'ring', d: 'M-112 0H112M0 112V-112' }));
        return texts;
    }

    draw() {
        const curves = this.curves().map((curve) => ({ ...curve, points: this.rows(curve) }));
        const sizes = curves.flatMap(({ points }) => points.map(([, x, y]) => Math.hypot(x, y)));
        const limits = this.limits();
        const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
        /* a limit far away would leave nothing to be seen */
        this.most = Math.max(largest, ...limits.map(([radius]) => radius).filter((radius) => radius < 4 * largest)) || 1;
        this.scale = 108 / this.most;
        this.lead = curves[curves.length - 1];
        this.svg.replaceChildren();
        const texts = this.drawGrid(curves);
        for (const [radius, words] of limits.filter(([radius]) => radius <= this.most)) {
            this.svg.append(svg('circle', { class: 'limit', r: radius * this.scale }));
            texts.push(this.text(0, radius * this.scale + 11, words, { class: 'limit', 'text-anchor': 'middle' }));
        }
        for (const { points, look } of curves) {
            this.svg.append(svg('path', { class: 'curve ' + look, d: points.map(([, x, y], i) =>
                `${i === 0 ? 'M' : 'L'}${(x * this.scale).toFixed(1)} ${(-y * this.scale).toFixed(1)}`).join('') }));
        }
        this.arrow = svg('path', { class: 'vector' });
        this.svg.append(this.arrow, ...texts);
        this.sayPeak();
        this.move();
    }

    sayPeak() {
        const { points, run } = this.lead, known = this.peak?.();
        const peak = points.reduce((a, b) => a && Math.hypot(a[1], a[2]) >= Math.hypot(b[1], b[2]) ? a : b, null);
        this.said.textContent = known || peak === null ? known || 'no numbers' :
            `at most ${show(Math.hypot(peak[1], peak[2]), 4)} ${this.unit} at ${show(run.times[peak[0]], 4)} s`;
        if (peak !== null) {
            this.svg.append(svg('circle', { class: 'top', r: 4, cx: peak[1] * this.scale, cy: -peak[2] * this.scale }));
        }
    }

    // The vector at the time of the page.
    move() {
        const row = player.run.rowAt(player.time), { x, y } = this.lead;
        const tip = [x(row) * this.scale, -y(row) * this.scale], length = Math.hypot(...tip);
        if (!(length > 1) || length > 400) {
            this.arrow.setAttribute('d', '');
            return;
        }
        const u = tip.map((one) => one / length), size = Math.min(12, length);
        const at = (along, side) => `${(u[0] * along - u[1] * side).toFixed(1)} ${(u[1] * along + u[0] * side).toFixed(1)}`;
        this.arrow.setAttribute('d', `M0 0L${at(length, 0)}M${at(length - size, size / 2.6)}L${at(length, 0)}L${at(length - size, -size / 2.6)}`);
    }

    // A click on the curve sets the time.
    pick(event) {
        const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
        const away = ([, x, y]) => Math.hypot(x * this.scale - at.x, -y * this.scale - at.y);
        const nearest = this.lead.points.reduce((a, b) => a && away(a) <= away(b) ? a : b, null);
        if (nearest && away(nearest) < 14) {
            player.play(false);
            player.setRow(nearest[0]);
        }
    }
}
