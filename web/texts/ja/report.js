// SPDX-License-Identifier: MIT
// report.js - Japanese texts of the game report (app/report.js) and of the queue of games to analyse.

export default {
  'Game report': '棋譜解析レポート',
  Inaccuracies: '緩手',
  Mistakes: '疑問手',
  Blunders: '悪手',
  '1 game comes first': '先に1局の解析があります',
  '{count} games come first': '先に{count}局の解析があります',
  '{done} of {total} positions': '{total}局面中{done}局面',
  'Analyse again': 'もう一度解析',
  Progress: '進み具合',
  Cancel: '中止',
  Accuracy: '正確さ',
  'Mean loss': '平均損失',
  'No mistakes were found.': '悪手は見つかりませんでした。',
  'Best: {move}': '最善手：{move}',
  'Turning points': '勝負の分かれ目',
  'Costliest moves': '損の大きい手',
  'Moves by what they lost, in points': '損失（ポイント）ごとの手数',
  Time: '消費時間',
  '{player}: {total} in all, {mean} a move': '{player}：合計{total}、1手平均{mean}',
  'Longest: {time}': '最長：{time}',
};
