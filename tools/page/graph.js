// SPDX-License-Identifier: GPL-3.0-or-later
// The bond graph on the stage: in words first, as far as it has parts; a double click opens a part to its
// bonds, with its neighbours covered around it.

const graph = {
    opened: new Set(), // null: all
    level: 'words',
    views: [],
    LETTERS: 12, // [pt] the smallest letters of the pictures

    view() {
        return this.views.find(({ run }) => run === player.run) || this.views[0];
    },

    // Which picture is seen: words, or bonds with some parts open.
    show(level, opened = this.opened) {
        const { words, bonds } = this.view();
        this.level = !bonds ? 'words' : !words ? 'bonds' : level;
        this.opened = opened;
        for (const view of this.views) {
            for (const [name, picture] of [['words', view.words], ['bonds', view.bonds]]) {
                if (picture) {
                    const { element } = picture.canvas, wasHidden = element.hidden;
                    element.hidden = view !== this.view() || name !== this.level;
                    if (wasHidden && !element.hidden) {
                        picture.canvas.open();
                    }
                }
            }
        }
        this.view().bonds?.open(this.opened);
        const canvas = this.canvas();
        document.querySelector('#graph .tools').replaceChildren(canvas.tools);
        $('to-words').setAttribute('aria-pressed', this.level === 'words');
        $('to-bonds').setAttribute('aria-pressed', this.level === 'bonds' && this.opened === null);
        this.colour();
    },

    canvas() {
        return this.view()[this.level].canvas;
    },

    // Opens a part, or closes it; without an open one there are words again.
    toggle(part) {
        const { bonds } = this.view(), isOpen = this.level === 'bonds' && (this.opened === null || this.opened.has(part));
        if (!bonds) {
            this.view().words.list(part);
        }
        if (!bonds || !bonds.hulls.has(part)) {
            return;
        }
        const opened = new Set(this.level === 'words' ? [] : this.opened === null ? bonds.hulls.keys() : this.opened);
        if (isOpen) {
            opened.delete(part);
        } else {
            opened.add(part);
        }
        this.show(opened.size > 0 ? 'bonds' : 'words', opened);
        if (opened.size > 0) {
            this.frame([...opened].map((name) => bonds.hulls.get(name).box), bonds.hulls.get(part)?.box);
        }
        this.canvas().element.focus({ preventScroll: true }); /* who came by keys goes on from there */
    },

    // Back to words, when nothing else is to be ended.
    key(event) {
        if (event.key === 'Escape' && !event.defaultPrevented && this.level === 'bonds' && this.view().words) {
            this.show('words', new Set());
        }
    },

    // Shows boxes of the picture, with room around them; the letters can be read.
    frame(boxes, first = boxes[0], room = 70) {
        const canvas = this.canvas(), place = this.place(canvas);
        const left = Math.min(...boxes.map((box) => box.x)), top = Math.min(...boxes.map((box) => box.y));
        const right = Math.max(...boxes.map((box) => box.x + box.width));
        const bottom = Math.max(...boxes.map((box) => box.y + box.height));
        canvas.frameBox({ x: left + place.x - room, y: top + place.y - room, width: right - left + 2 * room,
            height: bottom - top + 2 * room }, this.LETTERS,
        [first.x + first.width / 2 + place.x, first.y + first.height / 2 + place.y]);
    },

    // Where the origin of Graphviz's group is in the picture.
    place(canvas) {
        const matrix = canvas.svg.querySelector('g.graph').transform.baseVal.consolidate()?.matrix;
        return { x: matrix?.e || 0, y: matrix?.f || 0 };
    },

    colour() {
        const { run, words, bonds } = this.view(), row = run.rowAt(player.time);
        const powers = $('power').checked && run.hasRows ? run.powers() : new Map();
        if (this.level === 'words') {
            words.colour(powers, run.most, row);
        } else {
            bonds.colour(powers, run.most, row);
        }
        (bonds || words).tell();
    },

    begin() {
        const find = (level, run) => document.querySelector(`#graph .canvas.${level}[data-run="${run.index}"]`);
        this.views = runs.map((run) => ({ run, words: find('words', run), bonds: find('bonds', run) }))
            .filter(({ words, bonds }) => words || bonds);
        if (this.views.length === 0) {
            $('graph').hidden = true;
            $('mechanism').classList.add('alone');
            return;
        }
        document.querySelector('#graph .controls').hidden = false;
        for (const view of this.views) {
            /* as they came: a live page puts pictures of one run in the place of another's */
            view.source = data.live ? [view.words, view.bonds].map((one) => one?.outerHTML || '').join('') : null;
            view.words = view.words && new Parts(view.words, view.run);
            view.bonds = view.bonds && new Diagram(view.bonds, view.run);
            for (const picture of [view.words, view.bonds].filter(Boolean)) {
                picture.canvas.tools = make('span');
                picture.canvas.addTools(picture.canvas.tools);
            }
        }
        $('levels').hidden = !this.views.some(({ words, bonds }) => words && bonds);
        $('to-words').addEventListener('click', () => this.show('words', new Set()));
        $('to-bonds').addEventListener('click', () => {
            this.show('bonds', null);
            this.canvas().open();
        });
        $('power').addEventListener('change', () => this.colour());
        let last = null;
        player.follow(() => {
            if (player.run !== last) {
                last = player.run;
                this.show(this.level, this.opened);
            } else {
                this.colour();
            }
        });
        this.show('words');
        new ResizeObserver(() => this.canvas().resize()).observe(document.querySelector('#graph .stage'));
    },
};
