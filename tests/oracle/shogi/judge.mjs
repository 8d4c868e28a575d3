// SPDX-License-Identifier: MIT
// judge.mjs - whether shogiops accepts a shogi move; lines come from tests/oracle/play/games.c.
import { parseSfen } from 'shogiops/sfen';
import { parseUsi } from 'shogiops/util';

export const judge = (line) => {
  const [sfen, usi] = line.split('|');
  const position = parseSfen('standard', sfen, false);
  const move = parseUsi(usi);
  return position.isOk && move !== undefined && position.value.isLegal(move);
};
