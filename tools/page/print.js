// SPDX-License-Identifier: GPL-3.0-or-later
// On paper: all that is folded is open, plots are as wide as the page and in its colours.

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

    before() {
        document.documentElement.classList.add('paper');
        this.folded = [...document.querySelectorAll('details:not([open])')].filter((one) =>
            !one.closest('.bar, header'));
        this.folded.forEach((one) => { one.open = true; });
        openPanels();
        this.draw(this.WIDTH);
    },

    after() {
        document.documentElement.classList.remove('paper');
        this.folded.forEach((one) => { one.open = false; });
        this.draw(null);
    },

    begin() {
        addEventListener('beforeprint', () => this.before());
        addEventListener('afterprint', () => this.after());
    },
};
