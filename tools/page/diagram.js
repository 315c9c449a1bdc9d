// SPDX-License-Identifier: GPL-3.0-or-later
// The bond graph: the numbers of the bond that is pointed at, and the power through every bond.

class Diagram {
    constructor(element, run) {
        this.run = run;
        this.canvas = new Canvas(element, 'Bond graph ' + run.name);
        this.groups = this.canvas.bonds();
        this.tools = make('span');
        this.canvas.addTools(this.tools);
        for (const [number, group] of this.groups) {
            this.prepare(number, group);
        }
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
        const title = group.querySelector('title');
        if (title) {
            title.remove();
        }
        if (!bond) {
            return;
        }
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

    // n and p go from bond to bond.
    key(event) {
        const by = { n: 1, p: -1 }[event.key];
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

    // The power of each bond as a series, and the largest of all.
    powers() {
        if (this.power === undefined) {
            this.power = new Map();
            this.most = 0;
            for (const bond of this.run.bonds) {
                const sum = new Float64Array(this.run.times.length);
                for (const [, effort, flow] of bond.slice(3)) {
                    const e = this.run.values(effort), f = this.run.values(flow);
                    for (let i = 0; e && f && i < sum.length; i++) {
                        sum[i] += e[i] * f[i];
                    }
                }
                for (const x of sum) {
                    this.most = Math.abs(x) > this.most ? Math.abs(x) : this.most;
                }
                this.power.set(bond[0], sum);
            }
        }
        return this.power;
    }

    // Width by the root of the size, so that a hundredth of the largest power is still seen.
    colour() {
        const isOn = $('power').checked && this.run.hasRows;
        const row = this.run.rowAt(player.time);
        const powers = isOn ? this.powers() : null;
        for (const [number, group] of this.groups) {
            const power = isOn && powers.has(number) ? powers.get(number)[row] : 0;
            const part = isOn && this.most > 0 ? Math.sqrt(Math.abs(power) / this.most) : 0;
            const isSeen = part > 0.01;
            for (const path of group.querySelectorAll('path:not(.hit)')) {
                path.style.strokeWidth = isSeen ? 1 + 5 * part : '';
                path.style.stroke = isSeen ? (power > 0 ? '#2563eb' : '#d97706') : '';
            }
        }
    }

    move() {
        if (this.canvas.element.hidden) {
            return;
        }
        this.colour();
        this.tell();
    }
}

function beginDiagrams() {
    const elements = [...document.querySelectorAll('#graph .canvas')];
    const diagrams = elements.map((element) => new Diagram(element, runs[Number(element.dataset.run)]));
    if (diagrams.length === 0) {
        $('graph').hidden = true;
        $('mechanism').classList.add('alone');
        return;
    }
    document.querySelector('#graph .bar').hidden = false;
    document.querySelector('#graph .hint').hidden = false;
    const move = () => {
        for (const diagram of diagrams) {
            diagram.canvas.element.hidden = diagram.run !== player.run;
            if (!diagram.canvas.element.hidden) {
                document.querySelector('#graph .tools').replaceChildren(diagram.tools);
            }
            diagram.move();
        }
    };
    $('power').addEventListener('change', move);
    player.follow(move);
    move();
}
