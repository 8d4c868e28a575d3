# SPDX-License-Identifier: MIT
"""plynet.py - a network of integers: quantised, evaluated exactly as the library does, and written as a .plynet file.

The library's arithmetic (src/nn, docs/networks.md), repeated here with NumPy so that the two can be compared:

    accumulator = biases + weights of the active features                        int16
    input       = clamp(accumulator, 0, 127), or its square >> 7                 both players, the one to move first
    hidden      = clamp((weights input + biases) >> 6, 0, 127)                   twice
    value       = (weights hidden + bias) * output_scale / (127 * 64)            rounded towards zero

A residual network adds this to the game's own evaluation; its file then names the base, a checksum of that evaluation.

A network that pools cells has an accumulator for each cell, and in the place of the input

    sums = the sum over all cells of activation(accumulator) - activation(biases)    int16

Its first dense layer has weights of 16 bits and a shift of 10 instead of 6. It may have a policy head, which gives each
cell a logit, in hundredths:

    context = (context weights * sums + biases) >> 4                                 both players
    hidden  = clamp((weights * activations of the cell's accumulators + context) >> 6, 0, 127)
    logit   = weights hidden * 100 / (127 * 64)                                      rounded towards zero
"""
import struct

import numpy as np

MAGIC = b"PLYNET1\n"
ONE = 127  # an activation of 1.0
DENSE_ONE = 64  # a dense weight of 1.0
WIDE_ONE = 1024  # a weight of 1.0 of a first layer on sums of cells
VALUE_LIMIT = 30000
CLIPPED, SQUARED = 0, 1
PADDING = 0xFFFF
POLICY = ("policy_bias", "policy_context", "policy_weight", "policy_output")  # the arrays of a policy head
POLICY_TYPES = ("<i4", "<i2", "i1", "i1")


class IntegerNet:
    """A quantised network. Dense arrays have the bucket as their first index."""

    def __init__(self, ft_bias, ft_weight, b1, w1, b2, w2, b3, w3, output_scale, activation, base=0, per_cell=0):
        self.ft_bias, self.ft_weight = ft_bias.astype(np.int16), ft_weight.astype(np.int16)
        self.per_cell = per_cell  # 0: cells are not pooled
        self.b1, self.w1 = b1.astype(np.int32), w1.astype(np.int16 if per_cell else np.int8)
        self.b2, self.w2 = b2.astype(np.int32), w2.astype(np.int8)
        self.b3, self.w3 = b3.astype(np.int32), w3.astype(np.int8)
        self.output_scale, self.activation, self.base = int(output_scale), int(activation), int(base)
        self.policy = None  # or the arrays of POLICY, as integers
        self.provenance = ""  # of the file it was read from

    def accumulate(self, rows):
        """rows: uint16[n, active], padded with PADDING. Accumulators wrap around modulo 2^16, as in the library."""
        table = np.vstack([self.ft_weight.astype(np.int32), np.zeros((1, self.ft_weight.shape[1]), np.int32)])
        index = np.minimum(rows.astype(np.int64), len(self.ft_weight))
        return (self.ft_bias + table[index].sum(axis=1)).astype(np.int16).astype(np.int64)

    def pool(self, rows):
        """The sums of the cells' activations. rows: uint16[n, cells * per_cell]."""
        cells = self.activate(self.accumulate(rows.reshape(-1, self.per_cell))).reshape(len(rows), -1, len(self.ft_bias))
        return (cells - self.activate(self.ft_bias.astype(np.int64))).sum(axis=1).astype(np.int16).astype(np.int64)

    def inputs(self, rows):
        return self.pool(rows) if self.per_cell else self.activate(self.accumulate(rows))

    def activate(self, accumulators):
        clamped = np.clip(accumulators, 0, ONE)
        return clamped * clamped >> 7 if self.activation == SQUARED else clamped

    def evaluate(self, own, enemy, phase, own_eval):
        """The values of positions, as int64[n]. own_eval: the game's own evaluation."""
        values = np.empty(len(phase), np.int64)
        step, shift = (256, 10) if self.per_cell else (4096, 6)
        for at in range(0, len(phase), step):
            part = slice(at, at + step)
            x = np.hstack([self.inputs(own[part]), self.inputs(enemy[part])])
            p = phase[part].astype(np.int64)
            h1 = np.empty((len(p), self.w1.shape[1]), np.int64)
            h2 = np.empty((len(p), self.w2.shape[1]), np.int64)
            raw = np.empty(len(p), np.int64)
            for b in np.unique(p):
                k = p == b
                h1[k] = np.clip((x[k] @ self.w1[b].astype(np.int64).T + self.b1[b]) >> shift, 0, ONE)
                h2[k] = np.clip((h1[k] @ self.w2[b].astype(np.int64).T + self.b2[b]) >> 6, 0, ONE)
                raw[k] = h2[k] @ self.w3[b].astype(np.int64) + self.b3[b]
            scaled = raw * self.output_scale
            values[part] = np.sign(scaled) * (np.abs(scaled) // (ONE * DENSE_ONE))
            if self.base:
                values[part] += own_eval[part]
        return np.clip(values, -VALUE_LIMIT, VALUE_LIMIT)

    def logits(self, own, enemy):
        """The logits of all cells by the policy head, as int64[n, cells]; of empty cells, those that matter."""
        bias, context, weight, output = (array.astype(np.int64) for array in self.policy)
        out = []
        for at in range(0, len(own), 256):
            parts = [rows[at:at + 256] for rows in (own, enemy)]
            sums = np.hstack([self.pool(rows) for rows in parts])
            cells = np.concatenate([self.activate(self.accumulate(rows.reshape(-1, self.per_cell)))
                                    .reshape(len(rows), -1, len(self.ft_bias)) for rows in parts], axis=2)
            from_sums = (sums @ context.T + bias).astype(np.int32).astype(np.int64) >> 4
            hidden = np.clip((cells @ weight.T + from_sums[:, None]) >> 6, 0, ONE)
            raw = hidden @ output * 100
            out.append(np.sign(raw) * (np.abs(raw) // (ONE * DENSE_ONE)))
        return np.concatenate(out)

    def payload(self):
        parts = [self.ft_bias.astype("<i2").tobytes(), self.ft_weight.astype("<i2").tobytes()]
        for b in range(len(self.b1)):
            parts += [self.b1[b].astype("<i4").tobytes(), self.w1[b].astype(self.w1.dtype.newbyteorder("<")).tobytes(),
                      self.b2[b].astype("<i4").tobytes(), self.w2[b].tobytes(),
                      self.b3[b].astype("<i4").tobytes(), self.w3[b].tobytes()]
        if self.policy:
            parts += [array.astype(kind).tobytes() for array, kind in zip(self.policy, POLICY_TYPES)]
        return b"".join(parts)

    def write(self, path, family, feature_set, provenance):
        features, width = self.ft_weight.shape
        buckets, l1, l2 = len(self.b1), self.w1.shape[1], self.w2.shape[1]
        payload, text = self.payload(), provenance.encode()
        size = struct.pack("<I", len(self.policy[0])) if self.policy else b""
        length = (188 + len(size) + len(text) + 7) // 8 * 8
        header = MAGIC + struct.pack("<10IQ", length, 2 if self.policy else 1, features, width, l1, l2, buckets, self.activation,
                                     self.output_scale, self.base, checksum(payload))
        header += family.encode().ljust(64, b"\0") + feature_set.encode().ljust(64, b"\0")
        header += struct.pack("<I", len(text)) + size + text
        with open(path, "wb") as file:
            file.write(header.ljust(length, b"\0") + payload)


def mix64(x):
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def checksum(payload):
    words = np.frombuffer(payload.ljust((len(payload) + 7) // 8 * 8, b"\0"), "<u8")
    with np.errstate(over="ignore"):
        steps = np.arange(1, len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        total = np.add.reduce(mix64(words + steps), dtype=np.uint64)
        return int(mix64(np.array([total + np.uint64(len(payload))], np.uint64))[0])


def first_unit(per_cell):
    """What a weight of 1.0 is in the first dense layer."""
    return WIDE_ONE if per_cell else DENSE_ONE


def quantise(arrays, output_scale, activation, base=0, per_cell=0):
    """An IntegerNet from float arrays by name. Half a unit is added to the biases of hidden layers, so that >> rounds."""
    def dense(name, unit=DENSE_ONE, limit=127):
        return np.clip(np.rint(arrays[name] * unit), -limit, limit)

    def bias(name, half, unit=DENSE_ONE):
        return np.rint(arrays[name] * ONE * unit) + half

    unit = first_unit(per_cell)
    net = IntegerNet(np.rint(arrays["ft_bias"] * ONE), np.rint(arrays["ft_weight"] * ONE),
                      bias("b1", unit // 2, unit), dense("w1", unit, 32767 if per_cell else 127),
                      bias("b2", DENSE_ONE // 2), dense("w2"), bias("b3", 0), dense("w3"), output_scale, activation, base,
                     per_cell)
    if POLICY[0] in arrays:
        net.policy = quantise_policy(arrays)
    return net


def quantise_policy(arrays):
    """The integers of a policy head from float arrays by name."""
    bias = np.rint(arrays["policy_bias"] * ONE * WIDE_ONE) + WIDE_ONE // 2
    return (bias.astype(np.int32), *(np.clip(np.rint(arrays[name] * unit), -limit, limit).astype(kind)
                                     for name, unit, limit, kind in zip(POLICY[1:], (WIDE_ONE, DENSE_ONE, DENSE_ONE),
                                                                        (32767, 127, 127), POLICY_TYPES[1:])))


def read(path, per_cell=0):
    """The IntegerNet of a file. per_cell: as in the samples' meta.txt."""
    with open(path, "rb") as file:
        data = file.read()
    fields = struct.unpack("<10IQ", data[8:56])
    length, version, features, width, l1, l2, buckets, activation, scale, base, expected = fields
    if data[:8] != MAGIC or checksum(data[length:]) != expected:
        raise SystemExit(f"{path}: not a network, or damaged")
    at = length

    def take(kind, *shape):
        nonlocal at
        count = int(np.prod(shape))
        array = np.frombuffer(data, kind, count, at).reshape(shape)
        at += array.nbytes
        return array

    ft_bias, ft_weight = take("<i2", width), take("<i2", features, width)
    dense = [(take("<i4", l1), take("<i2" if per_cell else "i1", l1, 2 * width), take("<i4", l2), take("i1", l2, l1), take("<i4", 1)[0],
              take("i1", l2)) for _ in range(buckets)]
    net = IntegerNet(ft_bias, ft_weight, *(np.stack(column) for column in zip(*dense)), scale, activation, base, per_cell)
    text = 188 if version == 1 else 192
    net.provenance = data[text:text + struct.unpack("<I", data[184:188])[0]].decode()
    if version == 2:
        hidden, = struct.unpack("<I", data[188:192])
        shapes = ((hidden,), (hidden, 2 * width), (hidden, 2 * width), (hidden,))
        net.policy = tuple(take(kind, *shape) for kind, shape in zip(POLICY_TYPES, shapes))
    return net


def dequantise(net):
    """Float arrays by name, of which quantise makes the same IntegerNet."""
    def bias(array, half, unit=DENSE_ONE):
        return (array - half) / (ONE * unit)

    half, unit = DENSE_ONE // 2, first_unit(net.per_cell)
    arrays = {"ft_bias": net.ft_bias / ONE, "ft_weight": net.ft_weight / ONE, "b1": bias(net.b1, unit // 2, unit),
              "w1": net.w1 / unit, "b2": bias(net.b2, half), "w2": net.w2 / DENSE_ONE, "b3": bias(net.b3, 0),
              "w3": net.w3 / DENSE_ONE}
    if net.policy:
        arrays["policy_bias"] = bias(net.policy[0], WIDE_ONE // 2, WIDE_ONE)
        for name, array, one in zip(POLICY[1:], net.policy[1:], (WIDE_ONE, DENSE_ONE, DENSE_ONE)):
            arrays[name] = array / one
    return arrays
