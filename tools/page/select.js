// SPDX-License-Identifier: GPL-3.0-or-later
// Selecting one thing lights up all that belongs to it (index.js), wherever it stands on the page. What
// can light up is registered once under its key, so that selecting touches that and nothing else.

const selection = {
    elements: new Map(), // by key
    lit: [],
    keys: new Set(),
    key: null,
    followers: [],
    indexes: new Map(), // by run
    spent: 0, // [ms] of the last selection

    register(key, element) {
        if (!this.elements.has(key)) {
            this.elements.set(key, []);
        }
        this.elements.get(key).push(element);
    },

    // Calls back with (key) whenever something else is selected.
    follow(callback) {
        this.followers.push(callback);
    },

    index(run = player.run) {
        if (!this.indexes.has(run)) {
            const index = new Index(run);
            this.block(run)?.querySelectorAll('li').forEach((item) =>
                index.addEquation(Number(item.dataset.equation), item.textContent));
            this.indexes.set(run, index);
        }
        return this.indexes.get(run);
    },

    // The equations of a run: its own, or those of the first one.
    block(run) {
        return document.querySelector(`#equations .of-run[data-run="${run.index}"]`) ||
            document.querySelector('#equations .of-run');
    },

    // null: nothing
    select(key) {
        const began = performance.now();
        const keys = key === null ? [] : this.index().related(key);
        this.lit.forEach((element) => element.classList.remove('lit'));
        this.lit = keys.flatMap((one) => this.elements.get(one) || []);
        this.lit.forEach((element) => element.classList.add('lit'));
        this.keys = new Set(keys);
        this.key = key;
        document.body.classList.toggle('selecting', key !== null);
        this.followers.forEach((callback) => callback(key));
        this.spent = performance.now() - began;
    },

    // How a key is called, and how many things light up with it.
    say() {
        const kind = this.key.slice(0, this.key.indexOf(':')), name = this.key.slice(kind.length + 1);
        const count = (what) => [...this.keys].filter((key) => key.startsWith(what + ':') && key !== this.key &&
            this.elements.has(key)).length;
        const others = [['part', 'part'], ['bond', 'bond'], ['output', 'output'], ['equation', 'equation']].map(
            ([one, word]) => [count(one), word]).filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}${n > 1 ? 's' : ''}`);
        /* of its equations those that say what it is about: balances before integrals of flows */
        const isIntegral = (text) => /= [\w.]+\.f$/.test(text);
        const laws = [...this.keys].filter((key) => key.startsWith('equation:') && key !== this.key)
            .map((key) => this.elements.get(key)[0].textContent).filter((text) => /^(der\(|0 =)/.test(text))
            .sort((a, b) => isIntegral(a) - isIntegral(b)).slice(0, 2);
        return [kind === 'equation' ? this.elements.get(this.key)[0].textContent
            : kind === 'bond' ? this.sayBond(Number(name)) : name,
        (others.length > 0 ? 'with ' + others.join(', ') : '') + (laws.length > 0 ? `: ${laws.join('   |   ')}` : '')];
    },

    sayBond(number) {
        const [, tail, head] = player.run.byNumber.get(number);
        return `Bond ${number}: ${tail} ⇀ ${head}`;
    },

    // Rows that are about an output, and equations.
    begin() {
        document.querySelectorAll('.equations li').forEach((item, i) => {
            item.dataset.equation = i;
            item.tabIndex = 0;
            this.register('equation:' + i, item);
        });
        runs.forEach((run) => this.index(run));
        document.querySelectorAll('tr[data-output]').forEach((row) => {
            this.register('output:' + row.dataset.output, row);
            row.tabIndex = 0;
        });
        document.addEventListener('click', (event) => this.pick(event.target));
        document.addEventListener('keydown', (event) => {
            if (event.key === 'Escape' && this.key !== null) {
                event.preventDefault();
                this.select(null);
            } else if (event.key === 'Enter' && event.target.matches('tr[data-output], .equations li')) {
                this.pick(event.target);
            }
        });
        let last = null;
        player.follow(() => {
            if (player.run !== last) {
                last = player.run;
                const block = this.block(last);
                document.querySelectorAll('#equations .of-run').forEach((one) => { one.hidden = one !== block; });
                this.select(null);
            }
        });
    },

    pick(target) {
        const row = target.closest('tr[data-output]'), item = target.closest('.equations li');
        if (row) {
            if (row.dataset.time) {
                player.play(false);
                player.setTime(Number(row.dataset.time), true);
            }
            this.select('output:' + row.dataset.output);
        } else if (item) {
            this.select('equation:' + item.dataset.equation);
        }
    },
};
