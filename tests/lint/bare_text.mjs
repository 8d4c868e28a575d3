// SPDX-License-Identifier: MIT
// bare_text.mjs - an eslint rule: text for people goes through tr(), trn() or trServer(), so that it can be translated.
//
// A string counts as text if it has two words, or is one capitalised word. Names of classes, attributes, selectors and
// keys are not text.

const TEXT = /[a-z]{2,}[,;:.…’”)!?]? [a-zA-Z“(]|^[A-Z][a-z]+[’'a-z]*[.…!?]?$|[a-z]… ?$/;
const NOT_TEXT =
  /^(page page-|board board-|ruler ruler-|translate|pointer pointer-|Arrow$|Plyverse$|Plyverse Kanji$|sans-serif|@font-face|[.][a-z])/;
const ATTRIBUTES = new Set([
  'class',
  'className',
  'd',
  'viewBox',
  'transform',
  'style',
  'href',
  'pref',
  'id',
  'type',
  'role',
  'preserveAspectRatio',
  'moves',
  'position',
]);
const TRANSLATORS = new Set(['tr', 'trn', 'trServer']);
const NAMES_ONLY = new Set([
  ...['querySelector', 'querySelectorAll', 'closest', 'matches', 'addEventListener', 'removeEventListener', 'getAttribute'],
  ...['removeAttribute', 'add', 'toggle', 'remove', 'contains', 'icon', 'get', 'set', 'matchMedia', 'getContext', 'startsWith', 'includes'],
]);

const textOf = (node) => (node.type === 'Literal' ? node.value : node.quasis.map(({ value }) => value.cooked).join('{}'));
const calleeName = ({ callee }) => callee.name ?? callee.property?.name;

/** Whether a string stands where no text for people can stand, or where it is translated. */
function isExempt(node) {
  const { parent } = node;
  if (/^(Import|Export)/.test(parent.type) || parent.type === 'SwitchCase') return true;
  if (parent.type === 'Property' && parent.key === node) return true;
  if (parent.type === 'BinaryExpression' && parent.operator.includes('==')) return true;
  for (let child = node, up = parent; up; child = up, up = up.parent) {
    if (up.type === 'Property' && up.value === child) {
      const key = String(up.key.name ?? up.key.value);
      if (ATTRIBUTES.has(key) || /^(data-|stroke|fill)/.test(key)) return true;
    }
    if (up.type === 'AssignmentExpression' && ATTRIBUTES.has(up.left.property?.name)) return true;
    if (up.type === 'CallExpression' && up.callee !== child) {
      const name = calleeName(up);
      return (
        TRANSLATORS.has(name) ||
        NAMES_ONLY.has(name) ||
        (['h', 'svg', 'element', 'setAttribute'].includes(name) && up.arguments[0] === child) ||
        (name === 'element' && up.arguments[1] === child)
      );
    }
    if (up.type.includes('Function')) return false;
  }
  return false;
}

export default {
  meta: { type: 'problem', messages: { bare: 'Text for people goes through tr() (web/texts/index.js): {{text}}' } },
  create(context) {
    const check = (node) => {
      const text = textOf(node);
      if (typeof text === 'string' && TEXT.test(text) && !NOT_TEXT.test(text) && !isExempt(node))
        context.report({ node, messageId: 'bare', data: { text: text.slice(0, 60) } });
    };
    return { Literal: check, TemplateLiteral: check };
  },
};
