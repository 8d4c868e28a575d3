// SPDX-License-Identifier: MIT
// router.js - the part of the address after # names the page: #/game/12?node=4.

/** Parses the address: {path: ['game', '12'], query: URLSearchParams}. */
export function route() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

/** Opens an address; replace removes the current one from the browser's history. */
export function go(address, { replace = false } = {}) {
  if (replace) {
    history.replaceState(null, '', address);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else location.hash = address;
}

/** Changes the address shown without opening it. */
export function replaceAddress(address) {
  history.replaceState(null, '', address);
}
