// SPDX-License-Identifier: GPL-3.0-or-later
// The search of the site. That of mkdocs needs a server: browsers start no worker from a file and load
// no data. Here the index is a script as well, so that the pages may lie in a folder.
'use strict';

const addScript = (name) => new Promise((done) => {
    const script = document.createElement('script');
    script.src = `${base_url}/search/${name}`;
    script.onload = done;
    document.head.append(script);
});

function makeIndex() {
    lunr.tokenizer.separator = new RegExp(search_index.config.separator);
    return lunr(function () {
        this.ref('location');
        this.field('title', { boost: 10 });
        this.field('text');
        search_index.docs.forEach((doc) => this.add(doc));
    });
}

function find(index, words) {
    try {
        return index.search(words);
    } catch (error) { // signs that lunr has for itself
        return index.search(words.replace(/[^\p{L}\p{N}]+/gu, ' '));
    }
}

async function beginSearch(field, place) {
    await addScript('lunr.js');
    await addScript('index.js');
    const index = makeIndex(), docs = new Map(search_index.docs.map((doc) => [doc.location, doc]));
    const show = () => {
        const found = field.value.trim() === '' ? [] : find(index, field.value).map(({ ref }) => docs.get(ref));
        place.replaceChildren(...found.map((doc) => {
            const article = document.createElement('article'), link = document.createElement('a');
            link.href = `${base_url}/${doc.location}`;
            link.textContent = doc.title;
            article.append(document.createElement('h3'), document.createElement('p'));
            article.firstChild.append(link);
            article.lastChild.textContent = doc.text.slice(0, 200);
            return article;
        }));
        if (found.length === 0) {
            place.textContent = 'Nothing found';
        }
    };
    field.value = new URLSearchParams(location.search).get('q') || '';
    field.addEventListener('input', show);
    show();
}

if (document.getElementById('mkdocs-search-results')) {
    beginSearch(document.getElementById('mkdocs-search-query'), document.getElementById('mkdocs-search-results'));
}
