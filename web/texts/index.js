// SPDX-License-Identifier: MIT
// index.js - the languages of the page.
//
// English texts stand in the code, inside tr() or trn(), and are the keys of the catalogues of the other languages
// (texts/LANGUAGE.js). What the server sends is English, too, and goes through trServer(). The language is chosen once,
// before any other module runs, so tr() may be used at the top level of a module. The language "pseudo" puts every text
// in brackets; the tests use it to find texts that bypass the catalogues.

import { readStored } from '../app/common/stored.js';

/** The languages to choose from: [id, its own name]. */
export const LANGUAGES = [
  ['en', 'English'],
  ['ja', '日本語'],
];
const CATALOGUES = { ja: () => import('./ja.js') };
const PSEUDO = 'pseudo';

/** The language of the page: the user's choice, or the first of the browser's languages that we have. */
function chooseLanguage() {
  const chosen = readStored().language ?? 'auto';
  if (chosen === PSEUDO || LANGUAGES.some(([id]) => id === chosen)) return chosen;
  const wanted = navigator.languages.map((tag) => tag.split('-')[0].toLowerCase());
  return wanted.find((tag) => LANGUAGES.some(([id]) => id === tag)) ?? 'en';
}

export const language = chooseLanguage();
document.documentElement.lang = language === PSEUDO ? 'en' : language;

/** page: English text -> text; server: the same for texts of the server, where {name} stands for anything. */
const { page, server } = CATALOGUES[language] ? (await CATALOGUES[language]()).default : { page: {}, server: {} };

/** Puts parameters in the place of {name}. */
const insert = (text, parameters) => text.replace(/\{(\w+)\}/g, (whole, name) => parameters[name] ?? whole);

/** A key without the context before it. */
const plain = (text) => text.slice(text.indexOf('|') + 1);

/**
 * A text in the language of the page; {name} stands for a parameter. Where one English word has several translations,
 * a context tells them apart: tr('shogi|king').
 */
export function tr(text, parameters = {}) {
  if (language === PSEUDO) return `⟦${insert(plain(text), parameters)}⟧`;
  return insert(page[text] ?? plain(text), parameters);
}

/** The same for a number of things: tr(one) if count is 1, else tr(other); {count} stands for the number. */
export const trn = (count, one, other, parameters = {}) => tr(count === 1 ? one : other, { count, ...parameters });

/** Texts of the server with parameters, as regular expressions: [expression, names, translation]. */
let patterns = null;
function makePatterns() {
  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return Object.entries(server)
    .filter(([text]) => text.includes('{'))
    .map(([text, translation]) => {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      return [
        new RegExp(
          `^${text
            .split(/\{\w+\}/)
            .map(escape)
            .join('(.+?)')}$`,
        ),
        names,
        translation,
      ];
    });
}

/**
 * A text of the server in the language of the page, or as it is if the catalogue does not have it. The catalogue may
 * have a translation of its own for a context, such as the id of a game, as "context|text".
 */
export function trServer(text, context = '') {
  if (!text) return '';
  if (language === PSEUDO) return `⟦${text}⟧`;
  const exact = server[`${context}|${text}`] ?? server[text];
  if (exact !== undefined) return exact;
  patterns ??= makePatterns();
  for (const [expression, names, translation] of patterns) {
    const found = expression.exec(text);
    if (found) return insert(translation, Object.fromEntries(names.map((name, i) => [name, trServer(found[i + 1])])));
  }
  return text;
}
