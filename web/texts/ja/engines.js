// SPDX-License-Identifier: MIT
// engines.js - Japanese texts of the user's engines.

export default {
  'Your engines': '自分のエンジン',
  Engines: 'エンジン',
  'Programs of yours that play against you and analyse beside the built-in engine.':
    '対局したり、内蔵エンジンと並べて検討したりする、自分のプログラムです。',
  'every game': 'すべてのゲーム',
  Gomocup: 'Gomocup',
  Hub: 'Hub',
  '{protocol} ({game})': '{protocol}（{game}）',
  Command: 'コマンド',
  'As you would type it in a terminal on this computer. Add only programs that you trust.':
    'このコンピューターの端末で入力するとおりに書きます。信頼できるプログラムだけを追加してください。',
  'If empty, the name of the program.': '空欄ならプログラムの名前になります。',
  Options: 'オプション',
  'NAME=VALUE, separated by commas.': '「名前=値」をコンマで区切ります。',
  Test: 'テスト',
  'Remove {name}': '{name}を削除',
  'Starting…': '起動中…',
  'It works: it would play {move}.': '動作しました。初手は{move}です。',
  'It did not suggest a move.': '指し手の候補がありませんでした。',
  'This server can be reached by other computers, so it runs no programs. Start it without --host to use your engines.':
    'このサーバーはほかのコンピューターから接続できるため、プログラムを実行しません。エンジンを使うには --host なしで起動してください。',
  'Engine {number}': 'エンジン{number}',
  'Second engine': '二つ目のエンジン',
  'No second engine': '二つ目のエンジンなし',
  'Depth {depth} · {speed} positions/s': '深さ{depth} · {speed}局面/秒',
};
