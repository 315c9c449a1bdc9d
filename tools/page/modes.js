// SPDX-License-Identifier: GPL-3.0-or-later
// Modes of vibration (tools/page/page_modes.c): one at a time is shown, its energy on the bond graph and
// the mechanism swinging in it. Nothing moves before somebody presses Play.

const modes = {
    chosen: 0,
    isPlaying: false,
    cycle: 2000, // [ms]

    // What a mechanism is drawn from: as a run, whose series are those of one mode.
    runOf(k) {
        const series = data.modes.motions[k].map((packed) => decodeSeries(packed, data.modes.rows));
        const bodies = Array.from({ length: series.length / 3 }, (_, i) => ['', 3 * i, 3 * i + 1, 3 * i + 2]);
        return { bodies, points: data.modes.points, joints: [], values: (i) => series[i] };
    },

    choose(k) {
        this.chosen = k;
        for (const element of document.querySelectorAll('#modes [data-mode]')) {
            const isChosen = Number(element.dataset.mode) === k;
            if (element.classList.contains('legend')) {
                element.hidden = !isChosen;
            } else {
                element.toggleAttribute('aria-current', isChosen);
            }
        }
        const row = document.querySelector(`#mode-table [data-mode="${k}"]`);
        $('mode-said').value = `Mode ${k + 1}: ${row.children[1].textContent} Hz, damping ${row.children[2].textContent}`;
        if (this.root) {
            this.mechanism = new Mechanism(this.runOf(k), this.root, data.modes.scale);
            this.show(Math.floor(data.modes.rows / 8));
        }
        this.colour(data.modes.bonds[k]);
    },

    // Width and colour by share; what has no energy is faint.
    colour(bonds) {
        const parts = new Map(bonds.map(([number, colour, width]) => [number, { colour, width }]));
        for (const [number, group] of this.groups || []) {
            const part = parts.get(number);
            group.style.opacity = part ? 1 : 0.35;
            for (const path of group.querySelectorAll('path, polyline')) {
                path.style.stroke = part ? part.colour : '';
                path.style.strokeWidth = part ? part.width : '';
            }
        }
    },

    show(picture) {
        this.mechanism.moveTo(picture);
    },

    play(isOn) {
        this.isPlaying = isOn;
        $('swing').textContent = isOn ? 'Pause' : 'Play';
        $('swing').setAttribute('aria-pressed', isOn);
        if (isOn) {
            const began = performance.now();
            const frame = (now) => {
                if (this.isPlaying) {
                    const part = ((now - began) / this.cycle) % 1;
                    this.show(Math.floor(Math.max(0, part) * data.modes.rows));
                    requestAnimationFrame(frame);
                }
            };
            requestAnimationFrame(frame);
        }
    },

    begin() {
        if (!data.modes || data.modes.motions.length === 0) {
            return;
        }
        const canvas = document.querySelector('#modes .canvas');
        document.querySelector('#modes .bar').hidden = false;
        if (canvas) {
            const picture = new Canvas(canvas, 'Energy on the bond graph');
            const tools = make('span');
            picture.addTools(tools);
            document.querySelector('#modes .tools').append(tools);
            this.groups = picture.bonds();
        }
        this.root = document.querySelector('#modes .swing');
        $('swing').hidden = !this.root;
        $('swing').addEventListener('click', () => this.play(!this.isPlaying));
        for (const row of document.querySelectorAll('#mode-table [data-mode]')) {
            row.tabIndex = 0;
            row.addEventListener('click', () => this.choose(Number(row.dataset.mode)));
            row.addEventListener('keydown', (event) => {
                if (event.key === 'Enter') {
                    this.choose(Number(row.dataset.mode));
                }
            });
        }
        this.choose(data.modes.first);
    },
};
