// SPDX-License-Identifier: GPL-3.0-or-later
// The causality as it was assigned, one decision after the other: a source, a storage that prefers an
// integral, a transformer that cannot be divided by; with it all strokes that follow. A step that
// follows belongs to the last decision that had set a stroke at its element; where none had, its junction
// has no other bond. Decisions about components of one element, one behind the other, are one.

function groupSteps(run) {
    const index = selection.index(run), decisions = [], touched = new Map();
    const owner = (name) => index.about(name).element || name;
    run.steps.forEach((step) => {
        const [, , , tail, head, decided, reason, follows] = step;
        const isAlone = follows && !touched.has(decided);
        const [who, why] = isAlone ? ['Junctions with one bond', 'nothing else can decide what they do']
            : [owner(decided), reason];
        let at = decisions.length - 1;
        if (follows && !isAlone) {
            at = touched.get(decided);
        } else if (at < 0 || decisions[at].owner !== who || decisions[at].reason !== why) {
            decisions.push({ owner: who, reason: why, own: [], then: [] });
            at++;
        }
        decisions[at][follows && !isAlone ? 'then' : 'own'].push(step);
        for (const end of [tail, head]) {
            touched.set(end, Math.max(at, touched.get(end) ?? 0));
        }
    });
    return decisions;
}

class Decisions {
    constructor(run, diagram) {
        this.run = run;
        this.diagram = diagram;
        this.list = groupSteps(run);
        this.first = new Map(); // by bond and end: the decision that sets the stroke there
        this.list.forEach((decision, i) => {
            for (const [number, , end] of [...decision.own, ...decision.then]) {
                if (number > 0 && !this.first.has(number + end)) {
                    this.first.set(number + end, i);
                }
            }
        });
    }

    bonds(steps) {
        return [...new Set(steps.map((step) => step[0]).filter((number) => number > 0))];
    }

    // [what is decided and why, where the strokes are]
    say(i) {
        const { owner, reason, own, then } = this.list[i];
        const places = new Map(); // by bond: components
        own.filter((step) => step[0] > 0).forEach((step) => {
            const place = `${step[0]} at ${this.run.byNumber.get(step[0])[step[2] === 'head' ? 2 : 1]}`;
            places.set(place, [...(places.get(place) || []), step[1]].filter(Boolean));
        });
        const strokes = [...places].map(([place, components]) =>
            `bond ${place}${components.length > 0 ? ` (${components.join(', ')})` : ''}`);
        const others = this.bonds(then);
        return [reason.startsWith('has ') ? `${owner} ${reason}` : `${owner}: ${reason}`,
            [strokes.length > 0 ? `Stroke of ${strokes.join(', ')}.` : 'Inside of it.',
                others.length > 0 ? `From it follow the strokes of bond${others.length > 1 ? 's' : ''} ${others.join(', ')}.`
                    : 'Nothing else follows.'].join(' ')];
    }

    // The strokes after `n` decisions; null: all, without marks.
    draw(n) {
        if (!this.diagram) {
            return;
        }
        for (const [number, ends] of this.diagram.strokes) {
            for (const [end, elements] of Object.entries(ends)) {
                const isAhead = n !== null && !((this.first.get(number + end) ?? -1) < n);
                elements.forEach((element) => element.classList.toggle('ahead', isAhead));
            }
        }
        const last = n > 0 ? this.list[n - 1] : { own: [], then: [] };
        for (const [name, steps] of [['decided', last.own], ['follows', last.then]]) {
            const bonds = new Set(this.bonds(steps));
            for (const [number, group] of this.diagram.groups) {
                group.classList.toggle(name, bonds.has(number));
            }
        }
    }

    // The boxes of the bonds of a decision, those that it is about first.
    boxes(n) {
        const { owner, own, then } = this.list[n - 1];
        const found = this.bonds([...own, ...then]).map((number) => this.diagram.groups.get(number)).filter(Boolean);
        const node = [...this.diagram.canvas.svg.querySelectorAll('.node')].find((one) =>
            one.querySelector('title').textContent === owner);
        return [...(node ? [node] : []), ...found].map((element) => element.getBBox());
    }
}

const decisions = {
    at: null,

    show(n) {
        const { current } = this, count = current.list.length;
        this.at = n === null ? null : Math.max(0, Math.min(count, n));
        if (this.at !== null && selection.key !== null) {
            selection.select(null);
        }
        document.body.classList.toggle('stepping', this.at !== null);
        current.draw(this.at);
        if (this.at !== null && current.diagram) {
            graph.show('bonds', null);
            if (this.at > 0 && current.boxes(this.at).length > 0) {
                graph.frame(current.boxes(this.at), undefined, 50);
            } else {
                graph.canvas().reset();
            }
        }
        [...$('steps').children].forEach((item, i) => {
            item.toggleAttribute('aria-current', i === this.at - 1);
        });
        this.tell();
    },

    // What is decided, or selected.
    tell() {
        const n = this.current ? this.current.list.length : 0, word = n === 1 ? 'decision' : 'decisions';
        $('count').value = this.at === null ? `${n} ${word}` : `${this.at} of ${n}`;
        const said = this.at > 0 ? this.current.say(this.at - 1) : this.at === 0
            ? ['No stroke is set yet.', `→ sets the first ones of ${n} ${word}.`]
            : selection.key !== null ? selection.say()
                : [$('stage').dataset.said, n > 0 ? `→ goes through the causality, which took ${n} ${word}.` : ''];
        [$('said').textContent, $('more').textContent] = said;
        $('trace').classList.toggle('idle', this.at === null && selection.key === null);
        $('trace').scrollTop = 0;
    },

    fill() {
        $('steps').replaceChildren(...this.current.list.map((decision, i) => {
            const [said, more] = this.current.say(i), item = make('li', { tabindex: 0 }, make('strong', {}, said + '.'), ' ' + more);
            item.addEventListener('click', () => this.show(i + 1));
            item.addEventListener('keydown', (event) => event.key === 'Enter' && this.show(i + 1));
            return item;
        }));
    },

    key(event) {
        const isTaken = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ||
            /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
        const act = { ArrowRight: () => (this.at ?? 0) + 1, ArrowLeft: () => (this.at ?? this.current.list.length + 1) - 1,
            Home: () => 0, End: () => this.current.list.length, Escape: () => null }[event.key];
        if (act && !isTaken && !(event.key === 'Escape' && this.at === null)) {
            event.preventDefault();
            this.show(act());
        }
    },

    begin() {
        this.all = runs.map((run) => new Decisions(run, graph.views.find((view) => view.run === run)?.bonds))
            .filter(({ list }) => list.length > 0);
        selection.follow((key) => {
            if (key !== null && this.at !== null) { /* one thing at a time */
                this.at = null;
                this.current.draw(null);
                document.body.classList.remove('stepping');
            }
            this.tell();
        });
        if (this.all.length === 0) {
            this.tell();
            return;
        }
        $('decisions').hidden = false;
        document.querySelector('#trace .steps').hidden = false;
        const lead = () => {
            const found = this.all.find((one) => one.run === player.run) || this.all[0];
            if (found !== this.current) {
                this.current = found;
                this.fill();
                if (this.at !== null) {
                    this.show(null);
                }
                this.tell();
            }
        };
        player.follow(lead);
        lead();
        for (const [id, act] of [['first', () => 0], ['previous', () => (this.at ?? this.current.list.length + 1) - 1],
            ['next', () => (this.at ?? 0) + 1], ['last', () => this.current.list.length]]) {
            $(id).addEventListener('click', () => this.show(act()));
        }
        document.addEventListener('keydown', (event) => this.key(event));
    },
};
