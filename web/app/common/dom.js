// SPDX-License-Identifier: MIT
// dom.js - elements, icons, dialogs, menus and messages. Knows nothing about games.

import { tr } from '../../texts/index.js';

/** Japanese text, by its kana, kanji and wide characters. */
const JAPANESE = /[\u3000-\u30ff\u4e00-\u9fff\uff00-\uffef]/;

/** English prose: two words. */
const ENGLISH = /[A-Za-z]{2,} [A-Za-z]/;

/** Sets the text of an element, and its language if that is not the language of the page. */
export function setText(element, text) {
  const language = JAPANESE.test(text) ? 'ja' : ENGLISH.test(text) ? 'en' : null;
  element.textContent = text;
  if (language && language !== document.documentElement.lang) element.lang = language;
  else element.removeAttribute('lang');
}

/**
 * Makes an element. In props, on* adds a listener, text and class set content and class names, and everything
 * else becomes an attribute or property. Null, undefined and false props and children are left out.
 */
export function h(name, props = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'text') setText(element, value);
    else if (key === 'class') element.className = value;
    else if (key === 'value' || key === 'checked' || key === 'selected' || key === 'disabled') element[key] = value;
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const ICONS = {
  settings:
    'M4 7H13M19 7H20M16 7m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0M4 17H5M11 17H20M8 17m-2.6 0a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0-5.2 0',
  first: 'M18 6L10 12L18 18M6 6V18',
  back: 'M15 5L8 12L15 19',
  forward: 'M9 5L16 12L9 19',
  last: 'M6 6L14 12L6 18M18 6V18',
  flip: 'M7 4V20M7 20L3.5 16.5M7 20L10.5 16.5M17 20V4M17 4L13.5 7.5M17 4L20.5 7.5',
  play: 'M8 5L19 12L8 19Z',
  pause: 'M8 5V19M16 5V19',
  bulb: 'M9 18H15M10 21H14M8.5 15C6 13.5 5 11.5 5 9.5A7 7 0 0 1 19 9.5C19 11.5 18 13.5 15.5 15Z',
  share: 'M12 15V4M12 4L8 8M12 4L16 8M5 12V20H19V12',
  link: 'M10 14A4 4 0 0 0 16 14L19 11A4 4 0 0 0 13 5L12 6M14 10A4 4 0 0 0 8 10L5 13A4 4 0 0 0 11 19L12 18',
  more: 'M5 12H5.01M12 12H12.01M19 12H19.01',
  close: 'M6 6L18 18M18 6L6 18',
  plus: 'M12 5V19M5 12H19',
  minus: 'M5 12H19',
  edit: 'M4 20L5 16L16 5L19 8L8 19Z',
  copy: 'M9 9H20V20H9ZM15 9V4H4V15H9',
  bin: 'M5 7H19M10 7V4H14V7M7 7L8 20H16L17 7M10.5 11V16M13.5 11V16',
  restore: 'M5 12A7 7 0 1 0 8 6.3M8 3V7H12',
  file: 'M6 3H14L19 8V21H6ZM14 3V8H19',
  flag: 'M6 21V4M6 5C10 2 13 8 18 5V13C13 16 10 10 6 13',
  fit: 'M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15',
  undo: 'M8 5L4 9L8 13M4 9H14A5 5 0 0 1 14 19H9',
  check: 'M5 13L10 18L19 7',
  search: 'M10.5 10.5m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0M15 15L20 20',
  chart: 'M4 19L9 12L13 15L20 6',
  target: 'M12 12m-8 0a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 8V16M8 12H16',
  grid: 'M5 5H19V19H5ZM5 12H19M12 5V19',
  up: 'M12 19V5M12 5L6 11M12 5L18 11',
  help: 'M9 9.5A3 3 0 1 1 13.2 12.2C12.3 12.7 12 13.2 12 14.5M12 18H12.01',
};

/** A 24x24 icon, hidden from screen readers. */
export function icon(name) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  element.setAttribute('viewBox', '0 0 24 24');
  element.setAttribute('class', 'glyph');
  element.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', ICONS[name]);
  element.append(path);
  return element;
}

/** A button with an icon. The label is its accessible name and its tooltip. */
export function iconButton(name, label, onclick, props = {}) {
  return h('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick, ...props }, icon(name));
}

/** Shows a message in the header for a few seconds, in place of the one before; action {text, run} adds a button. */
export function toast(message, { error = false, action = null, seconds = error ? 8 : 5 } = {}) {
  const box = h(
    'div',
    { class: error ? 'toast error' : 'toast' },
    h('span', { text: message }),
    action &&
      h('button', {
        type: 'button',
        class: 'link',
        text: action.text,
        onclick: () => {
          box.remove();
          action.run();
        },
      }),
    iconButton('close', tr('Dismiss'), () => box.remove()),
  );
  document.getElementById('toasts').replaceChildren(box);
  setTimeout(() => box.remove(), seconds * 1000);
}

/** Announces text to screen readers. */
export function announce(text) {
  const log = document.getElementById('announcements');
  log.append(h('p', { text }));
  while (log.children.length > 4) log.firstChild.remove();
}

/** Runs an action; an error becomes a message. Resolves with the action's result, or undefined after an error. */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (error.name !== 'AbortError') toast(error.message, { error: true });
    return undefined;
  }
}

/** Opens a modal dialog. build(close) returns its content; the promise resolves with what is passed to close. */
export function dialog(title, build, { wide = false } = {}) {
  return new Promise((resolve) => {
    let answer;
    const element = h('dialog', { class: wide ? 'sheet wide' : 'sheet', 'aria-label': title });
    const close = (value) => {
      answer = value;
      element.close();
    };
    element.append(
      h(
        'div',
        { class: 'sheet-head' },
        h('h2', { text: title }),
        iconButton('close', tr('Close'), () => close()),
      ),
      h('div', { class: 'sheet-body' }, build(close)),
    );
    element.addEventListener('close', () => {
      element.remove();
      resolve(answer);
    });
    element.addEventListener('click', (event) => {
      if (event.target === element) close();
    });
    document.body.append(element);
    element.showModal();
  });
}

/** A labelled form field, with help text below it if given. */
export function field(label, control, help) {
  return h(
    'label',
    { class: 'field' },
    h('span', { class: 'field-label', text: label }),
    control,
    help && h('span', { class: 'field-help', text: help }),
  );
}

/** A drop-down list of [value, text] pairs; a third member holds further properties of an option. */
export function select(pairs, value, onchange, props = {}) {
  return h(
    'select',
    { ...props, onchange: (event) => onchange?.(event.target.value) },
    pairs.map(([id, text, more]) => h('option', { value: id, text, selected: String(id) === String(value), ...more })),
  );
}

/** A radio group drawn as a row of buttons. */
export function segmented(name, label, pairs, value, onchange) {
  return h(
    'fieldset',
    { class: 'segmented' },
    h('legend', { class: 'visually-hidden', text: label }),
    pairs.map(([id, text]) =>
      h(
        'label',
        {},
        h('input', { type: 'radio', name, value: id, checked: id === value, onchange: () => onchange(id) }),
        h('span', { text }),
      ),
    ),
  );
}

/** Copies text to the clipboard, through a selection where the clipboard API is not available. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h('textarea', { value: text, class: 'visually-hidden' });
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/** Opens a menu under a button. Items are [icon, text, run], or null for a separator. */
export function menu(anchor, items) {
  document.querySelector('.menu')?.remove();
  const close = () => {
    box.remove();
    anchor.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside, true);
  };
  const outside = (event) => {
    if (!box.contains(event.target) && event.target !== anchor) close();
  };
  const box = h(
    'div',
    { class: 'menu', role: 'menu' },
    items.map((item) =>
      item === null
        ? h('hr')
        : h(
            'button',
            {
              type: 'button',
              role: 'menuitem',
              onclick: () => {
                close();
                item[2]();
              },
            },
            icon(item[0]),
            h('span', { text: item[1] }),
          ),
    ),
  );
  box.addEventListener('keydown', (event) => {
    const buttons = [...box.querySelectorAll('button')],
      at = buttons.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      close();
      anchor.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length].focus();
    }
    event.stopPropagation();
  });
  document.body.append(box);
  const below = anchor.getBoundingClientRect(),
    size = box.getBoundingClientRect();
  box.style.left = `${Math.max(8, Math.min(below.right - size.width, innerWidth - size.width - 8))}px`;
  box.style.top = `${below.bottom + size.height + 8 < innerHeight ? below.bottom + 4 : Math.max(8, below.top - size.height - 4)}px`;
  anchor.setAttribute('aria-expanded', 'true');
  document.addEventListener('pointerdown', outside, true);
  box.querySelector('button').focus();
}
