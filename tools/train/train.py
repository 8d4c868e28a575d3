#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""train.py - trains a network on the samples of `plyverse_train samples` and writes it as a .plynet file.

    tools/train/train.py SAMPLES OUT.plynet [--more SAMPLES...] [options]
                                                             --help lists them; docs/training.md describes the recipe

All samples are kept on the device, a GPU if there is one. The loss curve is written next to the network (OUT.csv).
"""
import argparse
import csv
import itertools
import math
import os
import subprocess
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

import plynet

VALIDATION_GAMES = 20  # one game out of this many
OMITTED = ("samples", "more", "out", "played", "commit", "rows")  # from the options in the provenance
LOAD_ROWS = 1 << 16  # rows of features loaded at a time
NO_LOGIT = -1e9  # of a cell that is not worth a look
CONTEXT_RATE = 0.02  # the learning rate of a policy head's context layer, compared with the others
FLOAT_SHARE = 0.5  # of the steps; the rest see the rounding of the integers


def read_meta(folder):
    with open(os.path.join(folder, "meta.txt"), encoding="utf-8") as file:
        return dict(line.rstrip("\n").split(" ", 1) for line in file)


def load_features(folders, device, names=("own", "enemy")):
    """The active features of both players, without columns that are never used, and how many features may be active."""
    arrays = [[np.load(os.path.join(folder, name + ".npy"), mmap_mode="r") for folder in folders] for name in names]
    room, seen = arrays[0][0].shape[1], 0
    for array in itertools.chain(*arrays):
        for at in range(0, len(array), LOAD_ROWS):
            part = array[at:at + LOAD_ROWS]
            while seen < room and (part[:, seen] != plynet.PADDING).any():
                seen += 1

    def put(parts):  # as int16, which every version of PyTorch has
        rows, end = torch.empty((sum(map(len, parts)), seen), dtype=torch.int16, device=device), 0
        for array in parts:
            for at in range(0, len(array), LOAD_ROWS):
                part = np.array(array[at:at + LOAD_ROWS, :seen])
                rows[end:end + len(part)] = torch.from_numpy(part.view(np.int16)).to(device)
                end += len(part)
        return rows

    return [put(parts) for parts in arrays], min(room, 2 * seen)


class Samples:
    """The arrays of some folders, one after the other, on a device."""

    def __init__(self, folders, device):
        metas = [read_meta(folder) for folder in folders]
        self.meta = dict(metas[0], games=sum(int(meta["games"]) for meta in metas))
        self.features, self.phases, self.base = (int(self.meta[key]) for key in ("features", "phases", "base"))
        if any(meta.get(key) != self.meta.get(key) for meta in metas for key in ("family", "feature-set", "phases", "base", "lambda")):
            sys.exit("train.py: the folders of samples do not belong together")

        def load(name):
            return np.concatenate([np.load(os.path.join(folder, name + ".npy")) for folder in folders])

        def put(array):
            return torch.from_numpy(array).to(device)

        self.per_cell, self.exchanged = int(self.meta.get("per-cell", 0)), None
        if self.per_cell:  # the features of all cells, for one player; the other's follow from them
            (self.own,), _ = load_features(folders, device, ("own",))
            self.enemy, self.max_active = self.own, self.per_cell
            self.exchanged = put(np.load(os.path.join(folders[0], "exchanged.npy")).astype(np.int32))
            self.move = put(load("move"))
        else:
            (self.own, self.enemy), self.max_active = load_features(folders, device)
        self.phase, self.score, self.eval, self.result = (put(load(name)) for name in ("phase", "score", "eval", "result"))
        self.outlook = None
        if "lambda" in self.meta:
            self.outlook = put((load("outlook") / 65535).astype(np.float32))
        held_out = put(load("game") % VALIDATION_GAMES == VALIDATION_GAMES // 2)
        self.training = torch.nonzero(~held_out).flatten()
        self.validation = torch.nonzero(held_out).flatten()

    def __len__(self):
        return len(self.phase)

    def features_of(self, rows):
        """The features of both players in some of the samples, as numbers from 0 to 65535."""
        own = self.own[rows].int() & plynet.PADDING
        return own, self.exchanged[own.long()] if self.per_cell else self.enemy[rows].int() & plynet.PADDING


def fit_scale(score, result):
    """K such that sigmoid(score / K) predicts the results best, by golden-section search over log K."""
    score, result = score.float(), result.float() / 2

    def loss(log_k):
        return F.binary_cross_entropy_with_logits(score / math.exp(log_k), result).item()

    low, high, golden = math.log(20), math.log(5000), (math.sqrt(5) - 1) / 2
    for _ in range(40):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return round(math.exp((low + high) / 2))


def on_grid(x, unit):
    """x rounded to multiples of 1 / unit, with the gradient of x itself."""
    return x + (torch.round(x * unit) / unit - x).detach()


class Network(torch.nn.Module):
    """The float network; plynet.quantise turns its arrays into integers."""

    first_unit = plynet.DENSE_ONE  # what a weight of 1.0 of the first dense layer is in integers
    first_limit = 127

    def __init__(self, features, width, l1, l2, buckets, activation, max_active, residual):
        super().__init__()
        self.features, self.activation = features, activation
        self.rounding = False  # compute with weights and activations rounded as the integers will be

        def normal(deviation, *shape):
            return torch.nn.Parameter(torch.randn(*shape) * deviation)

        self.ft_weight = normal(0.15, features, width)
        self.ft_bias = torch.nn.Parameter(torch.full((width,), 0.25))
        self.w1 = normal(1.2 / math.sqrt(2 * width), buckets, l1, 2 * width)
        self.b1 = torch.nn.Parameter(torch.full((buckets, l1), 0.1))
        self.w2 = normal(1.2 / math.sqrt(l1), buckets, l2, l1)
        self.b2 = torch.nn.Parameter(torch.full((buckets, l2), 0.1))
        # A residual network begins as almost nothing.
        self.w3 = normal((0.1 if residual else 1) / math.sqrt(l2), buckets, l2)
        self.b3 = torch.nn.Parameter(torch.zeros(buckets))
        # No sum of weights may leave the range of an int16.
        self.ft_limit = 32767 / plynet.ONE / (max_active + 1)

    def round(self, x, unit):
        return on_grid(x, unit) if self.rounding else x

    def accumulate(self, rows):
        # Padding becomes feature number self.features, whose weights are 0. A GPU multiplies matrices with rows of 8n
        # elements fast; a processor adds up the rows of the active features instead.
        columns = (self.features + 8) // 8 * 8
        index = rows.clamp(max=self.features).long()
        weight, bias = self.round(self.ft_weight, plynet.ONE), self.round(self.ft_bias, plynet.ONE)
        weight = F.pad(weight, (0, 0, 0, columns - self.features))
        if rows.is_cuda:
            ones = torch.ones(1, 1, device=rows.device).expand(index.shape)  # a feature may be listed twice
            sums = torch.zeros(len(rows), columns, device=rows.device).scatter_add_(1, index, ones) @ weight
        else:
            sums = F.embedding_bag(index, weight, mode="sum")
        x = (sums + bias).clamp(0, 1)
        if self.activation == plynet.SQUARED:
            x = self.round(x * x * (plynet.ONE / 128), plynet.ONE)
        return x

    def inputs(self, own, enemy):
        return torch.cat([self.accumulate(own), self.accumulate(enemy)], dim=1)

    def dense(self, x, weight, bias, rows, phase, unit=plynet.DENSE_ONE):
        """A clipped layer, whose weights depend on the phase: all phases are computed and one is taken."""
        weight = self.round(weight, unit)
        sums = (x @ weight.flatten(0, 1).t()).view(len(rows), *bias.shape)[rows, phase] + bias[phase]
        return self.round(sums, plynet.ONE).clamp(0, 1)

    def forward(self, own, enemy, phase):
        """Logits of the probability that the player to move wins."""
        return self.value(self.inputs(own, enemy), phase)

    def value(self, x, phase):
        phase = phase.long()
        rows = torch.arange(len(phase), device=phase.device)
        x = self.dense(x, self.w1, self.b1, rows, phase, self.first_unit)
        x = self.dense(x, self.w2, self.b2, rows, phase)
        return (x * self.round(self.w3, plynet.DENSE_ONE)[phase]).sum(dim=1) + self.b3[phase]

    @torch.no_grad()
    def clip(self):
        """Keeps all weights within what the integers can hold."""
        limit, first_limit = 127 / plynet.DENSE_ONE, self.first_limit / self.first_unit
        self.w1.clamp_(-first_limit, first_limit)
        for weight in (self.w2, self.w3):
            weight.clamp_(-limit, limit)
        self.ft_weight.clamp_(-self.ft_limit, self.ft_limit)
        self.ft_bias.clamp_(-self.ft_limit, self.ft_limit)

    @torch.no_grad()
    def start_from(self, arrays):
        """Takes over the weights of a network that is not larger. What is new adds nothing at first."""
        width, l1, l2 = len(arrays["ft_bias"]), arrays["w1"].shape[1], arrays["w2"].shape[1]
        own_width = len(self.ft_bias)
        if (arrays["ft_weight"].shape[0], len(arrays["b3"])) != (self.features, len(self.b3)) or (
                width > own_width or l1 > self.b1.shape[1] or l2 > self.b2.shape[1]):
            sys.exit("train.py: the network to start from has other features or phases, or is larger")
        arrays = {name: torch.from_numpy(array).float().to(self.b3.device) for name, array in arrays.items()}
        self.ft_bias[:width], self.ft_weight[:, :width] = arrays["ft_bias"], arrays["ft_weight"]
        self.w1[:, :l1], self.w2[:, :l2], self.w3[:, l2:] = 0, 0, 0
        for player in range(2):
            self.w1[:, :l1, player * own_width:player * own_width + width] = (
                arrays["w1"][:, :, player * width:(player + 1) * width])
        self.w2[:, :l2, :l1], self.w3[:, :l2] = arrays["w2"], arrays["w3"]
        self.b1[:, :l1], self.b2[:, :l2] = arrays["b1"], arrays["b2"]
        self.b3.copy_(arrays["b3"])

    def arrays(self):
        return {name: value.detach().double().cpu().numpy() for name, value in self.named_parameters()}


class PoolNetwork(Network):
    """A network that pools cells (docs/networks.md). Its features are those of all cells, per_cell of each."""
    first_unit = plynet.WIDE_ONE
    first_limit = 32767

    def __init__(self, features, width, l1, l2, buckets, activation, per_cell, residual, policy=0):
        super().__init__(features, width, l1, l2, buckets, activation, per_cell, residual)
        self.per_cell = per_cell
        if policy:
            self.policy_bias = torch.nn.Parameter(torch.full((policy,), 0.1))
            self.policy_context = torch.nn.Parameter(torch.zeros(policy, 2 * width))
            self.policy_weight = torch.nn.Parameter(torch.randn(policy, 2 * width) / math.sqrt(2 * width))
            self.policy_output = torch.nn.Parameter(torch.randn(policy) / math.sqrt(policy))
        with torch.no_grad():  # sums over many cells are larger than activations
            self.ft_bias.fill_(0.1)
            self.w1 *= 0.2
            self.clip()

    def activated(self, x):
        x = x.clamp(0, 1)
        return self.round(x * x * (plynet.ONE / 128), plynet.ONE) if self.activation == plynet.SQUARED else x

    def cells(self, rows, index):
        """The activations of the cells with these numbers, counted over all rows, and of a cell without features."""
        weight, bias = self.round(self.ft_weight, plynet.ONE), self.round(self.ft_bias, plynet.ONE)
        # Each cell is a bag of features. Feature 0 is left out: the gradient of a row that is in most bags is slow.
        rows = rows.view(-1, self.per_cell)[index]
        present = rows != 0
        counts = present.sum(dim=1)
        bags = F.embedding_bag(rows[present], weight, (counts.cumsum(0) - counts).int(), mode="sum")
        return self.activated(bags + bias), self.activated(bias)

    def with_cells(self, own, enemy):
        """The inputs of the first dense layer; the cells that have features; and their activations for both players."""
        index = torch.nonzero((own.view(-1, self.per_cell) != 0).any(dim=1)).flatten()
        row = index // (own.shape[1] // self.per_cell)
        sums, activations = [], []
        for rows in (own, enemy):
            x, idle = self.cells(rows, index)
            sums.append(torch.zeros(len(own), x.shape[1], device=x.device).index_add(0, row, x - idle))
            activations.append(x)
        return torch.cat(sums, dim=1), index, torch.cat(activations, dim=1)

    def inputs(self, own, enemy):
        return self.with_cells(own, enemy)[0]

    def both(self, own, enemy, phase):
        """What forward returns, and the policy head's logits of all cells, very low ones for cells without features."""
        sums, index, cells = self.with_cells(own, enemy)
        count = own.shape[1] // self.per_cell
        context = sums @ self.round(self.policy_context, plynet.WIDE_ONE).t() + self.policy_bias
        x = cells @ self.round(self.policy_weight, plynet.DENSE_ONE).t() + context[index // count]
        x = self.round(x, plynet.ONE).clamp(0, 1) @ self.round(self.policy_output, plynet.DENSE_ONE)
        logits = torch.full((len(own) * count,), NO_LOGIT, device=x.device).index_copy(0, index, x)
        return self.value(sums, phase), logits.view(len(own), count)

    @torch.no_grad()
    def clip(self):
        super().clip()
        self.ft_weight[0] = 0  # feature 0 is none
        if hasattr(self, "policy_bias"):
            self.policy_context.clamp_(-self.first_limit / self.first_unit, self.first_limit / self.first_unit)
            for weight in (self.policy_weight, self.policy_output):
                weight.clamp_(-127 / plynet.DENSE_ONE, 127 / plynet.DENSE_ONE)

    @torch.no_grad()
    def start_from(self, arrays):
        super().start_from(arrays)
        if hasattr(self, "policy_bias") and plynet.POLICY[0] in arrays:
            if arrays["policy_bias"].shape != self.policy_bias.shape:
                sys.exit("train.py: the network to start from has a policy head of another size")
            width, own_width = len(arrays["ft_bias"]), len(self.ft_bias)
            for name in plynet.POLICY:
                array, parameter = torch.from_numpy(arrays[name]).float().to(self.b3.device), getattr(self, name)
                if array.dim() == 1:
                    parameter.copy_(array)
                    continue
                parameter.zero_()
                for player in range(2):
                    parameter[:, player * own_width:player * own_width + width] = (
                        array[:, player * width:(player + 1) * width])


class Trainer:
    def __init__(self, args, samples, device):
        self.args, self.samples, self.device = args, samples, device
        start = plynet.read(args.start, samples.per_cell) if args.start else None
        if start and args.residual != (start.base != 0) or start and start.base not in (0, samples.base):
            sys.exit("train.py: the network to start from is not residual as this one, or has another base")
        self.start = start
        if args.policy_only and not start:
            sys.exit("train.py: --policy-only needs a network to start from")
        self.scale = args.scale or start and args.policy_only and start.output_scale or fit_scale(samples.score[samples.training], samples.result[samples.training])
        activation = plynet.SQUARED if args.activation == "squared" else plynet.CLIPPED
        torch.manual_seed(args.seed)
        kind, more = (PoolNetwork, {"policy": args.policy}) if samples.per_cell else (Network, {})
        self.net = kind(samples.features, args.width, args.l1, args.l2, samples.phases, activation,
                        samples.max_active, args.residual, **more).to(device)
        if start:
            arrays = plynet.dequantise(start)
            for name in ("w3", "b3"):  # the values stay the same
                arrays[name] *= start.output_scale / self.scale
            self.net.start_from(arrays)
        for name, parameter in self.net.named_parameters():
            parameter.requires_grad_(name in plynet.POLICY or not args.policy_only)
        learning = {name: parameter for name, parameter in self.net.named_parameters() if parameter.requires_grad}
        context = [learning.pop("policy_context")] if args.policy else []  # its inputs, sums of many cells, are large
        groups = [{"params": list(learning.values()), "share": 1}, {"params": context, "share": CONTEXT_RATE}]
        self.optimiser = torch.optim.AdamW(groups, lr=args.rate, weight_decay=args.decay)
        self.curve = []

    def logits(self, rows):
        s = self.samples
        logits = self.net(*s.features_of(rows), s.phase[rows])
        return logits + s.eval[rows].float() / self.scale if self.args.residual else logits

    def policy_loss(self, logits, rows):
        """The cross-entropy of the moves played, and the share of them that the policy head likes best."""
        move = self.samples.move[rows].long()
        listed = logits.gather(1, move.clamp(min=0)[:, None])[:, 0] > NO_LOGIT
        logits, move = logits[listed & (move >= 0)], move[listed & (move >= 0)]
        return F.cross_entropy(logits, move), (logits.argmax(dim=1) == move).float().mean()

    def loss(self, rows):
        s, args = self.samples, self.args
        if not args.policy:
            return F.binary_cross_entropy_with_logits(self.logits(rows), self.targets(rows)[0])
        value, policy = self.net.both(*s.features_of(rows), s.phase[rows])
        if args.policy_only:
            return self.policy_loss(policy, rows)[0]
        if args.residual:
            value = value + s.eval[rows].float() / self.scale
        return (F.binary_cross_entropy_with_logits(value, self.targets(rows)[0]) +
                args.policy_share * self.policy_loss(policy, rows)[0])

    @torch.no_grad()
    def policy_losses(self, rows):
        """Means over some samples."""
        s, sums = self.samples, torch.zeros(2)
        for part in rows.split(self.args.batch):
            found = self.policy_loss(self.net.both(*s.features_of(part), s.phase[part])[1], part)
            sums += torch.stack(found).cpu() * len(part)
        return (sums / max(len(rows), 1)).tolist()

    def targets(self, rows):
        """Of the training, and the results alone."""
        s = self.samples
        result, share = s.result[rows].float() / 2, self.args.result_share
        rest = torch.sigmoid(s.score[rows].float() / self.scale) if s.outlook is None else s.outlook[rows]
        return share * result + (1 - share) * rest, result

    @torch.no_grad()
    def losses(self, rows):
        """Mean loss against the target and against the results alone; the second also for the search's scores."""
        sums = torch.zeros(3, device=self.device)
        for part in rows.split(self.args.batch):
            target, result = self.targets(part)
            logits = self.logits(part)
            scores = self.samples.score[part].float() / self.scale
            for i, (x, y) in enumerate(((logits, target), (logits, result), (scores, result))):
                sums[i] += F.binary_cross_entropy_with_logits(x, y, reduction="sum")
        return [value / max(len(rows), 1) for value in sums.tolist()]

    def rate_at(self, step, steps, progress):
        warm = max(1, min(1000, steps // 20))
        decay = 0.01 + 0.99 * (1 + math.cos(math.pi * min(progress, 1))) / 2
        return self.args.rate * min(1, (step + 1) / warm) * decay

    def run(self):
        s, size = self.samples, self.args.batch
        per_epoch = max(1, len(s.training) // size)
        per_row = math.ceil(per_epoch / self.args.rows)
        steps = max(1, round(self.args.epochs * per_epoch))
        started, step, running, counted = time.time(), 0, 0.0, 0
        order, progress = None, 0.0
        while progress < 1:
            if step % per_epoch == 0:
                order = s.training[torch.randperm(len(s.training), device=self.device)]
            at = step % per_epoch * size
            rows = order[at:at + size]
            rate = self.rate_at(step, steps, progress)
            self.net.rounding = progress >= FLOAT_SHARE
            for group in self.optimiser.param_groups:
                group["lr"] = rate * group["share"]
            loss = self.loss(rows)
            self.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            self.optimiser.step()
            self.net.clip()
            running, counted, step = running + loss.detach(), counted + 1, step + 1
            progress = step / steps
            if self.args.seconds:  # the schedule has to fit into the time
                if step % 100 == 0:
                    loss.item()  # waits for the device
                progress = max(progress, (time.time() - started) / self.args.seconds)
            if step % per_row == 0 or progress >= 1:
                validation = self.losses(s.validation)
                seconds = time.time() - started
                row = [step, step * size, f"{rate:.3g}", f"{float(running) / counted:.6f}",
                       *(f"{value:.6f}" for value in validation), f"{seconds:.1f}"]
                self.curve.append(row)
                print("step {} samples {} rate {} loss {} validation {} results {} scores {} seconds {}".format(*row),
                      flush=True)
                if self.args.policy:
                    row += [f"{value:.4f}" for value in self.policy_losses(s.validation)]
                    print("policy {} agrees {}".format(*row[-2:]), flush=True)
                running, counted = 0.0, 0

    def write_curve(self, path):
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["step", "samples", "rate", "training", "validation", "validation_result",
                             "search_score_result", "seconds"] + ["policy", "agrees"] * bool(self.args.policy))
            writer.writerows(self.curve)


def compare_float(trainer, net, rows):
    """Mean and greatest difference between the float and the integer network, in units of a value."""
    s = trainer.samples
    with torch.no_grad():
        exact = torch.cat([trainer.logits(part) for part in rows.split(4096)])
    exact = exact.double().cpu().numpy() * trainer.scale

    def array(tensor):
        return tensor[rows].cpu().numpy()

    own, enemy = (features.cpu().numpy().astype(np.uint16) for features in s.features_of(rows))
    integer = net.evaluate(own, enemy, array(s.phase), array(s.eval))
    difference = np.abs(exact - integer)
    return difference.mean(), difference.max(), np.abs(exact).mean()


def compare_policy(trainer, net, rows):
    """The same for the logits of the moves played, in hundredths; both less the position's highest logit."""
    s = trainer.samples
    rows = rows[s.move[rows] >= 0]
    own, enemy = s.features_of(rows)
    move = s.move[rows].cpu().numpy().astype(np.int64)[:, None]
    with torch.no_grad():
        exact = trainer.net.both(own, enemy, s.phase[rows])[1].cpu().numpy() * 100
    used = exact > NO_LOGIT
    integer = np.where(used, net.logits(*(features.cpu().numpy().astype(np.uint16) for features in (own, enemy))), NO_LOGIT)

    def relative(logits):
        return np.take_along_axis(logits, move, 1)[:, 0] - logits.max(axis=1)

    kept = np.take_along_axis(used, move, 1)[:, 0]
    exact, integer = relative(exact)[kept], relative(integer)[kept]
    return np.abs(exact - integer).mean(), np.abs(exact - integer).max(), np.abs(exact).mean()


def describe(args, trainer, commit):
    s, last = trainer.samples, trainer.curve[-1]
    options = {name: value for name, value in sorted(vars(args).items()) if name not in OMITTED}
    if args.start:
        options["start"] = os.path.basename(args.start)
    lines = [
        f"date {time.strftime('%Y-%m-%d', time.gmtime())}",
        f"commit {commit}",
        "options " + ", ".join(f"{name} {value}" for name, value in options.items()),
        f"games {s.meta['games']}",
        f"samples {len(s)}, {len(s.validation)} of them for validation",
        f"epochs trained {last[1] / max(len(s.training), 1):.1f}",
        f"target {args.result_share} result + {1 - args.result_share:g} " +
        ("score" if s.outlook is None else f"outlook, lambda {s.meta['lambda']}%") + f", scale {trainer.scale}",
        f"loss training {last[3]} validation {last[4]} results {last[5]}; of the search's scores {last[6]}",
    ]
    if args.policy:
        lines.append(f"policy loss validation {last[8]}, agrees {last[9]}")
    if args.policy_only:
        lines.append("the rest is of the network it started from:")
        lines += trainer.start.provenance.splitlines()
    for path in args.played or []:
        with open(path, "rb") as file:
            head = file.read(12)
            header = file.read(int.from_bytes(head[8:12], "little")).decode()
        lines.append(f"played {os.path.basename(path)}: " + ", ".join(header.split("\n")).strip(", "))
    return "\n".join(lines) + "\n"


def find_commit():
    try:
        return subprocess.run(["git", "rev-parse", "--short", "HEAD"], check=True, capture_output=True, text=True,
                              cwd=os.path.dirname(os.path.abspath(__file__))).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def parse_args():
    parser = argparse.ArgumentParser(description="Trains a network on samples of plyverse_train.")
    parser.add_argument("samples", help="folder written by plyverse_train samples")
    parser.add_argument("out", help="the .plynet file to write")
    parser.add_argument("--more", metavar="SAMPLES", nargs="*", default=[], help="further folders of samples")
    parser.add_argument("--width", type=int, default=256, help="size of an accumulator")
    parser.add_argument("--l1", type=int, default=16, help="size of the first dense layer")
    parser.add_argument("--l2", type=int, default=16, help="size of the second dense layer")
    parser.add_argument("--activation", choices=["clipped", "squared"], default="clipped")
    parser.add_argument("--epochs", type=float, default=30)
    parser.add_argument("--seconds", type=float, default=0, help="fewer epochs if they would take longer; 0: no limit")
    parser.add_argument("--rows", type=int, default=1, help="of the loss curve, for each epoch")
    parser.add_argument("--batch", type=int, default=16384)
    parser.add_argument("--rate", type=float, default=1.5e-3, help="highest learning rate")
    parser.add_argument("--decay", type=float, default=1e-4, help="weight decay")
    parser.add_argument("--result-share", type=float, default=0.6, help="of the target: result of the game, not score")
    parser.add_argument("--residual", action="store_true", help="learn what to add to the game's own evaluation")
    parser.add_argument("--start", metavar="NET", help="begin with the weights of a network of these sizes or smaller")
    parser.add_argument("--policy", type=int, default=0, help="size of a policy head's hidden layer; 0: no policy head")
    parser.add_argument("--policy-share", type=float, default=0.1, help="weight of the policy head's loss")
    parser.add_argument("--policy-only", action="store_true", help="keep the value of the network to start from as it is")
    parser.add_argument("--scale", type=int, default=0, help="of scores; 0: fitted to the results")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--commit", default="", help="for the provenance; default: asks git")
    parser.add_argument("--played", nargs="*", help="files of games, whose headers go into the provenance")
    args = parser.parse_args()
    if args.rows < 1:
        parser.error("rows must be at least 1")
    if args.width % 32 or args.l1 % 8 or args.l2 % 8 or not 0 <= args.result_share <= 1:
        parser.error("width must be a multiple of 32, l1 and l2 of 8, and result-share between 0 and 1")
    if args.policy % 8 or args.policy > 64 or args.policy_only and not args.policy:
        parser.error("the policy head must be a multiple of 8, 64 at most, and exist to be trained")
    return args


def main():
    args = parse_args()
    if args.device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = True
    started = time.time()
    samples = Samples([args.samples, *args.more], args.device)
    if args.policy and not samples.per_cell:
        sys.exit("train.py: only networks that pool cells have a policy head")
    if len(samples.training) == 0 or len(samples.validation) == 0:
        sys.exit("train.py: too few games for training and validation")
    trainer = Trainer(args, samples, args.device)
    print(f"samples {len(samples)}, {len(samples.training)} for training, {len(samples.validation)} for validation; "
          f"features {samples.features}, scale {trainer.scale}, device {args.device}, "
          f"loaded in {time.time() - started:.1f} s", flush=True)
    trainer.run()
    net = plynet.quantise(trainer.net.arrays(), trainer.scale, trainer.net.activation,
                          samples.base if args.residual else 0, samples.per_cell)
    if args.policy_only:
        trainer.start.policy, net = net.policy, trainer.start
    for name, rounding in (("rounded", True), ("plain", False)):
        trainer.net.rounding = rounding
        mean, greatest, size = compare_float(trainer, net,
                                             samples.validation[:2000 if samples.per_cell else 100000])
        print(f"integers against {name} floats: mean difference {mean:.2f}, greatest {greatest:.1f}, "
              f"mean value {size:.1f}", flush=True)
        if args.policy:
            mean, greatest, size = compare_policy(trainer, net, samples.validation[:2000])
            print(f"logits: mean difference {mean:.2f}, greatest {greatest:.1f}, mean logit {size:.1f}", flush=True)
    net.write(args.out, samples.meta["family"], samples.meta["feature-set"],
              describe(args, trainer, args.commit or find_commit()))
    trainer.write_curve(os.path.splitext(args.out)[0] + ".csv")


if __name__ == "__main__":
    main()
