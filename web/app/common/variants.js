// SPDX-License-Identifier: MIT
// variants.js - what players call the variants of the games, in a word or two.

import { tr } from '../../texts/index.js';

export const VARIANT_NAMES = {
  shogi: { standard: tr('Even game') },
  checkers: {
    english: tr('English (American checkers)'),
    russian: tr('Russian (shashki)'),
    brazilian: tr('Brazilian'),
    pool: tr('Pool checkers'),
    italian: tr('Italian (dama)'),
    spanish: tr('Spanish (damas)'),
    czech: tr('Czech'),
    thai: tr('Thai (makhos)'),
  },
  neighbours: { slide: tr('Slide'), jump: tr('Jump') },
  gomoku: {
    freestyle: tr('Freestyle'),
    standard: tr('Standard'),
    renju: tr('Renju'),
    caro: tr('Caro'),
    'caro-overline': tr('Caro with overlines'),
  },
};

/** The name of a variant of the catalog; about: its game. */
export const variantName = (about, { id, name }) => VARIANT_NAMES[about.id]?.[id] ?? name;

/** Variants as [id, name] pairs, for a list to choose from. */
export const variantChoices = (about) => about.variants.map((variant) => [variant.id, variantName(about, variant)]);

/** How a list of games, or the page of one, names the rules; '' for a game's usual rules, if they have no other name. */
export function rulesName(about, rules) {
  const [id, options] = rules.split(':'),
    variant = about?.variants.find((candidate) => candidate.id === id);
  if (!variant) return rules;
  const name = variant.name === about.name ? '' : variantName(about, variant);
  return options ? `${name || variantName(about, variant)} (${options})` : name;
}
