// SPDX-License-Identifier: MIT
// eslint.config.mjs - lint rules for the JavaScript of the web app and of the tests.
import js from '@eslint/js';
import globals from 'globals';
import bareText from './bare_text.mjs';

export default [
  js.configs.recommended,
  {
    files: ['web/**/*.js'],
    languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: globals.browser },
  },
  {
    files: ['web/**/*.js'],
    ignores: ['web/texts/**', 'web/boards/kanji_font.js'],
    plugins: { plyverse: { rules: { 'bare-text': bareText } } },
    rules: { 'plyverse/bare-text': 'error' },
  },
  {
    files: ['tests/**/*.mjs'],
    languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: { ...globals.node, ...globals.browser } },
  },
  {
    files: ['web/**/*.js', 'tests/**/*.mjs'],
    linterOptions: { reportUnusedDisableDirectives: true },
    rules: {
      complexity: ['error', 40],
      eqeqeq: 'error',
      'max-lines': ['error', 600],
      'max-lines-per-function': ['error', 100],
      'no-shadow': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
];
