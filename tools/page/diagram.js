// SPDX-License-Identifier: GPL-3.0-or-later
// The bond graph with all its bonds: the numbers of the bond that is pointed at, the power through every
// bond, and its strokes one by one. The boxes of parts can be covered (hulls), so that only those are
// open that one looks into; bonds between boxes stay visible.

// The causal strokes of a bond as Graphviz draws them: a bar and a short line after it, each at the end of
// the bond that is nearer.
function findStrokes(group) {
    const path = group.querySelector('path'), found = { tail: [], head: [] };
    if (!path) {
        return found;
    }
    const from = path.getPointAtLength(0), to = path.getPointAtLength(path.getTotalLength());
    for (const line of group.querySelectorAll('polyline')) {
        const bar = line.previousElementSibling, { x, y, width, height } = bar.getBBox();
        const at = [x + width / 2, y + height / 2];
        const isHead = Math.hypot(at[0] - to.x, at[1] - to.y) < Math.hypot(at[0] - from.x, at[1] - from.y);
        [bar, line].forEach((element) => element.classList.add('stroke'));
        found[isHead ? 'head' : 'tail'].push(bar, line);
    }
    return found;
}

class Diagram {
    constructor(element, run) {
        this.run = run;
        this.canvas = new Canvas(element, 'Bond graph ' + run.name);
        this.groups = this.canvas.bonds();
        this.strokes = new Map([...this.groups].map(([number, group]) => [number, findStrokes(group)]));
        this.hulls = new Map();
        for (const [number, group] of this.groups) {
            this.prepare(number, group);
        }
        this.cover();
        this.canvas.onMove = (box) => this.placeNames(box);
        this.canvas.onPick((target, isTwice) => this.pick(target, isTwice));
        element.addEventListener('keydown', (event) => this.key(event));
        element.addEventListener('blur', () => this.point(null));
        element.addEventListener('pointerdown', (event) => {
            if (event.pointerType !== 'mouse' && !event.target.closest('.bond')) {
                this.point(null);
            }
        });
    }

    prepare(number, group) {
        const bond = this.run.byNumber.get(number);
        if (!bond) {
            return;
        }
        selection.register('bond:' + number, group);
        group.setAttribute('role', 'img');
        group.setAttribute('aria-label', `bond ${number} from ${bond[1]} to ${bond[2]}`);
        for (const path of [...group.querySelectorAll('path')]) {
            group.append(svg('path', { class: 'hit', d: path.getAttribute('d') }));
        }
        group.addEventListener('pointerenter', () => this.point(number));
        group.addEventListener('pointerleave', (event) => {
            if (event.pointerType === 'mouse') { /* a finger leaves what it has touched at once */
                this.point(null);
            }
        });
        group.addEventListener('pointerdown', () => this.point(number));
    }

    // Puts a hull on the box of each part, below the bonds that cross from one to another.
    cover() {
        const index = selection.index(this.run), root = this.canvas.svg.querySelector('g.graph');
        const boxes = [...root.querySelectorAll('.cluster')].map((cluster) => (
            { cluster, box: cluster.querySelector('path, polygon').getBBox(), name: cluster.querySelector('text')?.textContent }));
        const isInside = (a, b) => a !== b && a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width &&
            a.y + a.height <= b.y + b.height;
        for (const { cluster, box, name } of boxes) {
            if (index.parts.has(name) && !boxes.some((other) => isInside(box, other.box))) {
                const hull = svg('g', { class: 'hull', 'data-part': name, tabindex: 0, role: 'button',
                    'aria-label': `${name}, closed` });
                const text = svg('text', { x: box.x + box.width / 2, y: box.y + box.height / 2, 'font-size': 26 });
                text.textContent = name;
                hull.append(svg('rect', { x: box.x, y: box.y, width: box.width, height: box.height, rx: 12 }), text);
                root.append(hull);
                this.hulls.set(name, { cluster, hull, box });
                selection.register('part:' + name, hull);
                selection.register('part:' + name, cluster);
            }
        }
        for (const edge of root.querySelectorAll('.edge')) {
            const ends = edge.querySelector('title')?.textContent.split('->').map((name) => index.wordOf(name)) || [];
            if (ends[0] !== ends[1]) {
                root.append(edge);
            }
        }
        root.querySelectorAll('.edge > title').forEach((title) => title.remove());
        root.querySelectorAll('.node').forEach((node) => {
            selection.register('part:' + index.wordOf(node.querySelector('title').textContent), node);
        });
    }

    // The name of a hull stands in the middle of what is seen of it.
    placeNames({ x, y, width, height }) {
        const place = graph.place(this.canvas), left = x - place.x, top = y - place.y;
        for (const { hull, box } of this.hulls.values()) {
            const inside = [Math.max(box.x, left), Math.max(box.y, top), Math.min(box.x + box.width, left + width),
                Math.min(box.y + box.height, top + height)];
            const isSeen = inside[2] - inside[0] > 30 && inside[3] - inside[1] > 24;
            const text = hull.lastChild;
            text.setAttribute('x', isSeen ? (inside[0] + inside[2]) / 2 : box.x + box.width / 2);
            text.setAttribute('y', isSeen ? (inside[1] + inside[3]) / 2 : box.y + box.height / 2);
        }
    }

    // Opens the parts of a set, closes the others; null: all are open.
    open(parts) {
        for (const [name, { hull }] of this.hulls) {
            hull.style.display = parts === null || parts.has(name) ? 'none' : '';
        }
    }

    // What is clicked on: a bond, a part.
    pick(target, isTwice) {
        const bond = target.closest('.bond'), hull = target.closest('.hull');
        const cluster = target.closest('.cluster'), node = target.closest('.node');
        const part = hull ? hull.dataset.part : node
            ? selection.index(this.run).wordOf(node.querySelector('title').textContent) : cluster
                ? [...this.hulls].find(([, one]) => one.cluster === cluster)?.[0] : undefined;
        if (isTwice && part) {
            graph.toggle(part);
        } else if (bond) {
            selection.select('bond:' + Number(/bond-(\d+)$/.exec(bond.id)[1]));
        } else if (part) {
            selection.select('part:' + part);
        } else {
            selection.select(null);
        }
    }

    // n and p go from bond to bond, Enter selects the one that is pointed at.
    key(event) {
        const by = { n: 1, p: -1 }[event.key];
        const hull = event.target.closest('.hull');
        if (event.key === 'Enter' && hull) {
            event.preventDefault();
            graph.toggle(hull.dataset.part);
        } else if (event.key === 'Enter' && this.pointed) {
            selection.select('bond:' + this.pointed);
        }
        if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) {
            return;
        }
        const numbers = [...this.groups.keys()].sort((a, b) => a - b);
        const at = numbers.indexOf(this.pointed ?? null);
        const next = numbers[(at < 0 ? (by > 0 ? 0 : numbers.length - 1) : at + by + numbers.length) %
            numbers.length];
        this.point(next);
        const size = this.groups.get(next).getBoundingClientRect();
        this.canvas.reveal(...this.canvas.under((size.left + size.right) / 2,
            (size.top + size.bottom) / 2));
    }

    point(number) {
        if (this.pointed !== undefined && this.pointed !== null) {
            this.groups.get(this.pointed).classList.remove('now');
        }
        this.pointed = number;
        if (number !== null) {
            this.groups.get(number).classList.add('now');
        }
        this.tell();
    }

    // Effort, flow and power of each component of a bond in a row.
    numbers(bond, row) {
        return bond.slice(3).map(([component, effort, flow]) => {
            const e = this.run.values(effort), f = this.run.values(flow);
            return e && f ? [component, e[row], f[row], e[row] * f[row]] : [component, NaN, NaN, NaN];
        });
    }

    tell() {
        const box = $('bond'), bond = this.run.byNumber.get(this.pointed);
        box.hidden = !bond;
        if (!bond) {
            return;
        }
        const row = this.run.rowAt(player.time), numbers = this.numbers(bond, row);
        const table = make('table', {}, make('tr', {}, ...['', 'effort', 'flow', 'power [W]'].map(
            (text) => make('th', {}, text))));
        for (const [component, e, f, power] of numbers) {
            table.append(make('tr', {}, make('th', {}, component),
                ...[e, f, power].map((x) => make('td', { class: 'number' }, show(x)))));
        }
        if (numbers.length > 1) {
            const sum = numbers.reduce((total, numbers) => total + numbers[3], 0);
            table.append(make('tr', {}, make('th', { colspan: 3 }, 'in all'),
                make('td', { class: 'number' }, show(sum))));
        }
        box.replaceChildren(make('strong', {}, `Bond ${bond[0]}`), ` ${bond[1]} ⇀ ${bond[2]}`, table);
    }

    colour(powers, most, row) {
        for (const [number, group] of this.groups) {
            paint(group, powers.get(number)?.[row] || 0, most);
        }
    }
}
