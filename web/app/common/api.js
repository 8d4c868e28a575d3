// SPDX-License-Identifier: MIT
// api.js - client of the server's JSON API (docs/openapi.json): requests, errors, event streams.

import { tr, trServer } from '../../texts/index.js';

/** An error response: the server's message, with the line and column if it gives them. */
export class ApiError extends Error {
  constructor(status, error) {
    const { message, line, column } = error,
      location = line && (column ? tr('line {line}, column {column}', { line, column }) : tr('line {line}', { line }));
    super(location ? `${trServer(message)} (${location})` : trServer(message));
    this.status = status;
    this.code = error.code;
    this.field = error.field;
  }
}

async function check(response) {
  if (response.ok) return response;
  let error = { code: 'http', message: tr('The server returned status {status}', { status: response.status }) };
  try {
    error = (await response.json()).error ?? error;
  } catch {
    /* not JSON: keep the default message */
  }
  throw new ApiError(response.status, error);
}

async function request(method, path, { query, body, signal, raw } = {}) {
  const url = new URL(`api/${path}`, document.baseURI);
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(key, value);
  }
  const init = { method, signal, headers: {} };
  if (raw !== undefined) {
    init.body = raw;
    init.headers['Content-Type'] = 'application/octet-stream';
  } else if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers['Content-Type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(url, init);
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Error(tr('The server is not responding. Is “plyverse serve” still running?'), { cause: error });
  }
  return check(response);
}

const json = async (...args) => {
  const response = await request(...args);
  return response.status === 204 ? null : response.json();
};

/** The catalog with its texts in the language of the page; the names of the players stay as they are. */
function translateCatalog(found) {
  const translate = (list) => {
    for (const item of list)
      for (const key of ['name', 'summary', 'help'])
        if (item[key] && typeof item[key] === 'string') item[key] = trServer(item[key], item.id);
  };
  translate(found.levels);
  translate(found.engines);
  translate(found.games);
  for (const { variants, formats, opening_rules: procedures } of found.games) [variants, formats, procedures].forEach(translate);
  for (const { options } of found.games) for (const option of options) option.help = trServer(option.help);
  return found;
}

/** Reads server-sent events until the stream ends, calling onEvent(name, data) for each. */
async function stream(path, query, onEvent, signal) {
  const response = await request('GET', path, { query, signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let pending = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending += value;
    for (let end; (end = pending.indexOf('\n\n')) >= 0; pending = pending.slice(end + 2)) {
      let name = 'message',
        data = '';
      for (const line of pending.slice(0, end).split('\n')) {
        if (line.startsWith('event:')) name = line.slice(6).trim();
        else if (line.startsWith('data:')) data += line.slice(5);
      }
      if (data) onEvent(name, JSON.parse(data));
    }
  }
}

let catalog = null;

export const api = {
  /** Games, rules, formats and engines; fetched once. */
  catalog: () =>
    (catalog ??= json('GET', 'catalog').then(translateCatalog, (error) => {
      catalog = null;
      throw error;
    })),
  tournament: () => json('GET', 'tournament'),
  startTournament: (plan) => json('POST', 'tournament', { body: plan }),
  stopTournament: () => json('DELETE', 'tournament'),
  /** The user's engines: {allowed, protocols, engines}. */
  engines: () => json('GET', 'engines'),
  addEngine: (engine) => json('POST', 'engines', { body: engine }),
  removeEngine: (id) => json('DELETE', `engines/${id}`),
  analysePosition: (query, onEvent, signal) => stream('analysis', query, onEvent, signal),
  /** Where other devices reach the server. */
  addresses: () => json('GET', 'addresses'),
  view: (position, signal) => json('POST', 'view', { body: position, signal }),
  opening: (acts, signal) => json('POST', 'opening', { body: acts, signal }),
  games: (query, signal) => json('GET', 'games', { query, signal }),
  create: (game) => json('POST', 'games', { body: game }),
  load: (id, signal) => json('GET', `games/${id}`, { signal }),
  patch: (id, change) => json('PATCH', `games/${id}`, { body: change }),
  remove: (id) => json('DELETE', `games/${id}`),
  node: (id, n, show, signal) => json('GET', `games/${id}/nodes/${n}`, { query: { show: show || undefined }, signal }),
  patchNode: (id, n, change) => json('PATCH', `games/${id}/nodes/${n}`, { body: change }),
  move: (id, node, move, more = {}) => json('POST', `games/${id}/moves`, { body: { node, move, ...more } }),
  claimTime: (id) => json('POST', `games/${id}/time`),
  engine: (id, settings, signal) => json('POST', `games/${id}/engine`, { body: settings, signal }),
  hint: (id, settings, signal) => json('POST', `games/${id}/hint`, { body: settings, signal }),
  values: (id, n, signal) => json('GET', `games/${id}/nodes/${n}/values`, { signal }),
  layout: (id, n, signal) => json('GET', `games/${id}/nodes/${n}/layout`, { signal }),
  import: (bytes, query) => json('POST', 'import', { query, raw: bytes }),
  export: async (id, query) => (await request('GET', `games/${id}/export`, { query })).arrayBuffer(),
  exportUrl: (id, query) => `api/games/${id}/export?${new URLSearchParams(query)}`,
  analyse: (id, n, query, onEvent, signal) => stream(`games/${id}/nodes/${n}/analysis`, query, onEvent, signal),
  explorer: (id, n, signal) => json('GET', `games/${id}/nodes/${n}/explorer`, { signal }),
  exportAllUrl: (query) => `api/export?${new URLSearchParams(query)}`,
  thumbnailUrl: (id) => `api/games/${id}/thumbnail`,
  puzzles: () => json('GET', 'puzzles'),
  savePuzzle: (result) => json('POST', 'puzzles', { body: result }),
  tryPuzzle: (tried) => json('POST', 'puzzles/try', { body: tried }),
  ownPuzzles: () => json('GET', 'puzzles/own'),
  puzzleSearch: () => json('GET', 'puzzles/search'),
  searchPuzzles: () => json('POST', 'puzzles/search'),
  stopPuzzleSearch: () => json('DELETE', 'puzzles/search'),
  report: (id) => json('GET', `games/${id}/report`),
  reports: () => json('GET', 'reports'),
  addReports: (games, more = {}) => json('POST', 'reports', { body: { games, ...more } }),
  cancelReport: (id) => json('DELETE', `games/${id}/report`),
  cancelReports: () => json('DELETE', 'reports'),
};
