// SPDX-License-Identifier: GPL-3.0-or-later
// Drives a headless Chromium through its debugging pipe: messages of JSON, each ended by a zero, on
// the descriptors 3 (to it) and 4 (from it). No package is needed beside node itself.
'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

class Browser {
    constructor(program) {
        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'halfarrow-browser-'));
        this.process = spawn(program, ['--headless=new', '--remote-debugging-pipe', '--no-sandbox',
            '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
            '--disable-background-networking', '--hide-scrollbars', '--force-color-profile=srgb',
            `--user-data-dir=${this.profile}`, 'about:blank'],
        { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
        this.next = 1;
        this.waiting = new Map();
        this.listeners = [];
        let text = '';
        this.process.stdio[4].setEncoding('utf8');
        this.process.stdio[4].on('data', (chunk) => {
            const messages = (text + chunk).split('\0');
            text = messages.pop();
            messages.forEach((message) => this.receive(JSON.parse(message)));
        });
        this.process.on('exit', () => {
            this.waiting.forEach(({ reject }) => reject(new Error('the browser ended')));
        });
    }

    receive(message) {
        const waiting = this.waiting.get(message.id);
        if (waiting) {
            this.waiting.delete(message.id);
            if (message.error) {
                waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
            } else {
                waiting.resolve(message.result);
            }
        } else {
            this.listeners.forEach((listener) => listener(message));
        }
    }

    send(method, params = {}, sessionId = undefined) {
        const id = this.next++;
        this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
        return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
    }

    // Opens a file in a new page of this size. The page notes all requests and complaints.
    async open(file, { width = 1280, height = 900, dark = false, still = false, scripts = true } = {}) {
        const { targetId } = await this.send('Target.createTarget', { url: 'about:blank' });
        const { sessionId } = await this.send('Target.attachToTarget', { targetId, flatten: true });
        const page = new Page(this, sessionId, targetId);
        await page.begin(width, height, dark, still, scripts);
        await page.load(file);
        return page;
    }

    async close() {
        const ended = new Promise((resolve) => this.process.on('exit', resolve));
        this.send('Browser.close').catch(() => {});
        const late = setTimeout(() => this.process.kill('SIGKILL'), 5000);
        await ended;
        clearTimeout(late);
        fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    }
}

class Page {
    constructor(browser, sessionId, targetId) {
        this.browser = browser;
        this.sessionId = sessionId;
        this.targetId = targetId;
        this.requests = [];
        this.complaints = [];
        this.loaded = null;
        browser.listeners.push((message) => {
            if (message.sessionId === sessionId) {
                this.hear(message.method, message.params);
            }
        });
    }

    send(method, params) {
        return this.browser.send(method, params, this.sessionId);
    }

    hear(method, params) {
        if (method === 'Network.requestWillBeSent') {
            this.requests.push(params.request.url);
        } else if (method === 'Runtime.exceptionThrown') {
            const details = params.exceptionDetails;
            this.complaints.push(`${details.text} ${details.exception?.description || ''}`);
        } else if (method === 'Runtime.consoleAPICalled' && params.type !== 'log') {
            this.complaints.push(params.args.map((a) => a.value || a.description).join(' '));
        } else if (method === 'Log.entryAdded') {
            this.complaints.push(params.entry.text);
        } else if (method === 'Page.loadEventFired' && this.loaded) {
            this.loaded();
        }
    }

    async begin(width, height, dark, still, scripts) {
        for (const domain of ['Page', 'Runtime', 'Log', 'Network']) {
            await this.send(domain + '.enable');
        }
        await this.send('Emulation.setDeviceMetricsOverride',
            { width, height, deviceScaleFactor: 1, mobile: width < 500 });
        await this.send('Emulation.setFocusEmulationEnabled', { enabled: true });
        await this.send('Emulation.setTouchEmulationEnabled', { enabled: width < 500 });
        await this.send('Emulation.setEmulatedMedia', { features: [
            { name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' },
            { name: 'prefers-reduced-motion', value: still ? 'reduce' : 'no-preference' }] });
        await this.send('Emulation.setScriptExecutionDisabled', { value: !scripts });
    }

    async load(file) {
        const loaded = new Promise((resolve) => { this.loaded = resolve; });
        await this.send('Page.navigate', { url: 'file://' + path.resolve(file) });
        await loaded;
    }

    // The value of an expression in the page; a promise is waited for.
    async value(expression) {
        const { result, exceptionDetails } = await this.send('Runtime.evaluate',
            { expression, returnByValue: true, awaitPromise: true });
        if (exceptionDetails) {
            throw new Error(`${expression}: ${exceptionDetails.exception?.description ||
                exceptionDetails.text}`);
        }
        return result.value;
    }

    // The middle of an element on the screen, which is scrolled to.
    middle(selector) {
        return this.value(`(() => {
            const element = document.querySelector(${JSON.stringify(selector)});
            element.scrollIntoView({ block: 'center' });
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height];
        })()`);
    }

    mouse(type, x, y, more = {}) {
        return this.send('Input.dispatchMouseEvent', { type, x, y, ...more });
    }

    async click(selector) {
        const [x, y] = await this.middle(selector);
        const button = { button: 'left', clickCount: 1 };
        await this.mouse('mouseMoved', x, y);
        await this.mouse('mousePressed', x, y, button);
        await this.mouse('mouseReleased', x, y, button);
    }

    // A finger that is put down and lifted.
    async tap(x, y) {
        await this.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
        await this.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    }

    async drag(from, to) {
        const held = { button: 'left', buttons: 1, clickCount: 1 };
        await this.mouse('mouseMoved', from[0], from[1]);
        await this.mouse('mousePressed', from[0], from[1], held);
        for (let i = 1; i <= 5; i++) {
            await this.mouse('mouseMoved', from[0] + (to[0] - from[0]) * i / 5,
                from[1] + (to[1] - from[1]) * i / 5, held);
        }
        await this.mouse('mouseReleased', to[0], to[1], { ...held, buttons: 0 });
    }

    // A key that is pressed; what the page does at it is done then, however busy the machine is.
    async key(key, code = key) {
        const text = key.length === 1 ? { text: key } : {};
        await this.value("void (window.heard = new Promise((done) => addEventListener('keyup', () => done(true), " +
            '{ capture: true, once: true })))');
        await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, ...text });
        await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code });
        await this.value('window.heard');
    }

    // Two frames: what was asked for is drawn.
    settle() {
        return this.value('new Promise((done) => requestAnimationFrame(() => ' +
            'requestAnimationFrame(() => done(true))))');
    }

    async screenshot(file, whole = false) {
        const { data } = await this.send('Page.captureScreenshot',
            { format: 'png', captureBeyondViewport: whole });
        fs.writeFileSync(file, Buffer.from(data, 'base64'));
    }

    close() {
        return this.browser.send('Target.closeTarget', { targetId: this.targetId });
    }
}

module.exports = { Browser };
