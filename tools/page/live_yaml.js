// SPDX-License-Identifier: GPL-3.0-or-later
// The model file with the values written in: numbers are replaced where they stand, keys that the file does
// not have yet are put in front of what their mapping has, comments stay.

const liveText = {
    get source() {
        return live.source ?? live.text;
    },

    // The places of lines in the text.
    lines() {
        const starts = [0];
        for (let at = this.source.indexOf('\n'); at >= 0; at = this.source.indexOf('\n', at + 1)) {
            starts.push(at + 1);
        }
        return starts;
    },

    // Columns count bytes, a text characters.
    offset(starts, [line, column]) {
        const begin = starts[line - 1], bytes = new TextEncoder().encode(this.source.slice(begin, begin + 4 * column));
        return begin + new TextDecoder().decode(bytes.slice(0, column - 1)).length;
    },

    // The comment behind a value, as soon as the text is there.
    comment(path) {
        const place = live.places?.[path];
        const line = place ? this.source.split('\n')[place[0] - 1] : '';
        return /\s#\s*(.*)$/.exec(line)?.[1] || '';
    },

    // [from, to, text] that replaces a scalar; null: there is none, or it is written otherwise.
    replacement(starts, path, text) {
        const place = live.places[path];
        if (!place || place[2] === null) {
            return null;
        }
        const from = this.offset(starts, place), quote = this.source[from];
        if (quote === '"' || quote === "'") {
            return [from, this.source.indexOf(quote, from + 1) + 1, text];
        }
        return this.source.startsWith(place[2], from) ? [from, from + place[2].length, text] : null;
    },

    // [from, from, text] that adds a key to its mapping, which may be missing itself.
    addition(starts, path, text) {
        const cut = path.lastIndexOf('.'), parent = path.slice(0, cut), key = path.slice(cut + 1);
        const place = live.places[parent];
        if (!place) {
            return cut > 0 ? this.addition(starts, parent, `{${key}: ${text}}`) : null;
        }
        const from = this.offset(starts, place);
        if (this.source[from] === '{') {
            return [from + 1, from + 1, `${key}: ${text}, `];
        }
        return [from, from, `${key}: ${text}\n${' '.repeat(place[1] - 1)}`];
    },

    // PATH=VALUE as a change of the text. `joints.*` is a list of them.
    edits(starts, set) {
        const equals = set.indexOf('='), path = set.slice(0, equals), value = set.slice(equals + 1);
        const text = /[:#{}[\],&*?|>'"%@`]/.test(value) && !/^[{[]/.test(value) ? JSON.stringify(value) : value;
        const all = /^joints\.\*\.(.*)$/.exec(path);
        const paths = !all ? [path] : Object.keys(live.places).filter((one) => /^joints\.[^.]+$/.test(one))
            .map((one) => `${one}.${all[1]}`);
        return paths.map((one) => this.replacement(starts, one, text) || this.addition(starts, one, text));
    },

    // The text; { text, left }: overrides that have no place in it.
    write(sets) {
        const starts = this.lines(), edits = [], left = [];
        for (const set of sets) {
            const found = this.edits(starts, set);
            if (found.every(Boolean)) {
                edits.push(...found);
            } else {
                left.push(set);
            }
        }
        let text = this.source;
        for (const [from, to, words] of edits.sort((a, b) => b[0] - a[0])) {
            text = text.slice(0, from) + words + text.slice(to);
        }
        return { text, left };
    },
};
