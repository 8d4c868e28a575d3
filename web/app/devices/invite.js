// SPDX-License-Identifier: MIT
// invite.js - the dialog that invites a second device to a game, by link or QR code.

import { api } from '../common/api.js';
import { copyText, dialog, field, h, icon, segmented, select, toast } from '../common/dom.js';
import { seatOf, takeSeat } from './follow.js';
import { qrCode } from './qr.js';
import { svg } from '../../boards/svg.js';
import { tr } from '../../texts/index.js';

/** Starts a server that other devices can reach. */
const COMMAND = ['plyverse', 'serve', '--host', '0.0.0.0'].join(' ');
/** Light modules around a QR code. */
const QUIET = 4;

/** A QR code as a picture: dark on light, whatever the theme. */
function qrPicture(text) {
  const rows = qrCode(text);
  if (!rows) return '';
  const size = rows.length + 2 * QUIET,
    d = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ''))).join('');
  return svg(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, class: 'qr', role: 'img', 'aria-label': tr('QR code of the link'), 'shape-rendering': 'crispEdges' },
    svg('rect', { width: size, height: size, fill: '#fff' }),
    svg('path', { d, fill: '#000' }),
  );
}

/** What to do on a server that other devices cannot reach. */
const notReachable = () =>
  h(
    'div',
    { class: 'stack' },
    h('p', { text: tr('Only this computer can reach the server. To invite another device, start it for your network:') }),
    h('pre', { class: 'command', translate: 'no', text: COMMAND }),
    h('p', { class: 'quiet', text: tr('Use it in a network that you trust: the link contains the key to your library.') }),
  );

export async function inviteDialog(page) {
  const { addresses } = await api.addresses();
  await dialog(tr('Invite another device'), (close) => {
    if (!addresses.length) return notReachable();
    const state = { address: addresses[0], side: seatOf(page.id) === null ? 1 : 1 - seatOf(page.id) },
      picture = h('div', { class: 'qr-box' }),
      link = h('input', { type: 'text', readonly: true, 'aria-label': tr('Link') });
    const show = () => {
      link.value = `${state.address}#/game/${page.id}?seat=${state.side}`;
      picture.replaceChildren(qrPicture(link.value));
    };
    show();
    return h(
      'div',
      { class: 'stack' },
      h('p', { text: tr('Open this link on the other device, or scan the code with its camera.') }),
      h(
        'div',
        { class: 'field' },
        h('span', { class: 'field-label', text: tr('The other device plays') }),
        segmented(
          'seat',
          tr('The other device plays'),
          page.names.map((name, side) => [String(side), name]),
          String(state.side),
          (value) => {
            state.side = Number(value);
            show();
          },
        ),
      ),
      addresses.length > 1 &&
        field(
          tr('Address'),
          select(
            addresses.map((address) => [address, new URL(address).host]),
            state.address,
            (value) => {
              state.address = value;
              show();
            },
            { translate: 'no' },
          ),
        ),
      picture,
      link,
      h(
        'div',
        { class: 'actions' },
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: async () => {
              await copyText(link.value);
              toast(tr('Link copied'));
            },
          },
          icon('copy'),
          tr('Copy'),
        ),
        h('button', {
          type: 'button',
          class: 'button primary',
          'data-do': 'take-seat',
          text: tr('Play the other side here'),
          onclick: () => {
            takeSeat(page.id, 1 - state.side);
            page.seat = 1 - state.side;
            page.flipped = page.board.constructor.flipsFor(page.seat, page.colours);
            page.render();
            close();
          },
        }),
      ),
    );
  });
}
