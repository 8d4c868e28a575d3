// SPDX-License-Identifier: MIT
// router.js - the part of the address after # names the page: #/game/12?node=4.

/** The address in parts: {path: ['game', '12'], query: URLSearchParams}. */
export function route() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

/** Goes to an address; replace drops the current one from the history. */
export function go(address, { replace = false } = {}) {
  if (replace) {
    history.replaceState(null, '', address);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
  } else location.hash = address;
}

/** Changes the address without opening it. */
export function note(address) {
  history.replaceState(null, '', address);
}
