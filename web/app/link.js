// SPDX-License-Identifier: MIT
// link.js - opens a shared link, #/at?game=..&variant=..&position=..&moves=.., as a new game.

import { api } from './api.js';
import { go } from './router.js';

export async function open(main, path, query) {
  const wanted = Object.fromEntries(
    ['game', 'variant', 'position', 'moves', 'title'].map((key) => [key, query.get(key)]).filter(([, value]) => value),
  );
  const game = await api.create({ ...wanted, players: [{ kind: 'person' }, { kind: 'person' }] });
  const end = game.tree[game.tree.length - 1].n;
  go(`#/game/${game.id}?node=${end}`, { replace: true });
}
