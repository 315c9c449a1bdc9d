// SPDX-License-Identifier: GPL-3.0-or-later
// On paper: all that is folded is open, the bond graph is there with all its bonds below that in words,
// plots are as wide as the page and in its colours.

const paper = {
    WIDTH: 660, // [px] of a plot
    folded: [],

    // The plots again, of a width, in the colours of now.
    draw(width) {
        plots.width = width;
        drawnPanels.forEach((panel) => {
            panel.width = width;
            panel.draw();
        });
        if (plots.charts.length > 0) {
            plots.draw();
        }
    },

    // All bonds of the run that leads, beside its words.
    showBonds(isOn) {
        const view = graph.views.length > 0 ? graph.view() : null;
        if (view && view.bonds && isOn) {
            this.boxes = [view.words, view.bonds].filter(Boolean).map(({ canvas }) => [canvas, canvas.box]);
            this.boxes.forEach(([canvas]) => {
                canvas.element.hidden = false;
                canvas.set(canvas.bare);
            });
            view.bonds.open(null);
        } else if (view && view.bonds) {
            this.boxes.forEach(([canvas, box]) => canvas.set(box));
            graph.show(graph.level, graph.opened);
        }
    },

    isOn: false,

    before() {
        if (this.isOn) {
            return;
        }
        this.isOn = true;
        document.documentElement.classList.add('paper');
        this.folded = [...document.querySelectorAll('details:not([open])')].filter((one) =>
            !one.closest('.bar, header'));
        this.folded.forEach((one) => { one.open = true; });
        openPanels();
        this.showBonds(true);
        this.draw(this.WIDTH);
    },

    after() {
        if (!this.isOn) {
            return;
        }
        this.isOn = false;
        document.documentElement.classList.remove('paper');
        this.folded.forEach((one) => { one.open = false; });
        this.showBonds(false);
        this.draw(null);
    },

    begin() {
        addEventListener('beforeprint', () => this.before());
        addEventListener('afterprint', () => this.after());
    },
};
