// SPDX-License-Identifier: MIT
// puzzles.js - Japanese texts of the puzzles (app/puzzles.js).

export default {
  Puzzles: '問題集',
  'Tsume shogi': '詰将棋',
  'Renju: win with fours': '連珠：四追い',
  'Gomoku: win with fours': '五目並べ：四追い',
  'Checkers endings': 'チェッカーの終盤',
  'Neighbours endings': 'ネイバーズの終盤',
  'From a file': 'ファイルから',
  'Mate with checks only: {player} to move.': '王手の連続で詰ませてください。{player}番です。',
  'Win with fours only: {player} to move.': '四の連続で勝ってください。{player}番です。',
  'Find the only move that wins: {player} to move.': '唯一の勝つ手を見つけてください。{player}番です。',
  'File with puzzles': '問題のファイル',
  'The file has no puzzles. “plyverse puzzles” writes such files.': '問題がありません。「plyverse puzzles」で作れます。',
  '{done} of {total} solved': '{total}問中{done}問正解',
  'Make puzzles from your own games with “plyverse puzzles GAME --from FILE”, and open them here.':
    '「plyverse puzzles GAME --from FILE」で自分の対局から問題を作り、ここで開けます。',
  'Open a file with puzzles': '問題のファイルを開く',
  'All puzzles': '問題集へ戻る',
  'One move.': '1手です。',
  '{count} moves.': '{count}手です。',
  'The solver could not decide this move.': 'この手は判定できませんでした。',
  '{reply} refutes it.': '{reply}で失敗です。',
  'That does not win.': 'その手では勝てません。',
  'That is not a check or a threat.': '王手や四ではありません。',
  'Solved, after a mistake. It will come back soon.': '間違えましたが、正解です。近いうちにまた出題します。',
  'Solved!': '正解！',
  'Next puzzle': '次の問題',
  'Good. Continue.': '正しい手です。続けてください。',
  'Your move.': 'あなたの番です。',
  'Open a file with puzzles first.': '先に問題のファイルを開いてください。',
};
