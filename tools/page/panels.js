// SPDX-License-Identifier: GPL-3.0-or-later
// Plots that the program has put together (tools/page/page_panels.c): frequency responses, comparisons. Each
// is drawn when it comes into sight.

class Panel {
    constructor(place, packed) {
        Object.assign(this, packed);
        this.place = place;
        const curves = this.curves.map(([title, dash, look, colour, n, x, y]) => (
            { title, dash, look, colour, x: decodeSeries(x, n), y: decodeSeries(y, n) }));
        this.table = curves.map(({ x, y }) => this.points(x, y));
        this.series = curves.map((curve, i) => this.style(curve, i));
    }

    // Over ascending x; where two are the same the later one counts. What an axis cannot show is a gap.
    points(x, y) {
        const size = (value) => this.size ? Math.abs(value) : value;
        const order = Array.from(x, (value, i) => i).filter((i) => Number.isFinite(x[i]) && (!this.logX || x[i] > 0))
            .sort((a, b) => x[a] - x[b]).filter((i, k, all) => k === 0 || x[i] !== x[all[k - 1]]);
        return [order.map((i) => x[i]), order.map((i) => Number.isFinite(y[i]) &&
            (!this.logY || size(y[i]) > 0) ? size(y[i]) : null)];
    }

    style({ title, dash, look, colour, x }, i) {
        return {
            label: title, stroke: COLOURS[(colour > 0 ? colour - 1 : i) % COLOURS.length],
            dash: DASHES[dash % DASHES.length], width: 1.6,
            points: { show: look > 0 || x.length < 2 }, value: (chart, value) => show(value),
        };
    }

    axis(label, isLog, step) {
        const style = getComputedStyle(document.body);
        const ink = style.getPropertyValue('--pale').trim(), line = style.getPropertyValue('--line').trim();
        const isPower = (x) => Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9;
        return {
            label, labelSize: 22, labelFont: '13px system-ui, sans-serif', stroke: ink,
            grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 },
            values: (chart, splits) => splits.map((x) => x === null || (isLog && !isPower(x)) ? ''
                : Number(x.toPrecision(6)) + ''),
            ...(step > 0 ? { incrs: [step / 6, step / 2, step, 2 * step, 4 * step, 8 * step] } : {}),
        };
    }

    // Lines across the axes, and words at them.
    mark(chart) {
        const { left, top, width, height } = chart.bbox, ratio = devicePixelRatio, pen = chart.ctx;
        const style = getComputedStyle(document.body);
        pen.save();
        pen.fillStyle = pen.strokeStyle = style.getPropertyValue('--pale').trim();
        pen.font = `${12 * ratio}px system-ui, sans-serif`;
        pen.setLineDash([3 * ratio, 3 * ratio]);
        for (const [x, y, text] of this.guides) {
            const at = [x === null ? left : chart.valToPos(x, 'x', true),
                y === null ? top + height : chart.valToPos(y, 'y', true)];
            if (at[0] < left || at[0] > left + width || at[1] < top || at[1] > top + height) {
                continue;
            }
            if ((x === null) !== (y === null)) {
                pen.beginPath();
                pen.moveTo(at[0], x === null ? at[1] : top);
                pen.lineTo(x === null ? left + width : at[0], x === null ? at[1] : top + height);
                pen.stroke();
            }
            const right = at[0] + pen.measureText(text).width > left + width;
            pen.textAlign = right ? 'right' : 'left';
            pen.fillText(text, at[0] + (right ? -5 : 5) * ratio, at[1] - 6 * ratio);
        }
        pen.restore();
    }

    draw() {
        this.chart?.destroy();
        const distr = (isLog) => isLog ? { distr: 3 } : {};
        const data = this.table.length === 1 ? this.table[0] : uPlot.join(this.table);
        this.chart = new uPlot({
            width: this.width || Math.max(200, this.place.clientWidth), height: 260,
            cursor: { sync: { key: this.x }, drag: { x: true, y: false, dist: 6 } },
            scales: { x: { time: false, ...distr(this.logX) }, y: distr(this.logY) },
            series: [{ label: this.x, value: (chart, x) => show(x) }, ...this.series],
            axes: [this.axis(this.x, this.logX, 0), { ...this.axis(this.y, this.logY, this.step), size: 74 }],
            hooks: { draw: [(chart) => this.mark(chart)] },
        }, data, this.place);
    }
}

const drawnPanels = new Map(); // by place

function openPanel(place) {
    if (!drawnPanels.has(place)) {
        drawnPanels.set(place, new Panel(place, data.panels[Number(place.dataset.panel)]));
        drawnPanels.get(place).draw();
    }
}

function openPanels() {
    document.querySelectorAll('[data-panel]').forEach(openPanel);
}

function beginPanels() {
    const resized = new ResizeObserver((entries) => {
        for (const { target } of entries) {
            const chart = drawnPanels.get(target).chart;
            if (target.clientWidth > 0 && chart.width !== target.clientWidth) {
                chart.setSize({ width: Math.max(200, target.clientWidth), height: 260 });
            }
        }
    });
    const seen = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            if (isIntersecting) {
                openPanel(target);
                resized.observe(target);
            }
        }
    }, { rootMargin: '400px' });
    for (const place of document.querySelectorAll('[data-panel]')) {
        seen.observe(place);
    }
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
        drawnPanels.forEach((panel) => panel.draw());
    });
}
