// SPDX-License-Identifier: GPL-3.0-or-later
// The causality as it was assigned, one stroke after the other, on the graph without strokes. A stroke
// is a short line across the bond at the end that it belongs to.

class Trace {
    constructor(element, run) {
        this.run = run;
        this.canvas = new Canvas(element, 'Bond graph without strokes ' + run.name);
        this.groups = this.canvas.bonds();
        this.strokes = run.steps.map((step) => this.draw(step));
        this.at = run.steps.length;
    }

    // The end of a bond and the direction in which it leaves the middle.
    end(group, isHead) {
        const path = group.querySelector('path');
        const length = path.getTotalLength(), size = Math.min(4, length / 3);
        const tip = path.getPointAtLength(isHead ? length : 0);
        const inner = path.getPointAtLength(isHead ? length - size : size);
        const run = Math.hypot(tip.x - inner.x, tip.y - inner.y) || 1;
        const u = [(tip.x - inner.x) / run, (tip.y - inner.y) / run];
        const beyond = isHead ? 8 : 1.5; /* the half arrow lies behind the line's end */
        return { x: tip.x + u[0] * beyond, y: tip.y + u[1] * beyond, u };
    }

    draw([number, , end]) {
        const group = this.groups.get(number);
        if (!group || !group.querySelector('path') || end === '-') {
            return null;
        }
        const { x, y, u } = this.end(group, end === 'head');
        const line = svg('line', { class: 'stroke', x1: x - 7 * u[1], y1: y + 7 * u[0],
            x2: x + 7 * u[1], y2: y - 7 * u[0] });
        group.append(line);
        return line;
    }

    say(i) {
        const [, component, end, tail, head, decided, reason] = this.run.steps[i];
        const at = end === 'head' ? head : tail;
        return `${i + 1}. Bond ${this.run.steps[i][0]}${component ? ' ' + component : ''}, ` +
            `${tail} ⇀ ${head}: stroke at ${at}. ${decided}: ${reason}.`;
    }

    show(step) {
        this.at = Math.max(0, Math.min(this.run.steps.length, step));
        this.strokes.forEach((line, i) => {
            if (line) {
                line.style.display = i < this.at ? '' : 'none';
                line.classList.toggle('now', i === this.at - 1);
            }
        });
        for (const group of this.groups.values()) {
            group.classList.remove('now');
        }
        if (this.at > 0) {
            const group = this.groups.get(this.run.steps[this.at - 1][0]);
            if (group) {
                group.classList.add('now');
            }
        }
    }
}

const trace = {
    fill() {
        const run = this.current.run;
        $('step').max = run.steps.length;
        $('steps').replaceChildren(...run.steps.map((step, i) => {
            const item = make('li', {}, this.current.say(i).replace(/^\d+\. /, ''));
            item.addEventListener('click', () => this.show(i + 1));
            return item;
        }));
        this.show(this.current.at);
    },

    show(step) {
        const current = this.current, n = current.run.steps.length;
        current.show(step);
        $('step').value = current.at;
        $('count').value = `${current.at} of ${n}`;
        $('said').textContent = current.at === 0 ? 'No stroke is set yet.' : current.say(current.at - 1);
        [...$('steps').children].forEach((item, i) => {
            item.classList.toggle('ahead', i >= current.at);
            if (i === current.at - 1) {
                item.setAttribute('aria-current', 'step');
                $('steps').scrollTop = item.offsetTop - $('steps').offsetTop - 80;
            } else {
                item.removeAttribute('aria-current');
            }
        });
    },

    begin() {
        const elements = [...document.querySelectorAll('#trace .canvas')];
        if (elements.length === 0) {
            return;
        }
        $('trace').hidden = false; /* lengths of paths are known once they are shown */
        const traces = elements.map((element) => new Trace(element, runs[Number(element.dataset.run)]));
        const lead = () => {
            const found = traces.find((candidate) => candidate.run === player.run) || traces[0];
            for (const candidate of traces) {
                candidate.canvas.element.hidden = candidate !== found;
            }
            if (found !== this.current) {
                this.current = found;
                this.fill();
            }
        };
        player.follow(lead);
        lead();
        $('step').addEventListener('input', () => this.show(Number($('step').value)));
        for (const [id, act] of [['first', () => 0], ['previous', () => this.current.at - 1],
            ['next', () => this.current.at + 1], ['last', () => this.current.run.steps.length]]) {
            $(id).addEventListener('click', () => this.show(act()));
        }
    },
};
