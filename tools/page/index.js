// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs to what. A thing is called by a key: `part:K1` (a box of the word bond graph: a body, a
// joint, a force, an instance of a submodel, an element without group), `bond:12`, `output:K1.angle`,
// `equation:7`. Names lead from one to the other: that of an output or of a variable in an equation
// begins with that of an element or a part.

class Index {
    constructor(run) {
        this.run = run;
        this.groups = new Map(run.elements);
        this.words = new Set([...document.querySelectorAll(
            `.canvas.words[data-run="${run.index}"] .node > title`)].map((title) => title.textContent));
        this.parts = new Map(); // by name: what belongs to it
        this.bondsOf = new Map(); // by element
        this.cache = new Map();
        for (const [element] of run.elements) {
            this.part(this.wordOf(element));
        }
        for (const name of [...run.bodies, ...run.joints].map((one) => one[0]).concat(run.forces)) {
            this.part(name);
        }
        run.bonds.forEach((bond) => this.addBond(bond));
        this.outputs = new Set([...run.columns.map(([name]) => name),
            ...[...document.querySelectorAll('tr[data-output]')].map((row) => row.dataset.output)]);
        this.outputs.forEach((name) => this.addOutput(name));
        this.equations = new Map(); // by number on the page
    }

    part(name) {
        if (!this.parts.has(name)) {
            this.parts.set(name, { bonds: [], outputs: [], equations: [] });
        }
        return this.parts.get(name);
    }

    // The box that an element is in: that of its group, or of the instance around that.
    wordOf(element) {
        const group = this.groups.get(element);
        if (!group || this.words.has(group)) {
            return group || element;
        }
        for (let dot = group.indexOf('.'); dot > 0; dot = group.indexOf('.', dot + 1)) {
            if (this.words.has(group.slice(0, dot))) {
                return group.slice(0, dot);
            }
        }
        return group;
    }

    addBond([number, tail, head]) {
        for (const word of new Set([this.wordOf(tail), this.wordOf(head)])) {
            this.part(word).bonds.push(number);
        }
        for (const element of [tail, head]) {
            this.bondsOf.set(element, [...(this.bondsOf.get(element) || []), number]);
        }
    }

    addOutput(name) {
        const { part } = this.about(name);
        if (part !== null) {
            this.parts.get(part).outputs.push(name);
        }
    }

    // The element and the part that a name begins with.
    about(name) {
        for (let cut = name; cut !== ''; cut = cut.slice(0, Math.max(0, cut.lastIndexOf('.')))) {
            if (this.groups.has(cut)) {
                const part = this.wordOf(cut);
                return { element: cut, part: this.parts.has(cut) && !this.words.has(part) ? cut : part };
            }
            if (this.parts.has(cut)) {
                return { element: null, part: cut };
            }
        }
        return { element: null, part: null };
    }

    // An equation: the parts, elements and outputs that it names.
    addEquation(number, text) {
        const names = [...new Set(text.match(/[A-Za-z_][\w.[\]]*/g) || [])];
        const found = names.map((name) => this.about(name)).filter(({ part }) => part !== null);
        const equation = { names, parts: new Set(found.map(({ part }) => part)),
            elements: new Set(found.map(({ element }) => element)),
            outputs: names.filter((name) => this.outputs.has(name)) };
        for (const part of equation.parts) {
            this.parts.get(part).equations.push(number);
        }
        this.equations.set(number, equation);
    }

    // All that lights up with a key, itself first; found once.
    related(key) {
        if (!this.cache.has(key)) {
            const colon = key.indexOf(':'), name = key.slice(colon + 1);
            this.cache.set(key, [...new Set([key, ...this[key.slice(0, colon) + 'Keys'](name)])]);
        }
        return this.cache.get(key);
    }

    partKeys(name) {
        const part = this.parts.get(name);
        return part ? [...part.bonds.map((bond) => 'bond:' + bond),
            ...part.outputs.map((output) => 'output:' + output), `output:${name}.force`,
            ...part.equations.map((equation) => 'equation:' + equation)] : [];
    }

    bondKeys(number) {
        const bond = this.run.byNumber.get(Number(number));
        if (!bond) {
            return [];
        }
        const ends = bond.slice(1, 3), words = ends.map((element) => this.wordOf(element));
        const equations = [...this.equations].filter(([, { elements }]) => ends.some((element) => elements.has(element)))
            .map(([i]) => 'equation:' + i);
        return [...words.map((word) => 'part:' + word), ...words.flatMap((word) => [`output:${word}.force`,
            ...this.parts.get(word).outputs.map((output) => 'output:' + output)]), ...equations];
    }

    outputKeys(name) {
        const { element, part } = this.about(name);
        if (part === null) {
            return [];
        }
        const { bonds, equations } = this.parts.get(part), of = (i) => this.equations.get(i);
        /* those of this component, as K1.angle.f, else of the element */
        const exact = equations.filter((i) => of(i).names.some((one) => one === name || one.startsWith(name + '.')));
        const found = exact.length > 0 ? exact : equations.filter((i) => of(i).elements.has(element));
        const own = name === part + '.force' ? bonds : this.bondsOf.get(element) || bonds;
        return ['part:' + part, ...own.map((bond) => 'bond:' + bond),
            ...found.map((i) => 'equation:' + i)];
    }

    equationKeys(i) {
        const equation = this.equations.get(Number(i));
        const bonds = [...equation.elements].flatMap((element) => this.bondsOf.get(element) || []);
        const outputs = equation.outputs.length > 0 ? equation.outputs
            : [...equation.parts].flatMap((part) => this.parts.get(part).outputs);
        return [...[...equation.parts].map((part) => 'part:' + part), ...bonds.map((bond) => 'bond:' + bond),
            ...outputs.map((output) => 'output:' + output)];
    }
}
