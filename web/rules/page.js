// SPDX-License-Identifier: MIT
// page.js - the rules of a game, with diagrams to play on. The texts are in GAME.js.

import { api } from '../app/common/api.js';
import { Diagram } from './diagram.js';
import { h, segmented } from '../app/common/dom.js';
import { boardOf } from '../boards/index.js';
import { rulesOf } from './index.js';
import { tr } from '../texts/index.js';

/** A paragraph; words between ** are bold. */
export const paragraph = (text) =>
  h(
    'p',
    {},
    text.split('**').map((part, i) => (i % 2 ? h('b', { text: part }) : part)),
  );

class RulesPage {
  constructor(main, catalog, about, BoardClass, rules) {
    this.about = about;
    this.BoardClass = BoardClass;
    this.rules = rules;
    this.diagrams = [];
    main.append(
      h(
        'article',
        { class: 'rules' },
        h(
          'header',
          { class: 'hero' },
          h('div', { class: 'hero-art' }, BoardClass.art(about)),
          h(
            'div',
            {},
            h('h1', { text: tr('How to play {name}', { name: about.name }) }),
            h('p', { text: tr('{sentence}.', { sentence: about.summary }) }),
            h('p', {}, h('a', { class: 'button primary', href: `#/new/${about.id}`, text: tr('New game') })),
          ),
        ),
        this.contents(catalog),
        rules.sections.map((section) => this.section(section)),
        rules.sections.length === 0 && h('p', { text: tr('Nobody has written the rules of this game yet.') }),
      ),
    );
  }

  /** Links to the sections of these rules, and to those of the other games. */
  contents(catalog) {
    const { about } = this;
    return h(
      'nav',
      { class: 'contents', 'aria-label': tr('Contents') },
      h(
        'ul',
        {},
        this.rules.sections.map(({ id, title }) => h('li', {}, h('a', { href: `#/rules/${about.id}?section=${id}`, text: title }))),
      ),
      h(
        'p',
        { class: 'quiet' },
        tr('Other games: '),
        catalog.games
          .filter(({ id }) => id !== about.id)
          .flatMap(({ id, name }, i) => [i ? tr(', ') : '', h('a', { href: `#/rules/${id}`, text: name })]),
      ),
    );
  }

  diagram(spec) {
    const diagram = new Diagram(this.about.id, this.BoardClass, spec);
    this.diagrams.push(diagram);
    return diagram;
  }

  section({ id, title, text, diagrams = [], gallery = null, wide = false, ruleSets = false }) {
    return h(
      'section',
      { id: `rules-${id}`, class: !wide && (gallery || diagrams.length === 1) ? 'beside' : '', 'aria-label': title, tabindex: -1 },
      h('div', { class: 'rules-text' }, h('h2', { text: title }), text.map(paragraph)),
      gallery && this.gallery(id, title, gallery),
      diagrams.length > 0 &&
        h(
          'div',
          { class: 'diagrams' },
          diagrams.map((spec) => this.diagram(spec).element),
        ),
      ruleSets && this.ruleSets(),
    );
  }

  /** One diagram for several pieces, with a button for each. */
  gallery(id, title, list) {
    const diagram = this.diagram(list[0]),
      text = h('p', { class: 'gallery-text', role: 'status' });
    const choose = (i) => {
      text.replaceChildren(h('b', { text: list[i].name }), `: ${list[i].text}`);
      if (diagram.spec !== list[i]) diagram.replace(list[i]);
    };
    choose(0);
    return h(
      'div',
      { class: 'gallery' },
      segmented(
        `gallery-${id}`,
        title,
        list.map(({ name }, i) => [String(i), name]),
        '0',
        (value) => choose(Number(value)),
      ),
      text,
      diagram.element,
    );
  }

  /** All variants of the game, with what makes each of them different. */
  ruleSets() {
    const { about, rules } = this;
    return h(
      'ul',
      { class: 'rule-sets' },
      about.variants.map(({ id, name }) =>
        h(
          'li',
          {},
          h('a', { href: `#/new/${about.id}?variant=${id}`, text: rules.variants[id]?.name ?? name }),
          rules.variants[id]?.text && h('span', { text: rules.variants[id].text }),
        ),
      ),
    );
  }

  close() {
    for (const diagram of this.diagrams) diagram.close();
  }
}

export async function open(main, [id], query, current) {
  const catalog = await api.catalog(),
    about = catalog.games.find((game) => game.id === id) ?? catalog.games[0],
    [BoardClass, rules] = await Promise.all([boardOf(about.id), rulesOf(about.id)]);
  if (!current()) return undefined;
  const page = new RulesPage(main, catalog, about, BoardClass, rules);
  document.title = tr('How to play {name} · Plyverse', { name: about.name });
  const wanted = query.get('section') && document.getElementById(`rules-${query.get('section')}`);
  if (wanted) {
    wanted.scrollIntoView();
    wanted.focus({ preventScroll: true });
  } else window.scrollTo(0, 0);
  return () => {
    document.title = 'Plyverse';
    page.close();
  };
}
