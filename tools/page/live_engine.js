// SPDX-License-Identifier: GPL-3.0-or-later
// The engine in a worker: one run at a time. A run that takes too long is ended with its worker, and the
// next one gets a new worker.
'use strict';

const live = JSON.parse($('live-data').textContent);

// What the worker does; it is made of the text of this function and of the engine's own script.
function serveEngine() {
    let engine = null, model = {}; /* what all requests have in common */
    const lists = new Map(); /* of columns, which the page has: sending hundreds of them takes as long as drawing */
    const run = ({ id, request }) => {
        const began = performance.now(), { column, values, final, columns, ...reply } = engine.run({ ...model, ...request });
        const key = columns.map(({ name, unit }) => `${name} ${unit}`).join(), isThere = lists.has(key);
        if (!isThere) {
            lists.set(key, lists.size);
        }
        postMessage({ ...reply, list: lists.get(key), columns: isThere ? undefined : columns, id,
            ms: performance.now() - began }, [reply.table]);
    };
    onmessage = ({ data }) => {
        try {
            if (data.bytes) {
                engine = makeEngine(data.bytes);
                ({ model } = data);
                postMessage({ ready: true });
            } else {
                run(data);
            }
        } catch (error) {
            postMessage({ id: data.id, broken: String(error && error.message || error) });
        }
    };
}

const engine = {
    LIMIT: 2000, // [ms] of a run
    SLOWER: 4, // times what the file's own run takes, where that is more
    queue: [],
    current: null,
    refused: null, // why this browser does not run it

    BASE: 93, // of digits, and what is above 13 bits of two of them (tools/page/page_pack.c)
    FEW: 457,

    // The length, and bytes in digits.
    decode(text) {
        const begin = text.indexOf(' ') + 1, bytes = new Uint8Array(Number(text.slice(0, begin)));
        const digit = (at) => {
            const code = text.charCodeAt(at) - 33;
            return code < 27 ? code : code - 1;
        };
        for (let at = begin, i = 0, bits = 0, n = 0; i < bytes.length; at += 2) {
            const number = digit(at) + this.BASE * digit(at + 1);
            bits |= number << n;
            n += (number & 8191) < this.FEW ? 14 : 13;
            for (; n >= 8 && i < bytes.length; n -= 8, bits >>>= 8) {
                bytes[i++] = bits;
            }
        }
        return bytes;
    },

    // The bytes that an element of the page holds packed.
    async unpack(id) {
        const packed = this.decode($(id).textContent);
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
        return new Uint8Array(await new Response(stream).arrayBuffer());
    },

    // [ms] that a run may take.
    limit() {
        return Math.max(this.LIMIT, ...live.runs.map((run) => this.SLOWER * 1000 * (run.seconds || 0)));
    },

    start() {
        const source = `${$('engine-script').textContent}\n(${serveEngine})()`;
        const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
        this.worker = new Worker(url);
        URL.revokeObjectURL(url);
        this.lists = [];
        const { worker } = this;
        return new Promise((resolve, reject) => {
            worker.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
            worker.onmessage = ({ data }) => {
                if (data.ready) {
                    resolve();
                } else if (data.id === undefined) {
                    reject(new Error(data.broken));
                } else {
                    this.answer(data);
                }
            };
            worker.postMessage({ bytes: this.bytes,
                model: { text: live.text, name: live.name, includes: live.includes || {} } });
        });
    },

    async begin() {
        try {
            const [bytes, rest] = await Promise.all([this.unpack('engine'), this.unpack('live-rest')]);
            this.bytes = bytes;
            Object.assign(live, JSON.parse(new TextDecoder().decode(rest)));
            await this.start();
        } catch (error) {
            this.refused = error.message;
            throw error;
        }
    },

    // A promise of what comes of a request; never rejected.
    ask(request) {
        return new Promise((resolve) => {
            this.queue.push({ id: Math.random(), request, resolve });
            this.next();
        });
    },

    next() {
        if (this.current || this.queue.length === 0 || !this.worker) {
            return;
        }
        this.current = this.queue.shift();
        this.current.began = performance.now();
        this.current.timer = setTimeout(() => this.stop(), this.limit());
        this.worker.postMessage({ id: this.current.id, request: this.current.request });
    },

    answer(reply) {
        const { current } = this;
        if (!current || current.id !== reply.id) {
            return;
        }
        clearTimeout(current.timer);
        this.current = null;
        if (reply.broken) { /* the memory of a broken engine is not to be trusted */
            this.renew();
        }
        current.resolve(reply.broken ? this.failure('broken', `The engine broke: ${reply.broken}`) : this.open(reply));
        this.next();
    },

    // A reply as the engine gave it (tools/engine/engine.js), but for the last row.
    open({ columns, ...reply }) {
        this.lists[reply.list] ??= columns;
        const list = this.lists[reply.list], { rows } = reply, all = new Float64Array(reply.table);
        return { ...reply, columns: list, values: list.map((column, i) => all.subarray(i * rows, (i + 1) * rows)) };
    },

    // The last row of a reply: values by name.
    final({ rows, columns, values }) {
        return rows === 0 ? {} : Object.fromEntries(columns.map(({ name }, i) => [name, values[i][rows - 1]]).slice(1));
    },

    failure(status, message) {
        return { status, ok: false, message, seconds: 0, rows: 0, columns: [], values: [], peaks: {} };
    },

    // Ends a run that takes long already, because another value is wanted.
    giveUp() {
        if (this.current && performance.now() - this.current.began > this.LIMIT) {
            const { current } = this;
            clearTimeout(current.timer);
            this.current = null;
            this.renew();
            current.resolve(this.failure('left', 'Another value came.'));
        }
    },

    // Ends a run that takes too long.
    stop() {
        const { current } = this, seconds = this.limit() / 1000;
        this.current = null;
        this.renew();
        current.resolve(this.failure('stopped', `Stopped after ${Number(seconds.toPrecision(2))} s: ` +
            'this value would take longer. `halfarrow run` has no such limit.'));
    },

    renew() {
        this.worker.terminate();
        this.worker = null;
        this.start().then(() => this.next(), (error) => { this.refused = error.message; });
    },
};
