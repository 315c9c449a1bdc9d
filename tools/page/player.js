// SPDX-License-Identifier: GPL-3.0-or-later
// The time of the page: rows of the run that leads, moved by the slider, keys, and playing. Nothing
// moves before somebody presses Play; with reduced motion it then goes in a few steps a second.

const player = {
    run: runs.find((run) => run.hasRows) || runs[0],
    row: 0,
    time: 0,
    isPlaying: false,
    speed: 1,
    followers: [],

    // Calls back with (time) whenever the time or the leading run changes.
    follow(callback) {
        this.followers.push(callback);
    },

    tell() {
        for (const callback of this.followers) {
            callback(this.time);
        }
    },

    setRow(row) {
        const n = this.run.times.length;
        if (n === 0) {
            return;
        }
        this.row = Math.max(0, Math.min(n - 1, row));
        this.time = this.run.times[this.row];
        $('slider').value = this.row;
        $('slider').setAttribute('aria-valuetext', show(this.time) + ' s');
        $('clock').value = show(this.time) + ' s';
        this.tell();
    },

    // The row at or before a time, or the nearest one.
    setTime(time, isNearest = false) {
        const row = this.run.rowAt(time), times = this.run.times;
        this.setRow(isNearest && row + 1 < times.length && times[row + 1] - time < time - times[row] ? row + 1 : row);
    },

    lead(run) {
        const time = this.time;
        this.run = run;
        this.play(this.isPlaying && run.hasRows);
        $('slider').max = Math.max(0, run.times.length - 1);
        if (run.hasRows) {
            this.setTime(time);
        } else {
            this.tell();
        }
    },

    play(isOn) {
        if (isOn === this.isPlaying || (isOn && !this.run.hasRows)) {
            return;
        }
        this.isPlaying = isOn;
        $('play').textContent = isOn ? 'Pause' : 'Play';
        $('play').setAttribute('aria-pressed', isOn);
        if (isOn) {
            if (this.row === this.run.times.length - 1) {
                this.setRow(span.rows(this.run)[0]);
            }
            this.began = performance.now();
            this.beganAt = this.time;
            this.shown = -1;
            requestAnimationFrame((now) => this.frame(now));
        }
    },

    frame(now) {
        if (!this.isPlaying) {
            return;
        }
        const pace = this.reduced.matches ? 500 : 0; // [ms] between pictures
        const time = this.beganAt + (now - this.began) / 1000 * this.speed;
        if (now - this.shown >= pace) {
            this.shown = now;
            this.setTime(time);
        }
        if (time >= this.run.times[this.run.times.length - 1]) {
            this.setRow(this.run.times.length - 1);
            this.play(false);
            return;
        }
        requestAnimationFrame((next) => this.frame(next));
    },

    setSpeed(speed) {
        this.speed = speed;
        this.began = performance.now();
        this.beganAt = this.time;
    },

    // Speeds as whole factors; the one with which the run takes about six seconds.
    fillSpeeds() {
        const end = this.run.times[this.run.times.length - 1];
        const wanted = end > 0 ? end / 6 : 1;
        const factors = [];
        for (let power = -6; power <= 3; power++) {
            for (const digit of [1, 2, 5]) {
                factors.push(digit * 10 ** power);
            }
        }
        factors.sort((a, b) => a - b);
        const best = end >= 2 && end <= 20 ? 1 : factors.reduce(
            (a, b) => Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a);
        const near = factors.filter((f) => f >= best / 21 && f <= best * 21);
        for (const factor of near) {
            const text = factor >= 1 ? factor.toFixed(0) : '1/' + (1 / factor).toFixed(0);
            $('speed').append(make('option', { value: factor }, text + ' ×'));
        }
        $('speed').value = best;
        this.speed = best;
    },

    begin() {
        this.reduced = matchMedia('(prefers-reduced-motion: reduce)');
        $('player').hidden = false;
        $('slider').max = this.run.times.length - 1;
        this.fillSpeeds();
        $('slider').addEventListener('input', () => {
            this.play(false);
            this.setRow(Number($('slider').value));
        });
        $('play').addEventListener('click', () => this.play(!this.isPlaying));
        for (const [id, by] of [['back', -1], ['forth', 1]]) {
            $(id).addEventListener('click', () => {
                this.play(false);
                this.setRow(this.row + by);
            });
        }
        $('speed').addEventListener('change', () => this.setSpeed(Number($('speed').value)));
        document.addEventListener('keydown', (event) => {
            const isTyping = /^(INPUT|SELECT|TEXTAREA|BUTTON|SUMMARY)$/.test(event.target.tagName);
            if (event.key === ' ' && !isTyping) {
                event.preventDefault();
                this.play(!this.isPlaying);
            }
        });
        this.setRow(span.rows(this.run)[0]);
    },
};
