# SPDX-License-Identifier: MIT
"""Plyverse: exact rules, search and solving for 5D chess, shogi, checkers, Neighbours 6x6 and gomoku.

>>> import plyverse as ply
>>> game = ply.State("gomoku", moves="h8 i9")
>>> ply.search(game, depth=4).move in game.moves()
True

docs/python.md is the tutorial. `plyverse.gymnasium` and `plyverse.pettingzoo` are adapters that need those packages.
"""
from plyverse._core import Error, lib as _lib, string as _string
from plyverse.batch import NO_ACTION, Batch, Totals, symmetries
from plyverse.counting import Playouts, perft, playouts, tqdm_progress
from plyverse.dlpack import Tensor, from_dlpack
from plyverse.match import MatchResult, Player, match
from plyverse.record import Record
from plyverse.rules import Rules, games, variants
from plyverse.search import Leaf, RootMove, Searcher, SearchResult, Variation, search
from plyverse.solve import ProofSummary, Solution, check_proof, solve
from plyverse.state import Outcome, State
from plyverse.tablebase import Tablebase, Value, build_tablebase

__version__ = _string(_lib.ply_version())
__all__ = [
    "NO_ACTION", "Batch", "Error", "Leaf", "MatchResult", "Outcome", "Player", "Playouts", "ProofSummary", "Record",
    "RootMove", "Rules", "SearchResult", "Searcher", "Solution", "State", "Tablebase", "Tensor", "Totals", "Value",
    "Variation", "build_tablebase", "check_proof", "from_dlpack", "games", "match", "perft", "playouts", "search",
    "solve", "symmetries", "tqdm_progress", "variants",
]
