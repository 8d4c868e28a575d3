// SPDX-License-Identifier: MIT
// variants.js - choosing rules in players' words: variants as cards with previews, options as check boxes and lists.

import { api } from '../common/api.js';
import { attempt, dialog, field, h, select } from '../common/dom.js';
import { tr } from '../../texts/index.js';

/** Up to this many variants are shown as cards in the form; more are chosen in a dialog. */
const MAX_CARDS = 8;

/** The name and the text of a variant. */
const describe = (form, { id, name }) => ({ name, ...form.rulesText.variants[id] });

/** A variant's group: given with the rules, or the part of its name before a dash. */
const groupOf = (form, variant) => {
  const { name, group } = describe(form, variant);
  return group ?? (/^(.+?) - /.exec(name)?.[1] || name);
};

/** One radio button per variant, as a card. onpick(id) is called when one is chosen. */
function cards(form, variants, name, onpick, { previews = false, group = '' } = {}) {
  return h(
    'div',
    { class: previews ? 'variant-cards previews' : 'variant-cards', role: 'radiogroup', 'aria-label': tr('Rules') },
    variants.map((variant) => {
      const { name: title, text } = describe(form, variant);
      return h(
        'label',
        { class: 'variant-card' },
        h('input', {
          type: 'radio',
          name,
          value: variant.id,
          checked: variant.id === form.variant.id,
          onchange: () => onpick(variant.id),
        }),
        h(
          'span',
          { class: 'variant-face' },
          previews && preview(form, variant),
          h('b', { text: title.replace(`${group} - `, '') }),
          text && h('span', { text }),
        ),
      );
    }),
  );
}

/** The start of a variant in small, drawn when it comes into view. */
function preview(form, variant) {
  const box = h('span', { class: 'variant-preview', 'aria-hidden': 'true' }),
    observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      attempt(async () => {
        const view = await api.view({ game: form.about.id, variant: variant.id });
        box.append(form.BoardClass.preview(view, box));
      });
    });
  observer.observe(box);
  return box;
}

/** All variants in a dialog, by group, with previews. */
function chooseVariant(form, onpick) {
  const groups = Map.groupBy(form.about.variants, (variant) => groupOf(form, variant));
  return dialog(
    tr('Choose a variant'),
    (close) =>
      h(
        'div',
        { class: 'stack' },
        [...groups].map(([title, variants]) =>
          h(
            'section',
            { class: 'stack tight', 'aria-label': title },
            h('h3', { text: title }),
            cards(
              form,
              variants,
              'variant-in-dialog',
              (id) => {
                onpick(id);
                close();
              },
              { previews: Boolean(form.BoardClass.preview), group: title },
            ),
          ),
        ),
      ),
    { wide: true },
  );
}

/** The choice of a variant: cards, or the chosen one with a button for the others. */
export function variantPicker(form) {
  const { variants } = form.about;
  if (variants.length <= MAX_CARDS) return cards(form, variants, 'variant', (id) => form.setVariant(id));
  const chosen = h('div', { class: 'variant-chosen' });
  const show = () => {
    const { name, text } = describe(form, form.variant);
    chosen.replaceChildren(
      form.BoardClass.preview ? preview(form, form.variant) : '',
      h('div', {}, h('b', { text: name }), text ? h('p', { class: 'quiet', text }) : ''),
      h('button', {
        type: 'button',
        class: 'button',
        'data-do': 'variants',
        text: tr('Choose from {count} variants', { count: variants.length }),
        onclick: () =>
          chooseVariant(form, (id) => {
            form.setVariant(id);
            show();
          }),
      }),
    );
  };
  show();
  return chosen;
}

/** Check boxes for the bits of a number. */
function bitsField(label, { bits, zero }, value, onchange) {
  const boxes = bits.map(([bit, text]) => [
    bit,
    h('input', { type: 'checkbox', checked: Boolean(value & bit), onchange: () => changed() }),
    text,
  ]);
  const sum = () => boxes.reduce((total, [bit, box]) => total + (box.checked ? bit : 0), 0);
  const note = h('span', { class: 'field-help' });
  const changed = () => {
    note.textContent = zero && sum() === 0 ? zero : '';
    onchange(sum());
  };
  note.textContent = zero && value === 0 ? zero : '';
  return h(
    'fieldset',
    { class: 'check-boxes' },
    h('legend', { class: 'field-label', text: label }),
    boxes.map(([, box, text]) => h('label', { class: 'check' }, box, text)),
    note,
  );
}

const isSwitch = (values) => values?.length === 2 && values.every((value) => ['no', 'yes', 'off', 'on'].includes(value));

/** The field for an option; text: what the rules say about it, value: its setting, onchange(value). */
export function optionField({ name, values, low, high, help }, text = {}, value, onchange) {
  const label = text.label ?? name,
    note = text.label ? undefined : help;
  if (text.bits) return bitsField(label, text, Number(value), onchange);
  if (isSwitch(values))
    return h(
      'label',
      { class: 'check' },
      h('input', {
        type: 'checkbox',
        checked: value === values[1],
        onchange: (event) => onchange(values[event.target.checked ? 1 : 0]),
      }),
      label,
    );
  if (values)
    return field(
      label,
      select(
        values.map((choice) => [choice, text.values?.[choice] ?? choice]),
        value,
        onchange,
      ),
      note,
    );
  return field(
    label,
    h('input', { type: 'number', min: low, max: high, value, onchange: (event) => onchange(Number(event.target.value)) }),
    note,
  );
}
