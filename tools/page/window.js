// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the time that plots and loads show: the last cycle, where the run has one, or all of it.

const span = {
    isCycle: false,
    followers: [],

    // Calls back whenever another part is shown.
    follow(callback) {
        this.followers.push(callback);
    },

    // [from, to] of a run.
    of(run) {
        return this.isCycle && run.window ? run.window.slice(0, 2) : [run.times[0], run.times[run.times.length - 1]];
    },

    // The first row of a run in it, and the one after the last.
    rows(run) {
        const [from, to] = this.of(run);
        const last = run.rowAt(to);
        return [run.times[run.rowAt(from)] < from ? run.rowAt(from) + 1 : run.rowAt(from), last + 1];
    },

    show(isCycle) {
        this.isCycle = isCycle;
        document.querySelectorAll('[data-window]').forEach((table) => {
            const run = runs[Number(table.dataset.run)];
            table.hidden = run !== player.run || (table.dataset.window === 'cycle') !== (isCycle && Boolean(run.window));
        });
        this.followers.forEach((callback) => callback());
        const [from, to] = this.of(player.run);
        if (player.time < from || player.time > to) {
            player.setTime(from, true); // one that the plots show
        }
    },

    begin() {
        const choice = $('window').querySelector('select');
        const has = runs.some((run) => run.window);
        $('window').hidden = !has;
        choice.value = has ? 'cycle' : 'all';
        choice.addEventListener('change', () => this.show(choice.value === 'cycle'));
        let last = null;
        player.follow(() => {
            if (player.run !== last) {
                last = player.run;
                $('window').title = player.run.window ? player.run.window[2] : '';
                this.show(this.isCycle);
            }
        });
        this.show(has);
    },
};
