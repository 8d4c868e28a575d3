// SPDX-License-Identifier: MIT
// link.js - opens a shared link, #/at?game=..&variant=..&position=..&moves=... The first time it becomes a new game in
// the library, after that the same game is opened again.

import { api } from '../common/api.js';
import { go } from '../common/router.js';

export async function open(main, path, query) {
  const wanted = Object.fromEntries(
    ['game', 'variant', 'position', 'moves', 'title'].map((key) => [key, query.get(key)]).filter(([, value]) => value),
  );
  const { id, tree } = await api.create({ ...wanted, shared: true, players: [{ kind: 'person' }, { kind: 'person' }] });
  // The game may have grown since it was first opened: follow the moves of the link.
  let node = tree[0];
  for (const move of (wanted.moves ?? '').split(' ').filter(Boolean)) {
    const next = node.children.map((n) => tree[n]).find((child) => child.move === move);
    if (!next) break;
    node = next;
  }
  go(`#/game/${id}?node=${node.n}`, { replace: true });
}
