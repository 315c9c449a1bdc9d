// SPDX-License-Identifier: GPL-3.0-or-later
// What has been changed: numbers by path, in the unit of the file; of a joint that is made ideal the word
// `ideal`. From it the overrides of a run follow, as --set takes them.

const state = {
    values: new Map(live.values.map(([path, value, unit, low, high, factor, isGiven]) =>
        [path, { path, value, unit, low, high, factor, isGiven }])),
    switches: new Map(live.switches.map((one, i) => [one.path, { ...one, bit: 1 << i }])),
    changes: new Map(),
    past: [],
    followers: [],

    follow(callback) {
        this.followers.push(callback);
    },

    // What the file says, in the run that leads: a number, or `ideal`.
    original(path, run = live.runs[player.run.index]) {
        const joint = this.switches.get(path);
        return joint ? (run?.ideal & joint.bit ? 'ideal' : joint.value) : this.values.get(path)?.value;
    },

    get(path) {
        return this.changes.has(path) ? this.changes.get(path) : this.original(path);
    },

    // Changes values, without a step to go back to.
    set(changes, how = 'input') {
        for (const [path, value] of Object.entries(changes)) {
            if (value === undefined || live.runs.every((run) => value === this.original(path, run))) {
                this.changes.delete(path);
            } else {
                this.changes.set(path, value);
            }
        }
        this.tell(how);
    },

    // Changes that are a step of their own begin here.
    keep() {
        const last = this.past[this.past.length - 1], now = JSON.stringify([...this.changes]);
        if (last !== now) {
            this.past.push(now);
        }
    },

    undo() {
        const now = JSON.stringify([...this.changes]);
        while (this.past.length > 0) {
            const before = this.past.pop();
            if (before !== now) {
                this.changes = new Map(JSON.parse(before));
                this.tell('change');
                return;
            }
        }
    },

    // All as in these pairs [path, value].
    restore(pairs) {
        this.keep();
        this.changes = new Map(pairs);
        this.tell('change');
    },

    tell(how) {
        this.followers.forEach((callback) => callback(how));
    },

    // The bits of the joints that are ideal in a run.
    ideal(index) {
        let bits = live.runs[index]?.ideal || 0;
        for (const [path, { bit }] of this.switches) {
            if (this.changes.has(path)) {
                bits = this.changes.get(path) === 'ideal' ? bits | bit : bits & ~bit;
            }
        }
        return bits;
    },

    number(x) {
        return String(Number(x.toPrecision(12)));
    },

    // A quantity or an expression times a factor.
    scale(text, factor) {
        const [, digits, unit] = /^\s*([-+]?[\d.]+(?:[eE][-+]?\d+)?)\s*([A-Za-z°%].*)?$/.exec(text) || [];
        return digits ? `${this.number(digits * factor)}${unit ? ' ' + unit : ''}` : `(${text})*${this.number(factor)}`;
    },

    setsOfSwitch(joint, value) {
        const model = (name) => `joints.${joint.joint}.model=${name}`;
        if (value === 'ideal') {
            return [model('ideal')];
        }
        return [model(joint.model), ...joint.own, ...joint.scaled.map((set) => {
            const equals = set.indexOf('=');
            return set.slice(0, equals + 1) + this.scale(set.slice(equals + 1), value / joint.value);
        })];
    },

    setOf(path, value) {
        const unit = this.values.get(path)?.unit;
        return `${path}=${this.number(value)}${unit ? ' ' + unit : ''}`;
    },

    // The overrides of a run.
    sets(changes = this.changes) {
        return [...live.sets, ...[...changes].flatMap(([path, value]) => this.switches.has(path)
            ? this.setsOfSwitch(this.switches.get(path), value) : [this.setOf(path, value)])];
    },

    // What the engine is asked for a run of the page, beside the text of the model.
    request(index, more = {}) {
        return { sets: this.sets(), bonds: true, structure: false, scene: live.view,
            variant: live.runs[index].variant ?? undefined, max_steps: live.maxSteps, ...more };
    },

    // As an address has it, and back; what the page does not know is passed over.
    print() {
        return new URLSearchParams([...this.changes].map(([path, value]) => [path, String(value)])).toString();
    },

    read(text) {
        return [...new URLSearchParams(text)].map(([path, value]) => [path, value === 'ideal' ? value : Number(value)])
            .filter(([path, value]) => (value === 'ideal' ? this.switches.has(path) : Number.isFinite(value)) &&
                (this.values.has(path) || this.switches.has(path) || /^bodies\..*\.start\.\w+$/.test(path)));
    },
};
