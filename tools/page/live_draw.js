// SPDX-License-Identifier: GPL-3.0-or-later
// Draws what the engine found, as often as values change. What is in sight is drawn at once; the rest when
// it comes into sight, when nothing changes for a moment, or before it is printed.

const liveDraw = {
    IDLE: 250, // [ms] after the last change
    replies: [], // of each run of the page the last one
    parts: [['loads', ['loads', 'limits', 'polars']], ['plots', ['plots']], ['values', ['values']], ['audit', ['audit']]],
    seen: new Set(),
    dirty: new Set(),

    begin() {
        const seen = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) {
                this.seen[isIntersecting ? 'add' : 'delete'](target.id);
            }
            this.flush((part) => this.seen.has(part));
        });
        this.parts.forEach(([id]) => $(id) && seen.observe($(id)));
        addEventListener('beforeprint', () => this.flush());
        document.querySelector('#values details')?.addEventListener('toggle', () => this.flush());
    },

    // Whether something in sight shows extremes.
    get showsPeaks() {
        return (this.seen.has('loads') && data.limits?.length > 0) ||
            (this.seen.has('values') && document.querySelector('#values details').open);
    },

    // Draws the parts that wait and are wanted; [id of the section].
    flush(isWanted = () => true) {
        for (const [id, names] of this.parts) {
            if (this.dirty.has(id) && isWanted(id)) {
                this.dirty.delete(id);
                names.forEach((name) => this[name]());
            }
        }
    },

    // A reply for a run of the page: true where the page had to be put together anew.
    take(run, reply, ideal) {
        const isKnown = forms.show(run, ideal), before = Boolean(run.window);
        const names = run.columns.map((column) => column[0]).join();
        adoption.take(run, reply, ideal, isKnown ? forms.find(run, ideal).numbers : null);
        this.replies[run.index] = { ...reply, peaks: reply.peaks || this.replies[run.index]?.peaks || {} };
        this.mechanism(run, reply);
        this.isOther ||= before !== Boolean(run.window);
        this.hasOthers ||= names !== run.columns.map((column) => column[0]).join();
        return isKnown;
    },

    // All of the page that shows runs.
    draw() {
        const { run } = player;
        $('slider').max = run.times.length - 1;
        player.setRow(run.rowAt(player.time));
        if (this.hasOthers) {
            this.hasOthers = false;
            const names = new Set(runs.flatMap((one) => one.columns.map((column) => column[0])));
            $('outputs').replaceChildren(...[...names].map((name) => make('option', { value: name })));
            plots.draw();
        }
        if (this.isOther) {
            this.isOther = false;
            span.show(span.isCycle);
        }
        this.traces();
        this.parts.forEach(([id]) => this.dirty.add(id));
        this.flush((id) => this.seen.has(id));
        clearTimeout(this.timer);
        this.timer = setTimeout(() => {
            this.flush();
            this.fit();
        }, this.IDLE);
    },

    // --- the mechanism ------------------------------------------------------------------------------

    // Another drawing in place of the one that is there.
    replace(run, one, scene) {
        one.root.innerHTML = scene;
        const written = [...one.root.querySelectorAll('*')].flatMap((element) => [...element.attributes]);
        Object.assign(one, new Mechanism(run, one.root, one.scale), { scene, written });
        this.forget();
    },

    // The same where only values of attributes are others, as while a length moves; false: there is more. New
    // elements take the browser as long as all else that a picture needs.
    rewrite(one, scene) {
        const before = one.scene?.split('"') || [], after = scene.split('"'), { written } = one;
        const isSame = before.length === after.length && written.length === (after.length - 1) / 2 &&
            after.every((part, i) => i % 2 === 0 ? part === before[i] : !part.includes('&'));
        after.forEach((value, i) => {
            if (isSame && i % 2 === 1 && value !== before[i]) {
                written[(i - 1) / 2].value = value;
            }
        });
        one.scene = isSame ? scene : one.scene;
        return isSame;
    },

    mechanism(run, reply) {
        const one = mechanisms.find((candidate) => candidate.run === run);
        if (!one) {
            return;
        }
        if (reply.scene && reply.scene !== one.scene && !this.rewrite(one, reply.scene)) {
            this.replace(run, one, reply.scene);
        }
        one.places = run.bodies.map((body) => body.slice(1).map((k) => run.values(k)));
        one.tyres.forEach((tyre, i) => {
            const joint = Number(tyre.group.getAttribute('class').slice(6));
            one.tyres[i] = { ...tyre, angles: run.values(run.joints[joint][6]) };
        });
        one.unit = undefined;
    },

    // What is no longer on the page does not light up.
    forget() {
        for (const [key, elements] of selection.elements) {
            if (key.startsWith('part:') && elements.some((element) => !element.isConnected)) {
                selection.elements.set(key, elements.filter((element) => element.isConnected));
            }
        }
    },

    // The traces of points that are chosen.
    traces() {
        $('traces').querySelector('input')?.dispatchEvent(new Event('change'));
    },

    // The picture has room for all of the motion.
    fit() {
        const one = mechanisms.find((candidate) => candidate.run === player.run);
        if (!one) {
            return;
        }
        const { e, f } = one.world.transform.baseVal.consolidate().matrix;
        const { x, y, width, height } = picture.viewBox.baseVal, box = [x, y, x + width, y + height], room = 20;
        const step = Math.max(1, Math.floor(one.run.times.length / 60));
        for (let p = 0; p < one.run.points.length; p++) {
            for (let row = 0; row < one.run.times.length; row += step) {
                const [px, py] = one.place(p, row), at = [px + e, f - py];
                if (at.every(Number.isFinite)) {
                    [0, 1].forEach((k) => {
                        box[k] = Math.min(box[k], at[k] - room);
                        box[k + 2] = Math.max(box[k + 2], at[k] + room);
                    });
                }
            }
        }
        if (box[0] < x || box[1] < y || box[2] > x + width || box[3] > y + height) {
            picture.setAttribute('viewBox', `${box[0]} ${box[1]} ${box[2] - box[0]} ${box[3] - box[1]}`);
        }
    },

    // --- the sections -------------------------------------------------------------------------------

    plots() {
        for (const chart of plots.charts) {
            const names = [...new Set(chart.series.slice(1).map((one) => one.output))];
            const { min, max } = chart.scales.x, whole = [chart.data[0][0], chart.data[0][chart.data[0].length - 1]];
            const isWhole = min === whole[0] && max === whole[1];
            const { values } = plots.table(names);
            if (values.length !== chart.series.length) {
                plots.draw();
                return;
            }
            const [from, to] = span.isCycle && player.run.window ? span.of(player.run)
                : isWhole ? [values[0][0], values[0][values[0].length - 1]] : [min, max];
            chart.setData(values, false);
            chart.setScale('x', { min: from, max: to });
        }
        plots.mark();
    },

    base() {
        return runs.find((run) => run.isKept) || (live.runs.length > 1 ? runs[0] : null);
    },

    loads() {
        for (const run of runs.slice(0, live.runs.length)) {
            if (this.replies[run.index]) {
                liveTables.loads(run, this.base() !== run ? this.base() : null);
            }
        }
    },

    limits() {
        this.each((run, reply) => liveTables.limits(run, reply.peaks));
    },

    polars() {
        review.polars.forEach((polar) => polar.draw());
    },

    values() {
        if (document.querySelector('#values details')?.open) {
            this.each((run, reply) => liveTables.values(run, reply));
        } else {
            this.dirty.add('values');
        }
    },

    audit() {
        this.each((run, reply) => liveTables.audit(run, reply));
    },

    each(act) {
        this.replies.forEach((reply, i) => reply && act(runs[i], reply));
    },
};
