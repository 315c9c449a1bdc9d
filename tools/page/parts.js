// SPDX-License-Identifier: GPL-3.0-or-later
// The word bond graph: a box for each part, which can be selected and opened, and the power between them.

class Parts {
    constructor(element, run) {
        this.run = run;
        this.canvas = new Canvas(element, 'Parts of ' + (run.name || 'the bond graph'));
        this.nodes = new Map();
        for (const node of element.querySelectorAll('.node')) {
            this.prepare(node);
        }
        this.bonds = this.bondsBetween();
        this.edges = [...element.querySelectorAll('.edge')].map((edge) => this.join(edge));
        this.canvas.onPick((target, isTwice) => this.pick(target, isTwice));
        element.addEventListener('keydown', (event) => this.key(event));
    }

    prepare(node) {
        const name = node.querySelector('title').textContent;
        const { bonds } = selection.index(this.run).parts.get(name) || { bonds: [] };
        node.querySelector('title').textContent = '';
        this.nodes.set(name, node);
        node.dataset.part = name;
        node.setAttribute('tabindex', 0);
        node.setAttribute('role', 'button');
        node.setAttribute('aria-label', `${name}, ${bonds.length} bonds`);
        selection.register('part:' + name, node);
    }

    // By the names of two parts, with what an edge has between them: the bonds from one to the other.
    bondsBetween() {
        const index = selection.index(this.run), found = new Map();
        for (const [number, tail, head] of this.run.bonds) {
            const ends = `${index.wordOf(tail)}->${index.wordOf(head)}`;
            found.set(ends, [...(found.get(ends) || []), number]);
        }
        return found;
    }

    // The bonds that an edge stands for: all between the two parts.
    join(edge) {
        const ends = edge.querySelector('title').textContent, bonds = this.bonds.get(ends) || [];
        const [tail, head] = ends.split('->');
        edge.querySelector('title').textContent = `${tail} ⇀ ${head}: ` +
            `bond${bonds.length > 1 ? 's' : ''} ${bonds.join(', ')}`;
        for (const path of [...edge.querySelectorAll('path')]) {
            edge.append(svg('path', { class: 'hit', d: path.getAttribute('d') }));
        }
        bonds.forEach((bond) => selection.register('bond:' + bond, edge));
        return { edge, bonds };
    }

    pick(target, isTwice) {
        const node = target.closest('.node');
        const edge = this.edges.find((one) => one.edge === target.closest('.edge'));
        if (node && isTwice) {
            graph.toggle(node.dataset.part);
        } else if (node) {
            selection.select('part:' + node.dataset.part);
        } else if (edge && edge.bonds.length > 0) {
            selection.select('bond:' + edge.bonds[0]);
        } else {
            selection.select(null);
        }
    }

    // Enter selects, and once more opens.
    key(event) {
        const node = event.target.closest('.node');
        if (node && event.key === 'Enter') {
            event.preventDefault();
            if (selection.key === 'part:' + node.dataset.part) {
                graph.toggle(node.dataset.part);
            } else {
                selection.select('part:' + node.dataset.part);
            }
        }
    }

    // The bonds of a part, where there is no picture of them; of the same part again, none.
    list(part) {
        this.listed = this.listed === part ? null : part;
        this.tell();
    }

    tell() {
        const box = $('bond'), part = this.listed && selection.index(this.run).parts.get(this.listed);
        box.hidden = !part;
        if (!part) {
            return;
        }
        const row = this.run.rowAt(player.time), powers = this.run.hasRows ? this.run.powers() : new Map();
        const table = make('table', {}, make('tr', {}, ...['bond', '', 'power [W]'].map((text) => make('th', {}, text))));
        for (const number of part.bonds) {
            const [, tail, head] = this.run.byNumber.get(number);
            table.append(make('tr', {}, make('th', {}, `${number}`), make('td', {}, `${tail} ⇀ ${head}`),
                make('td', { class: 'number' }, show(powers.get(number)?.[row]))));
        }
        box.replaceChildren(make('strong', {}, this.listed), table);
    }

    // Width and colour by the power of the bonds together.
    colour(powers, most, row) {
        for (const { edge, bonds } of this.edges) {
            const power = bonds.reduce((sum, bond) => sum + (powers.get(bond)?.[row] || 0), 0);
            paint(edge, power, most);
        }
    }
}

// Width by the root of the size, so that a hundredth of the largest power is still seen.
function paint(group, power, most) {
    const part = most > 0 ? Math.sqrt(Math.abs(power) / most) : 0, isSeen = part > 0.01;
    for (const path of group.querySelectorAll('path:not(.hit)')) {
        path.style.strokeWidth = isSeen ? 1 + 5 * Math.min(1, part) : '';
        path.style.stroke = isSeen ? (power > 0 ? '#2563eb' : '#d97706') : '';
    }
}
