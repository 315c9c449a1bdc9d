// SPDX-License-Identifier: GPL-3.0-or-later
// Sliders, fields and switches: a strip of the first ones below the time, and all in a panel beside the
// stage, which is closed until it is asked for.

// Where a slider stands for a value: evenly, or by ratio where the range is wide.
class Scale {
    static STEPS = 1000;
    static IDEAL = 60; // steps at the end of a switch that mean: ideal

    constructor({ low, high, bit, model }) {
        Object.assign(this, { low, high, isRatio: low > 0 && high / low > 30 || bit !== undefined,
            ideal: bit === undefined ? 0 : Scale.IDEAL, isLowIdeal: model === 'clearance' });
    }

    get first() {
        return this.isLowIdeal ? this.ideal : 0;
    }

    get room() {
        return Scale.STEPS - this.ideal;
    }

    place(value) {
        if (value === 'ideal') {
            return this.isLowIdeal ? 0 : Scale.STEPS;
        }
        const part = this.isRatio ? Math.log(value / this.low) / Math.log(this.high / this.low)
            : (value - this.low) / (this.high - this.low);
        return this.first + Math.max(0, Math.min(1, part)) * this.room;
    }

    value(place) {
        const part = (place - this.first) / this.room;
        if (this.ideal > 0 && (this.isLowIdeal ? place < this.ideal / 2 : place > this.room + this.ideal / 2)) {
            return 'ideal';
        }
        const inside = Math.max(0, Math.min(1, part));
        const x = this.isRatio ? this.low * (this.high / this.low) ** inside : this.low + inside * (this.high - this.low);
        return Number(x.toPrecision(this.isRatio ? 3 : 4));
    }
}

// A value with its slider and its field.
class Control {
    static ROOM = 8; // characters

    constructor(entry, isShort) {
        this.entry = entry;
        this.scale = new Scale(entry);
        this.path = entry.path;
        const name = controls.name(entry);
        const hasRoom = entry.high > entry.low;
        this.slider = make('input', { type: 'range', min: 0, max: Scale.STEPS, step: 1, 'aria-label': name });
        this.slider.hidden = !hasRoom;
        this.field = make('input', { type: 'text', inputmode: 'decimal', 'aria-label': `${name}, value`, size: 8 });
        this.unit = make('span', { class: 'unit' }, entry.isFactor ? '×' : entry.unit);
        this.back = make('button', { type: 'button', class: 'back', 'aria-label': `${name} as in the file`, title: 'as in the file' }, '↺');
        this.name = make('span', { class: 'name' }, name);
        this.element = make('div', { class: 'control' }, this.name, this.slider, this.field, this.unit, this.back);
        this.explain();
        if (!hasRoom) {
            this.element.append(make('small', {}, 'trial runs with other values failed'));
        }
        if (entry.bit !== undefined) {
            this.addSwitch();
        }
        this.element.classList.toggle('short', isShort);
        this.slider.addEventListener('input', () => this.put(this.scale.value(Number(this.slider.value)), 'input'));
        this.slider.addEventListener('change', () => this.put(this.scale.value(Number(this.slider.value)), 'change'));
        this.slider.addEventListener('pointerdown', () => state.keep());
        this.slider.addEventListener('keydown', () => state.keep());
        this.field.addEventListener('change', () => this.read());
        this.back.addEventListener('click', () => {
            state.keep();
            this.put(undefined, 'change');
        });
        this.show();
    }

    // Where it is in the file, and what is said of it there.
    explain() {
        const comment = liveText.comment(this.path);
        this.name.title = comment ? `${this.path}: ${comment}` : this.path;
    }

    // Ideal or not, without the way between.
    addSwitch() {
        const { entry } = this;
        this.ideal = make('input', { type: 'checkbox' });
        this.ideal.addEventListener('change', () => {
            state.keep();
            const before = state.original(this.path);
            this.put(this.ideal.checked ? 'ideal' : this.last ?? (before === 'ideal' ? entry.value : before), 'change');
        });
        this.element.append(make('label', { class: 'ideal' }, this.ideal, ' ideal'));
    }

    put(value, how) {
        state.set({ [this.path]: value }, how);
    }

    read() {
        const text = this.field.value.trim(), value = text === 'ideal' && this.ideal ? 'ideal' : Number(text.replace(/−/g, '-'));
        const isGood = value === 'ideal' || (text !== '' && Number.isFinite(value));
        this.field.setCustomValidity(isGood ? '' : 'This is no number.');
        this.field.reportValidity();
        if (isGood) {
            state.keep();
            this.put(value, 'change');
        }
    }

    // As the field has room for it: a long number as 1e10, where that is shorter.
    print(value) {
        const text = String(value), other = value === 'ideal' ? text : value.toExponential().replace('+', '');
        return text.length > Control.ROOM && other.length < text.length ? other : text;
    }

    // A page has dozens of these, of which one moves: the others are not written to, which the browser would have to
    // look at.
    show() {
        const value = state.get(this.path), isChanged = state.changes.has(this.path), { slider, field, shown } = this;
        if (shown && shown.value === value && shown.isChanged === isChanged && shown.at === slider.value &&
            shown.text === field.value) {
            return;
        }
        if (value !== 'ideal') {
            this.last = value;
        }
        if (document.activeElement !== this.slider || this.scale.value(Number(this.slider.value)) !== value) {
            this.slider.value = this.scale.place(value);
        }
        this.slider.setAttribute('aria-valuetext', value === 'ideal' ? 'ideal' : `${value} ${this.entry.unit}`);
        if (document.activeElement !== this.field) {
            this.field.value = this.print(value);
        }
        if (this.ideal) {
            this.ideal.checked = value === 'ideal';
        }
        this.element.classList.toggle('changed', isChanged);
        this.back.disabled = !isChanged;
        this.shown = { value, isChanged, at: slider.value, text: field.value };
    }
}

const controls = {
    SHORT: 3,
    all: [],

    name({ path, bit, joint }) {
        const words = path.split('.');
        return bit !== undefined ? `${joint === '*' ? 'all joints' : joint}, ${words[2]}`
            : words[0] === 'parameters' ? words.slice(1).join('.')
                : words[0] === 'bodies' && words[2] === 'start' ? `${words[1]}.${words[3]}`
                    : words.filter((word) => !/^(bodies|parts|joints|forces|parameters)$/.test(word)).join('.');
    },

    // The first ones: those that ranges were given for, joints, parameters.
    pinned() {
        const values = [...state.values.values()].filter(({ low, high }) => high > low);
        const given = values.filter(({ isGiven }) => isGiven);
        return [...new Set([...given, ...state.switches.values(), ...values])].slice(0, Math.max(this.SHORT, given.length))
            .slice(0, 5);
    },

    group(title, entries) {
        return entries.length === 0 ? '' : make('fieldset', {}, make('legend', {}, title), ...entries.map((entry) => {
            const control = new Control(entry, false);
            this.all.push(control);
            return control.element;
        }));
    },

    button(id, text, act, title = '') {
        const button = make('button', { type: 'button', id, title }, text);
        button.addEventListener('click', act);
        return button;
    },

    panel() {
        const values = [...state.values.values()], isStart = ({ path }) => path.includes('.start.');
        const isParameter = ({ path }) => path.startsWith('parameters.');
        return make('section', { id: 'live', 'data-title': 'Live', hidden: '' },
            make('div', { class: 'bar' }, make('h2', {}, 'Live values'),
                this.button('live-close', '×', () => this.open(false), 'closes the panel')),
            this.group('Parameters', values.filter(isParameter)),
            this.group('Joints', [...state.switches.values()]),
            this.group('Other values', values.filter((entry) => !isParameter(entry) && !isStart(entry))),
            this.group('Start', values.filter(isStart)),
            make('p', { class: 'hint' }, 'At time 0 a point of the mechanism can be dragged to another start. ' +
                'A changed value is that of all variants. All runs are at the tolerances of the file.'),
            make('div', { class: 'bar' }, this.button('live-reset', 'All as in the file', () => state.restore([])),
                this.button('live-swap', 'Swap A and B', () => snapshot.swap(), 'what was kept, and what is shown'),
                this.button('live-copy', 'Copy the YAML', () => livePage.copyText(), 'the model file with these values'),
                this.button('live-link', 'Copy the address', () => livePage.copyAddress(), 'of this page with these values')));
    },

    strip() {
        const strip = make('div', { id: 'live-strip', role: 'group', 'aria-label': 'Live values' });
        for (const entry of this.pinned()) {
            const control = new Control(entry, true);
            this.all.push(control);
            strip.append(control.element);
        }
        strip.append(make('output', { id: 'live-said', role: 'status' }),
            make('span', { class: 'tools' },
                this.button('live-undo', 'Undo', () => state.undo()),
                this.button('live-keep', 'Keep as A', () => snapshot.take(), 'keeps what is shown as a ghost to compare with'),
                this.button('live-open', 'All values', () => this.open($('live').hidden))));
        return strip;
    },

    open(isOpen) {
        $('live').hidden = !isOpen;
        document.body.classList.toggle('live-open', isOpen);
        $('live-open').setAttribute('aria-pressed', isOpen);
    },

    say(text, kind = '') {
        $('live-said').textContent = text;
        $('live-said').className = kind;
        $('live-said').title = text;
    },

    begin() {
        $('player').append(this.strip());
        $('stage').prepend(this.panel());
        state.follow(() => {
            this.all.forEach((control) => control.show());
            $('live-undo').disabled = state.past.length === 0;
        });
        $('live-undo').disabled = true;
        $('live-swap').disabled = true;
    },
};
