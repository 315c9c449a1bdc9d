// SPDX-License-Identifier: GPL-3.0-or-later
// A page under `report --watch`: a script beside it says twice a second which page is there now. When
// it is another one the page loads it and goes on where it was: time, zoom, choices, scroll; when the
// model is wrong it shows the messages over what was there before.

const watch = {
    key: 'halfarrow ' + location.pathname,

    // What has been set, by number: no page has names of its own for all of it.
    controls() {
        return [...document.querySelectorAll('input, select')].filter((x) => x.type !== 'range');
    },

    keep() {
        const kept = {
            scroll: [scrollX, scrollY],
            time: runs.length > 0 ? player.time : 0,
            isPlaying: runs.length > 0 && player.isPlaying,
            step: runs.length > 0 ? decisions.at : null,
            level: runs.length > 0 && graph.views.length > 0 ? graph.level : null,
            opened: graph.opened === null ? null : [...graph.opened],
            selected: selection.key,
            controls: this.controls().map((x) => [x.id, x.name, x.type === 'checkbox' ||
                x.type === 'radio' ? x.checked : x.value]),
            open: [...document.querySelectorAll('details')].map((x) => x.open),
            boxes: Canvas.all.map((canvas) => ({ ...canvas.box })),
        };
        sessionStorage.setItem(this.key, JSON.stringify(kept));
    },

    // A list that has another length than before belongs to another model.
    restore() {
        const kept = JSON.parse(sessionStorage.getItem(this.key));
        sessionStorage.removeItem(this.key);
        if (!kept) {
            return;
        }
        this.controls().forEach((x, i) => {
            const [id, name, value] = kept.controls[i] || [];
            const member = x.type === 'checkbox' || x.type === 'radio' ? 'checked' : 'value';
            if (id === x.id && name === x.name && x[member] !== value && x.type !== 'search') {
                x[member] = value;
                x.dispatchEvent(new Event('change', { bubbles: true }));
            }
        });
        document.querySelectorAll('details').forEach((x, i) => {
            x.open = kept.open[i] ?? x.open;
        });
        if (kept.level) {
            graph.show(kept.level, kept.opened && new Set(kept.opened));
        }
        if (kept.step !== null && runs.length > 0 && decisions.current) {
            decisions.show(kept.step);
        } else if (kept.selected !== null) {
            selection.select(kept.selected);
        }
        if (kept.boxes.length === Canvas.all.length) {
            Canvas.all.forEach((canvas, i) => canvas.set(kept.boxes[i]));
        }
        if (runs.length > 0 && player.run.hasRows) {
            player.setTime(kept.time);
            player.play(kept.isPlaying);
        }
        scrollTo(...kept.scroll);
    },

    say(text) {
        let box = $('watch');
        if (!box) {
            box = make('pre', { id: 'watch', role: 'alert' });
            document.body.append(box);
        }
        box.textContent = text;
        box.hidden = text === '';
    },

    ask() {
        const note = document.createElement('script');
        const again = () => {
            note.remove();
            setTimeout(() => this.ask(), 500);
        };
        note.addEventListener('load', again);
        note.addEventListener('error', again);
        note.src = location.pathname.replace(/^.*\//, '') + '.watch.js?' + Date.now();
        document.head.append(note);
    },
};

// What the script beside the page calls; no stamp: there is no new page.
window.halfarrowWatch = (stamp, errors) => {
    if (stamp !== '' && stamp !== document.querySelector('meta[name=stamp]').content) {
        watch.keep();
        location.reload();
        return;
    }
    watch.say(errors);
};

watch.restore();
watch.ask();
