// SPDX-License-Identifier: GPL-3.0-or-later
// The site, opened as files: nobody complains, nothing comes from elsewhere, no page is wider than a small
// screen, and the search finds things.
//
//   node site.js PROGRAM-OF-THE-BROWSER HALFARROW EXAMPLES DIRECTORY
'use strict';

const fs = require('fs');
const path = require('path');
const { check, directory, runTests } = require('./harness.js');

const PHONE = { width: 390, height: 844 };

function pages(folder) {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
        const name = path.join(folder, entry.name);
        return entry.isDirectory() ? pages(name) : name.endsWith('.html') ? [name] : [];
    });
}

async function testPages(browser) {
    const all = pages(directory).filter((name) => path.basename(name) !== '404.html'); // for servers
    check(all.length > 30, `only ${all.length} pages`);
    for (const name of all) {
        const page = await browser.open(name, PHONE);
        await page.settle();
        check(page.complaints.length === 0, `${name}: ${page.complaints.join('; ')}`);
        check(page.requests.every((url) => /^(file|data):/.test(url)), `${name}: requests ${page.requests.join(' ')}`);
        const width = await page.value('document.documentElement.scrollWidth');
        check(width <= PHONE.width, `${name}: ${width} px wide`);
        await page.close();
    }
}

async function testSearch(browser) {
    const page = await browser.open(path.join(directory, 'search.html'), PHONE);
    const search = (words) => page.value(`(async () => {
        const field = document.getElementById('mkdocs-search-query');
        const place = document.getElementById('mkdocs-search-results');
        for (let tries = 0; place.textContent.trim() === ''; tries++) {
            if (tries === 6000) {
                throw new Error('the search has not begun');
            }
            await new Promise((done) => setTimeout(done, 10));
        }
        field.value = ${JSON.stringify(words)};
        field.dispatchEvent(new Event('input'));
        return [...place.querySelectorAll('a')].map((link) => link.getAttribute('href'));
    })()`);
    for (const [words, wanted] of [['lugre', 'doc/contact.html'], ['excavator', 'doc/learn/gallery.html'],
        ['Monte Carlo', 'doc/learn/cookbook.html'], ['O.fx: "force"', 'doc/']]) {
        const found = await search(words);
        check(found.some((link) => link.includes(wanted)), `${words}: found ${found.slice(0, 5)}`);
        check(found.every((link) => fs.existsSync(path.join(directory, link.replace(/#.*/, '')))), `${words}: ${found}`);
    }
    check((await search('xyzzy')).length === 0, 'what is nowhere is found');
    check(page.complaints.length === 0, `search: ${page.complaints.join('; ')}`);
    await page.close();
}

runTests(testPages, testSearch);
