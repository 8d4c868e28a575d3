// SPDX-License-Identifier: MIT
// judge.mjs - whether a move of shogi, a line of tests/oracle/play/games.c, is legal for shogiops.
import { parseSfen } from 'shogiops/sfen';
import { parseUsi } from 'shogiops/util';

export const judge = (line) => {
  const [sfen, usi] = line.split('|');
  const position = parseSfen('standard', sfen, false);
  const move = parseUsi(usi);
  return position.isOk && move !== undefined && position.value.isLegal(move);
};
