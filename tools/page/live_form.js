// SPDX-License-Identifier: GPL-3.0-or-later
// The bond graph, the equations and the table of structure of each form: which joints are ideal. The engine
// draws none, so that the page has those of all forms; they are taken out when they are first needed. A form
// that a run of the page came with serves the others, too.

class Form {
    // What is on the page already, of a run.
    static ofPage(run) {
        const view = graph.views.find((one) => one.run === run), form = new Form();
        return Object.assign(form, { numbers: live.runs[run.index].numbers, steps: run.steps, elements: run.elements,
            bonds: run.bonds, words: view?.words, diagram: view?.bonds, block: selection.block(run),
            index: selection.index(run), summary: Form.text(live.runs[run.index].summary), rows: null });
    }

    // One that is packed in the page, for a run.
    static unpack(packed, run) {
        const form = Object.assign(new Form(), { numbers: packed.numbers, steps: packed.steps, elements: packed.elements,
            bonds: packed.bonds, summary: Form.text(packed.summary) });
        const read = (text) => new DOMParser().parseFromString(text, 'text/html').body;
        form.rows = packed.rows || new Map([...read(packed.structure).querySelectorAll('tr')].map((row) =>
            [row.cells[0].textContent, row.cells[1]]));
        form.block = read(packed.equations).querySelector('.of-run');
        form.pictures = read(packed.pictures);
        if (!form.pictures.querySelector('.words')) { /* it is that of the page */
            form.pictures.append(...read(forms.own[0].pictures).querySelectorAll('.words'));
        }
        form.run = run;
        return form;
    }

    static text(markup) {
        return new DOMParser().parseFromString(markup, 'text/html').body.textContent;
    }

    // Puts its pictures and equations on the page and finds what belongs to what; the run is of this form.
    build() {
        const { run } = this, place = document.querySelector('#graph .stage');
        const number = Form.count++;
        if (this.block) {
            document.querySelector('#equations details').append(this.block);
        }
        for (const canvas of this.pictures.querySelectorAll('.canvas')) {
            canvas.dataset.run = run.index;
            canvas.innerHTML = canvas.innerHTML.replace(/ id="([wd])\d+-/g, ` id="$1f${number}-`);
            place.prepend(document.importNode(canvas, true));
        }
        const find = (level) => place.querySelector(`.canvas.${level}:not(.live)`);
        this.index = new Index(run);
        selection.indexes.set(run, this.index);
        this.register();
        this.words = find('words') && new Parts(find('words'), run);
        this.diagram = find('bonds') && new Diagram(find('bonds'), run);
        for (const picture of [this.words, this.diagram].filter(Boolean)) {
            picture.canvas.tools = make('span');
            picture.canvas.addTools(picture.canvas.tools);
        }
        this.pictures = null;
    }

    // Its equations have numbers of their own.
    register() {
        for (const item of this.block ? this.block.querySelectorAll('li') : []) {
            item.dataset.equation = Form.equations++;
            item.tabIndex = 0;
            selection.register('equation:' + item.dataset.equation, item);
            this.index.addEquation(Number(item.dataset.equation), item.textContent);
        }
    }
}
Form.count = 0;
Form.equations = document.querySelectorAll('.equations li').length;

const forms = {
    at: runs.map((run) => live.runs[run.index]?.ideal), // of each run, what is shown
    found: runs.map(() => new Map()), // of each run by the bits of its ideal joints
    own: [], // what the runs came with, as those that are packed

    begin() {
        const bare = (bond) => [...bond.slice(0, 3), ...bond.slice(3).map(([component]) => [component, -1, -1])];
        this.own = runs.map((run) => ({ ...live.runs[run.index], steps: run.steps, elements: run.elements, bonds: run.bonds.map(bare),
            rows: this.read(run), equations: selection.block(run)?.outerHTML || '',
            pictures: graph.views.find((one) => one.run === run)?.source || '' }));
    },

    find(run, ideal) {
        const found = this.found[run.index];
        if (found.size === 0) {
            found.set(live.runs[run.index].ideal, Form.ofPage(run));
        }
        if (!found.has(ideal)) {
            const packed = [...live.forms, ...this.own].find((form) => form.ideal === ideal);
            found.set(ideal, packed ? Form.unpack({ ...packed, bonds: structuredClone(packed.bonds) }, run) : null);
        }
        return found.get(ideal);
    },

    // The run gets the bonds and the pictures of a form; false: the page has none of it.
    show(run, ideal) {
        const form = this.find(run, ideal);
        if (!form || this.at[run.index] === ideal) {
            return Boolean(form);
        }
        const before = this.find(run, this.at[run.index]);
        this.at[run.index] = ideal;
        before.rows ??= this.read(run);
        Object.assign(run, { steps: form.steps, elements: form.elements, bonds: form.bonds,
            byNumber: new Map(form.bonds.map((bond) => [bond[0], bond])), power: undefined });
        if (decisions.at !== null) {
            decisions.show(null);
        }
        if (selection.key !== null) {
            selection.select(null);
        }
        this.hide(before, run);
        if (form.pictures) {
            form.build();
        }
        if (form.block) {
            form.block.dataset.run = run.index;
        }
        selection.indexes.set(run, form.index);
        this.put(run, form);
        return true;
    },

    hide(form, run) {
        if (form.block?.dataset.run === String(run.index)) {
            form.block.dataset.run = 'none';
        }
        for (const picture of [form.words, form.diagram].filter(Boolean)) {
            picture.canvas.element.hidden = true;
        }
    },

    // The pictures, the decisions and the tables of the run.
    put(run, form) {
        const view = graph.views.find((one) => one.run === run);
        if (view && (form.words || form.diagram)) {
            Object.assign(view, { words: form.words, bonds: form.diagram });
            graph.show(graph.level, graph.opened);
        }
        this.write(run, form);
        const decided = decisions.all.find((one) => one.run === run);
        Object.assign(decided || {}, new Decisions(run, form.diagram));
        if (run === player.run) {
            if (decided && decided === decisions.current) {
                decisions.fill();
            }
            document.querySelector('#structure p').textContent = form.summary;
            $('stage').dataset.said = form.summary.replace(/ Causality:.*/, '');
            document.querySelectorAll('#equations .of-run').forEach((one) => { one.hidden = one !== form.block; });
            decisions.tell();
        }
    },

    // The column of a run in the table of structure.
    read(run) {
        return new Map([...document.querySelectorAll('#structure tr')].filter((row) => row.cells.length > run.index + 1)
            .map((row) => [row.cells[0].textContent, row.cells[run.index + 1].cloneNode(true)]));
    },

    write(run, form) {
        if (!form.rows) {
            return;
        }
        const body = document.querySelector('#structure tbody');
        for (const label of form.rows.keys()) {
            if (label && ![...body.rows].some((row) => row.cells[0].textContent === label)) {
                const row = body.insertRow();
                row.append(make('th', { scope: 'row' }, label), ...runs.map(() => make('td', {}, '–')));
            }
        }
        for (const row of body.rows) {
            const cell = form.rows.get(row.cells[0].textContent);
            row.cells[run.index + 1].replaceWith(cell ? cell.cloneNode(true) : make('td', {}, '–'));
        }
    },
};
forms.begin();
