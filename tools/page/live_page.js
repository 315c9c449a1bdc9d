// SPDX-License-Identifier: GPL-3.0-or-later
// The live page: values that change are run, and what comes of it is drawn. One run at a time; while one is
// drawn the next is under way, and values in between are passed over.

const pilot = {
    FRAME: 40, // [ms] a run may take to follow the slider; others follow when it is released
    WARM: 4, // runs at least that warm the engine up
    LONGER: 3000, // [ms] in which further runs are begun while they are slow
    LONG: 0.3, // [s] of a run that is not made to warm up
    recent: [0], // [ms] of the last runs that went to their end
    BONDS: 4, // pictures
    QUIET: 120, // [ms] after which nothing moves
    count: 0,
    isCold: true, // there was no run yet
    isBare: false, // the last run was without the bonds, or without extremes
    isBusy: false,
    isStale: false,
    times: [], // [ms] from a value to its picture, of the last changes

    get isSlow() {
        return Math.min(...this.recent) > this.FRAME;
    },

    get spent() {
        return this.recent[this.recent.length - 1];
    },

    // A slow run among fast ones is the browser's own, and so is the first one, which it compiles the engine for.
    note(ms) {
        if (ms !== undefined && !this.isCold) {
            this.recent = [...this.recent.filter((one) => one > 0), ms].slice(-3);
        }
        this.isCold = this.isCold && ms === undefined;
    },

    // Runs the model as it stands, until the browser has compiled the engine; says what a run takes.
    async warmUp() {
        const seconds = live.runs[player.run.index].seconds || 0;
        if (seconds > this.LONG) {
            this.recent = [1500 * seconds]; /* as the program took, and half of it more */
        }
        const end = performance.now() + this.LONGER, isMore = (i) => i < this.WARM || (this.isSlow && performance.now() < end);
        for (let i = 0; isMore(i) && state.changes.size === 0 && seconds <= this.LONG; i++) {
            this.note((await engine.ask(state.request(player.run.index))).ms);
        }
        if (state.changes.size === 0) {
            controls.say(this.isSlow ? `ready; a run takes ${show(this.spent / 1000, 2)} s, when a slider is released`
                : `ready: a run takes ${Math.max(1, Math.round(this.spent))} ms`);
        }
    },

    change(how) {
        this.since = performance.now();
        this.how = how;
        if (how === 'input' && this.isSlow) {
            controls.say(`a run takes ${show(this.spent / 1000, 2)} s: release to run`, 'slow');
            return;
        }
        this.isStale = true;
        engine.giveUp();
        this.wake();
        this.go();
    },

    async go() {
        if (this.isBusy) {
            return;
        }
        this.isBusy = true;
        while (this.isStale) {
            await this.round();
        }
        this.isBusy = false;
    },

    // The power of the bonds and extremes cost as much as the rest: while a slider moves they are in every fourth
    // picture, where it shows them.
    ask(run, isMoving = false) {
        this.isStale = false;
        const isTurn = !isMoving || this.count++ % this.BONDS === 0;
        const bonds = isTurn && (!isMoving || $('power').checked), peaks = isTurn && (!isMoving || liveDraw.showsPeaks);
        this.isBare = !bonds || !peaks;
        const asked = { run, since: this.since, ideal: state.ideal(run.index) };
        if (this.isSlow) {
            controls.say('running …', 'slow');
        }
        return engine.ask(state.request(run.index, { bonds, peaks })).then((reply) => ({ ...asked, reply }));
    },

    // The run that leads, as long as values change; then the others.
    async round() {
        let next = this.ask(player.run, this.how === 'input');
        while (next) {
            const done = await next;
            next = this.isStale && !this.isSlow ? this.ask(player.run, this.how === 'input') : null;
            this.show(done);
        }
        if (this.isBare && !this.isStale && await this.isQuiet()) {
            this.show(await this.ask(player.run));
        }
        for (const run of runs.slice(0, live.runs.length).filter((one) => one !== player.run)) {
            const { reply, ideal } = this.isStale ? {} : await this.askOther(run);
            if (reply?.ok && !this.isStale) {
                liveDraw.take(run, reply, ideal);
                liveDraw.hasOthers = true;
                liveDraw.draw();
            }
        }
    },

    // Whether nothing changes for a moment: a promise that a change keeps at once.
    isQuiet() {
        return new Promise((done) => {
            const timer = setTimeout(done, this.QUIET, true);
            this.wake = () => {
                clearTimeout(timer);
                done(false);
            };
        });
    },

    wake() { /* nobody waits */
    },

    async askOther(run) {
        const reply = await engine.ask(state.request(run.index));
        return { reply, ideal: state.ideal(run.index) };
    },

    show({ run, reply, since, ideal }) {
        if (reply.status === 'left' && this.isStale) {
            return;
        }
        document.body.classList.toggle('live-failed', !reply.ok);
        if (!reply.ok) {
            const [first] = reply.message.split('\n').filter((line) => /error/.test(line)).concat(reply.message);
            controls.say(first.replace(/^.*?error: /, ''), 'failed');
            return;
        }
        this.note(reply.ms);
        const isKnown = liveDraw.take(run, reply, ideal);
        liveDraw.draw();
        this.times.push(performance.now() - since);
        this.times.splice(0, this.times.length - 1000);
        const form = isKnown ? '' : '; the bond graph of these joints together is not in the page';
        controls.say(`${state.changes.size === 0 ? 'as in the file' : 'live'}: ${reply.driver}, ${reply.steps} steps, ` +
            `${Math.max(1, Math.round(reply.ms))} ms${form}`);
    },
};

// A: what was shown when it was kept, a ghost behind what is shown.
const snapshot = {
    changes: null,

    drop() {
        const at = runs.findIndex((run) => run.isKept);
        if (at >= 0) {
            const [gone] = runs.splice(at, 1), k = mechanisms.findIndex((one) => one.run === gone);
            if (k >= 0) {
                mechanisms[k].root.remove();
                mechanisms.splice(k, 1);
                liveDraw.forget();
            }
        }
    },

    take() {
        this.drop();
        const { run } = player, kept = Object.create(Run.prototype);
        Object.assign(kept, run, { isKept: true, name: 'A', title: 'A', index: runs.length, power: undefined,
            joints: structuredClone(run.joints), bodies: structuredClone(run.bodies), bonds: [] });
        kept.decoded = kept.series.map((one, i) => run.values(i));
        this.changes = [...state.changes];
        runs.push(kept);
        const one = mechanisms.find((candidate) => candidate.run === run);
        if (one) {
            const copy = one.root.cloneNode(true);
            copy.setAttribute('class', `run run-${kept.index} behind`);
            one.root.before(copy);
            mechanisms.push(new Mechanism(kept, copy, one.scale));
            copy.querySelectorAll('.way').forEach((way) => way.parentNode.remove());
        }
        $('live-swap').disabled = false;
        plots.draw();
        liveDraw.draw();
    },

    // What was kept is shown, and what was shown is kept.
    swap() {
        const { changes } = this;
        this.take();
        state.restore(changes);
    },
};

const livePage = {
    ADDRESS: '#live=',

    // What a run comes to with these values; numbers are in SI.
    async run(values = {}) {
        await window.halfarrow.ready;
        const sets = [...live.sets, ...Object.entries(values).map(([path, value]) => `${path}=${value}`)];
        const reply = await engine.ask(state.request(0, { sets })), { status, message, seconds, peaks } = reply;
        return { status, message, seconds, final: engine.final(reply), peaks };
    },

    get address() {
        return location.href.replace(/#.*$/, '') + this.ADDRESS + encodeURIComponent(state.print());
    },

    // The state that the address has.
    restore() {
        if (location.hash.startsWith(this.ADDRESS)) {
            state.restore(state.read(decodeURIComponent(location.hash.slice(this.ADDRESS.length))));
        }
    },

    copyAddress() {
        history.replaceState(null, '', this.address);
        this.copy(this.address, 'the address is copied; it stands above, too');
    },

    copyText() {
        const { text, left } = liveText.write(state.sets().filter((set) => !live.sets.includes(set)));
        this.copy(text, left.length === 0 ? 'the YAML is copied'
            : `the YAML is copied, but for what has no place in it: ${left.join(', ')}`);
    },

    // To the clipboard; where there is none, to a box to copy from.
    async copy(text, said) {
        this.copied = text;
        try {
            await navigator.clipboard.writeText(text);
            controls.say(said);
        } catch {
            let box = $('live-text');
            if (!box) {
                box = make('textarea', { id: 'live-text', rows: 12, readonly: '', 'aria-label': 'Text to copy' });
                $('live').append(box);
            }
            box.value = text;
            controls.open(true);
            box.select();
            controls.say('copy the text that is selected');
        }
    },

    async begin() {
        controls.begin();
        liveDraw.begin();
        controls.say('the engine starts …');
        window.halfarrow = { ready: engine.begin(), run: (values) => this.run(values) };
        try {
            await window.halfarrow.ready;
        } catch (error) {
            document.body.classList.add('live-refused');
            document.querySelectorAll('#live input, #live button, #live-strip input').forEach((one) => { one.disabled = true; });
            controls.say(`This browser does not run the engine (${error.message}): the page shows the run that came with it.`,
                'failed');
            return;
        }
        controls.all.forEach((control) => control.explain());
        state.follow((how) => pilot.change(how));
        drag.begin();
        addEventListener('hashchange', () => this.restore());
        player.follow(() => this.lead());
        this.last = player.run;
        this.restore();
        if (state.changes.size > 0) { /* before the engine stood */
            pilot.change('change');
        }
        await pilot.warmUp();
    },

    // Another variant leads.
    lead() {
        if (this.last !== player.run) {
            this.last = player.run;
            controls.all.forEach((control) => control.show());
        }
    },
};

if (runs.length > 0 && player.run.hasRows) {
    livePage.begin();
}
