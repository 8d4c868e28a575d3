// SPDX-License-Identifier: MIT
// Compares our SGF with @sabaki/sgf and our RenjuNet XML with fast-xml-parser, reading and writing random games.
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import sgf from '@sabaki/sgf'
import { XMLParser, XMLBuilder } from 'fast-xml-parser'

const [plyverse, work, rounds] = [process.argv[2], process.argv[3], +process.argv[4]]
let passed = 0, failed = 0

function check(name, got, wanted) {
  const a = JSON.stringify(got), b = JSON.stringify(wanted)
  if (a === b) { passed++; return }
  failed++
  console.log(`${name}:\n  got    ${a}\n  wanted ${b}`)
}

let seed = 12345
const below = n => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0, (seed >>> 8) % n)

function convert(to, from, variant, text) {
  const file = `${work}/in.${from}`
  writeFileSync(file, text)
  return execFileSync(plyverse, ['convert', 'gomoku', '--from', from, '--to', to, '--variant', variant, file],
    { encoding: 'utf8', maxBuffer: 1 << 28 })
}

// --- trees: {x, y, comment, children}; x and y count from the top left corner ---
const words = ['good]', 'a\\b', 'so: it goes', 'ein Zug für Weiß', '(;B[aa])', 'x [y] z', '三三禁']
function randomTree(side, depth, used) {
  const node = { children: [] }
  if (below(4) === 0) node.comment = words[below(words.length)]
  const branches = depth === 0 ? 0 : below(6) === 0 ? 2 : 1
  const here = new Set(used)
  for (let i = 0; i < branches; i++) {
    let cell
    do cell = below(side * side)
    while (here.has(cell))
    here.add(cell)
    const child = randomTree(side, depth - 1, new Set([...used, cell]))
    child.x = cell % side
    child.y = Math.floor(cell / side)
    node.children.push(child)
  }
  return node
}
const letter = i => String.fromCharCode(i < 26 ? 97 + i : 65 + i - 26)
const name = (side, n) => letter(n.x) + (side - n.y)

// A tree as @sabaki/sgf represents it: every move is a child, also in a sequence without branches.
function toSabaki(node, black, root) {
  const data = root ? { GM: ['4'], FF: ['4'], SZ: [String(root)] } : { [black ? 'B' : 'W']: [letter(node.x) + letter(node.y)] }
  if (node.comment) data.C = [node.comment]
  return { data, children: node.children.map(c => toSabaki(c, root ? true : !black)) }
}
// A tree as our JSON represents it: the main variation as a list, the others beside the move they replace.
function toMoves(side, children) {
  if (children.length === 0) return []
  const [first, ...others] = children
  const move = { move: name(side, first) }
  if (first.comment) move.comment = first.comment
  if (others.length) move.variations = others.map(o => toMoves(side, [o]))
  return [move, ...toMoves(side, first.children)]
}
function sabakiToMoves(side, children) {
  const plain = n => {
    const [x, y] = (n.data.B ?? n.data.W)[0]
    const number = c => c >= 'a' ? c.charCodeAt(0) - 97 : c.charCodeAt(0) - 65 + 26
    return { x: number(x), y: number(y), comment: n.data.C?.[0], children: n.children.map(plain) }
  }
  return toMoves(side, children.map(plain))
}
// We write the input ourselves, with escapes by the book: their writer is not under test.
const text = t => t.replace(/[\\\]]/g, '\\$&')
function write(node) {
  const properties = Object.entries(node.data).map(([k, v]) => k + v.map(t => `[${text(t)}]`).join('')).join('')
  const children = node.children.length === 1 ? write(node.children[0]) : node.children.map(c => `(${write(c)})`).join('\n')
  return ';' + properties + children
}

for (let i = 0; i < rounds; i++) {
  const side = [15, 19, 9][below(3)]
  const trees = Array.from({ length: 20 }, () => randomTree(side, 1 + below(side === 9 ? 4 : 12), new Set()))
  const collection = trees.map(t => `(${write(toSabaki(t, true, side))})`).join('\n')
  const ours = convert('json', 'sgf', 'freestyle', collection).trim().split('\n').map(l => JSON.parse(l))
  const again = sgf.parse(convert('sgf', 'sgf', 'freestyle', collection))
  const theirs = sgf.parse(collection)
  trees.forEach((tree, k) => {
    const moves = toMoves(side, tree.children)
    check('sgf read', [ours[k]?.comment, ours[k]?.moves], [tree.comment, moves])
    check('sgf as sabaki reads the same text', sabakiToMoves(side, theirs[k].children), moves)
    check('sgf written, read by sabaki', [again[k]?.data.C?.[0], sabakiToMoves(side, again[k].children)], [tree.comment, moves])
  })
}

// --- the RenjuNet database ---
const attributes = { ignoreAttributes: false, attributeNamePrefix: '@' , parseAttributeValue: false, parseTagValue: false }
for (let i = 0; i < rounds; i++) {
  const games = Array.from({ length: 10 }, (_, k) => {
    const moves = []
    while (moves.length < 1 + k) {
      const m = letter(below(15)) + (1 + below(15))
      if (!moves.includes(m)) moves.push(m)
    }
    return { moves, black: `A & "${k}" <x>`, white: "O'B é", result: ['1', '0', '0.5'][below(3)] }
  })
  const xml = new XMLBuilder({ ...attributes, format: below(2) === 1, suppressEmptyNode: true }).build({
    '?xml': { '@version': '1.0' },
    database: {
      players: { player: games.flatMap((g, k) => [{ '@id': String(2 * k + 1), '@name': g.black }, { '@id': String(2 * k + 2), '@surname': g.white }]) },
      games: { game: games.map((g, k) => ({ '@id': String(k), '@black': String(2 * k + 1), '@white': String(2 * k + 2), '@bresult': g.result, move: g.moves.join(' ') })) },
    },
  })
  const ours = convert('json', 'renjuxml', 'renju', xml).trim().split('\n').map(l => JSON.parse(l))
  const doc = new XMLParser({ ...attributes, isArray: t => t === 'game' || t === 'player' || t === 'games' || t === 'players' })
    .parse(convert('renjuxml', 'renjuxml', 'renju', xml)).database
  const people = Object.fromEntries(doc.players.flatMap(p => p.player).map(p => [p['@id'], p['@name']]))
  const written = doc.games.flatMap(g => g.game)
  const score = { '1': '1-0', '0': '0-1', '0.5': '1/2-1/2' }
  games.forEach((g, k) => {
    check('xml read', [ours[k]?.tags.Black, ours[k]?.tags.White, ours[k]?.result, ours[k]?.moves.map(m => m.move)],
      [g.black, g.white, score[g.result], g.moves])
    const w = written[k]
    check('xml written', [people[w['@black']], people[w['@white']], w['@bresult'], w.move], [g.black, g.white, g.result, g.moves.join(' ')])
  })
}

// --- the games of Go in the tests of @sabaki/sgf, in many encodings: none is gomoku, and one line says why ---
const samples = new URL('./node_modules/@sabaki/sgf/tests/sgf/', import.meta.url).pathname
for (const file of readdirSync(samples)) {
  const done = spawnSync(plyverse, ['convert', 'gomoku', '--from', 'sgf', '--to', 'pos', samples + file], { encoding: 'utf8' })
  check(file, [done.status, done.stdout, done.stderr.split('\n').length], [2, '', 2])
}

console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
