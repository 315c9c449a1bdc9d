// SPDX-License-Identifier: GPL-3.0-or-later
// A picture that can be moved and zoomed, with pointers, the wheel, fingers and keys: its viewBox.

class Canvas {
    static all = [];

    constructor(element, title) {
        this.element = element;
        this.svg = element.querySelector('svg');
        this.svg.removeAttribute('width');
        this.svg.removeAttribute('height');
        const { x, y, width, height } = this.svg.viewBox.baseVal;
        this.bare = { x, y, width, height };
        this.pointers = new Map();
        element.classList.add('live');
        element.tabIndex = 0;
        element.setAttribute('role', 'application');
        element.setAttribute('aria-label', title);
        element.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
        element.addEventListener('pointerdown', (event) => this.down(event));
        element.addEventListener('pointermove', (event) => this.drag(event));
        element.addEventListener('pointerup', (event) => this.up(event));
        element.addEventListener('pointercancel', (event) => this.pointers.delete(event.pointerId));
        element.addEventListener('keydown', (event) => this.key(event));
        this.open();
        Canvas.all.push(this);
    }

    // Takes its size, and shows all: once it is seen, and when the window has another size.
    open() {
        this.whole = this.frame(this.bare);
        this.fit();
        this.start();
        this.isWhole = true;
    }

    // In a window of another size all is seen if it was, else what was in the middle.
    resize() {
        if (this.isWhole) {
            this.open();
        }
    }

    // All of the picture, of a long one its beginning, where something can be read.
    start() {
        const { x, y, width, height } = this.whole;
        const { clientWidth, clientHeight } = this.element, shape = clientHeight / clientWidth || 1;
        if (height > 3 * clientHeight && height > 3 * shape * width) {
            this.set({ x, y, width, height: 1.5 * shape * width });
        } else if (width > 3 * clientWidth && width > 3 * height / shape) {
            this.set({ x, y, width: 1.5 * height / shape, height });
        } else {
            this.reset();
        }
    }

    // All of the picture; a small one is not blown up, it has room around it.
    frame({ x, y, width, height }) {
        const least = this.element.clientWidth / 2.4, more = Math.max(0, least - width);
        return { x: x - more / 2, y, width: width + more, height };
    }

    // A flat picture takes no more height than it has, with room to move in.
    fit() {
        if (this.element.closest('#stage')) {
            return; /* its height is that of the window */
        }
        const height = 1.15 * this.element.clientWidth * this.whole.height / this.whole.width;
        this.element.style.maxHeight = `${Math.max(260, height)}px`;
    }

    set(box) {
        this.box = box;
        this.isWhole = false;
        this.svg.setAttribute('viewBox', `${box.x} ${box.y} ${box.width} ${box.height}`);
        this.onMove?.(box);
    }

    reset() {
        this.set({ ...this.whole });
    }

    // Units of the picture for a pixel.
    get unit() {
        const size = this.element.getBoundingClientRect();
        return Math.max(this.box.width / size.width, this.box.height / size.height);
    }

    // The place under a place of the window.
    under(x, y) {
        const size = this.element.getBoundingClientRect(), unit = this.unit;
        return [this.box.x + this.box.width / 2 + (x - size.left - size.width / 2) * unit,
            this.box.y + this.box.height / 2 + (y - size.top - size.height / 2) * unit];
    }

    // Zooms about a place; the picture stays within a twentieth and 40 times of its size.
    zoom(factor, at) {
        const width = Math.min(20 * this.whole.width,
            Math.max(this.whole.width / 40, this.box.width / factor));
        const real = this.box.width / width;
        this.set({ x: at[0] - (at[0] - this.box.x) / real, y: at[1] - (at[1] - this.box.y) / real,
            width, height: this.box.height / real });
    }

    zoomMiddle(factor) {
        this.zoom(factor, [this.box.x + this.box.width / 2, this.box.y + this.box.height / 2]);
    }

    move(dx, dy) {
        this.set({ ...this.box, x: this.box.x + dx, y: this.box.y + dy });
    }

    // Letters [px] that can be read: from the back of a room, or on a phone.
    get least() {
        return innerWidth < 900 ? 13 : 18;
    }

    // Shows a box, with letters that can be read where they are `letters` units high: all of the picture
    // where that does it; of a box that is too large for it what is about `middle`.
    frameBox({ x, y, width, height }, letters, middle) {
        const { clientWidth, clientHeight } = this.element, { least } = this;
        if (Math.min(clientWidth / this.whole.width, clientHeight / this.whole.height) * letters >= least) {
            this.open();
            return;
        }
        const fit = Math.min(clientWidth / width, clientHeight / height, 1.2 * least / letters);
        const scale = Math.max(fit, least / letters), at = scale > fit ? middle : [x + width / 2, y + height / 2];
        this.set({ x: at[0] - clientWidth / scale / 2, y: at[1] - clientHeight / scale / 2,
            width: clientWidth / scale, height: clientHeight / scale });
    }

    // Brings a place into view.
    reveal(x, y) {
        const inside = x > this.box.x && x < this.box.x + this.box.width &&
            y > this.box.y && y < this.box.y + this.box.height;
        if (!inside) {
            this.set({ ...this.box, x: x - this.box.width / 2, y: y - this.box.height / 2 });
        }
    }

    wheel(event) {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)),
            this.under(event.clientX, event.clientY));
    }

    // Calls back with (what was clicked on, whether twice): clicks go to who has the pointer.
    onPick(callback) {
        this.picker = callback;
    }

    down(event) {
        this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
        this.pressed = this.pointers.size === 1 ? { target: event.target, x: event.clientX, y: event.clientY } : null;
        this.element.setPointerCapture(event.pointerId);
    }

    up(event) {
        this.pointers.delete(event.pointerId);
        const { target, x, y } = this.pressed || {};
        if (target && this.picker && Math.hypot(event.clientX - x, event.clientY - y) < 6) {
            const again = this.picked && event.timeStamp - this.picked.time < 450 &&
                Math.hypot(event.clientX - this.picked.x, event.clientY - this.picked.y) < 12;
            this.picked = again ? null : { time: event.timeStamp, x, y };
            this.picker(target, Boolean(again));
        }
        this.pressed = null;
    }

    drag(event) {
        const old = this.pointers.get(event.pointerId);
        if (old === undefined) {
            return;
        }
        const now = [event.clientX, event.clientY];
        if (this.pointers.size === 1) {
            this.move((old[0] - now[0]) * this.unit, (old[1] - now[1]) * this.unit);
        } else {
            const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
            const before = Math.hypot(old[0] - other[0], old[1] - other[1]);
            const after = Math.hypot(now[0] - other[0], now[1] - other[1]);
            if (before > 0 && after > 0) {
                this.zoom(after / before, this.under((now[0] + other[0]) / 2, (now[1] + other[1]) / 2));
            }
        }
        this.pointers.set(event.pointerId, now);
    }

    key(event) {
        const step = 60 * this.unit;
        const acts = {
            '+': () => this.zoomMiddle(1.3), '=': () => this.zoomMiddle(1.3),
            '-': () => this.zoomMiddle(1 / 1.3), '0': () => this.reset(),
        };
        if (event.shiftKey) { /* without it they step through the causality */
            Object.assign(acts, { ArrowLeft: () => this.move(-step, 0), ArrowRight: () => this.move(step, 0),
                ArrowUp: () => this.move(0, -step), ArrowDown: () => this.move(0, step) });
        }
        if (acts[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            acts[event.key]();
        }
    }

    // Buttons for those who have neither wheel nor keys.
    addTools(place) {
        for (const [text, label, act] of [
            ['+', 'Larger', () => this.zoomMiddle(1.3)], ['−', 'Smaller', () => this.zoomMiddle(1 / 1.3)],
            ['All', 'All of the picture', () => this.reset()]]) {
            const button = make('button', { type: 'button', 'aria-label': label }, text);
            button.addEventListener('click', act);
            place.append(button, ' ');
        }
    }

    // The groups of bonds by number.
    bonds() {
        const found = new Map();
        for (const group of this.svg.querySelectorAll('g[id*="bond-"]')) {
            const match = /bond-(\d+)$/.exec(group.id);
            if (match) {
                found.set(Number(match[1]), group);
            }
        }
        return found;
    }
}
