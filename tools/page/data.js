// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the page (tools/page/page_data.c), decoded when they are asked for.
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);

function $(id) {
    return document.getElementById(id);
}

// An element with text or children.
function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
}

function svg(tag, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes || {})) {
        element.setAttribute(name, value);
    }
    return element;
}

function decodeBytes(text) {
    const raw = atob(text), bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) {
        bytes[i] = raw.charCodeAt(i);
    }
    return new DataView(bytes.buffer);
}

function decodeTimes(text) {
    const view = decodeBytes(text), times = new Float64Array(view.byteLength / 8);
    for (let i = 0; i < times.length; i++) {
        times[i] = view.getFloat64(8 * i, true);
    }
    return times;
}

// A series as tools/page/page_series.c writes it, of n rows.
function decodeSeries(packed, n) {
    const values = new Float64Array(n), kind = packed[0];
    if (kind === 'c') {
        return values.fill(packed[1]);
    }
    const view = decodeBytes(packed[packed.length - 1]);
    for (let i = 0; i < n; i++) {
        values[i] = kind === 'f' ? view.getFloat32(4 * i, true)
            : packed[1] + view.getUint16(2 * i, true) * (packed[2] - packed[1]) / 65535;
    }
    return values;
}

class Run {
    constructor(packed, index) {
        Object.assign(this, { columns: [], bonds: [], steps: [], bodies: [], points: [],
            joints: [], forces: [], elements: [] }, packed);
        this.index = index;
        this.title = this.name || 'as the file stands';
        this.times = packed.time ? decodeTimes(packed.time) : new Float64Array(0);
        this.decoded = [];
        this.byName = new Map(this.columns.map((column) => [column[0], column]));
        this.byNumber = new Map(this.bonds.map((bond) => [bond[0], bond]));
    }

    get hasRows() {
        return this.times.length > 0;
    }

    // The values of series k; of -1, which nobody has, null.
    values(k) {
        if (k < 0) {
            return null;
        }
        this.decoded[k] ??= decodeSeries(this.series[k], this.times.length);
        return this.decoded[k];
    }

    // The power of each bond as a series, and the largest of all.
    powers() {
        if (this.power === undefined) {
            this.power = new Map();
            this.most = 0;
            for (const bond of this.bonds) {
                const sum = new Float64Array(this.times.length);
                for (const [, effort, flow] of bond.slice(3)) {
                    const e = this.values(effort), f = this.values(flow);
                    for (let i = 0; e && f && i < sum.length; i++) {
                        sum[i] += e[i] * f[i];
                    }
                }
                for (const x of sum) {
                    this.most = Math.abs(x) > this.most ? Math.abs(x) : this.most;
                }
                this.power.set(bond[0], sum);
            }
        }
        return this.power;
    }

    // The last row at or before a time.
    rowAt(time) {
        let low = 0, high = this.times.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.times[middle] <= time) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}

const runs = (data.runs || []).map((packed, index) => new Run(packed, index));

// A number for people: four to six digits.
function show(x, digits = 5) {
    if (x === null || x === undefined || Number.isNaN(x)) {
        return '–';
    }
    const text = Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3)
        ? x.toExponential(digits - 1) : x.toPrecision(digits);
    return text.replace('-', '−').replace('e−', 'e-');
}
