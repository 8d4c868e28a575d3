# SPDX-License-Identifier: MIT
"""chart.py - line charts as SVG, one below the other over the same x axis."""
import html
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP = 860, 130, 60, 20, 34, 60
TICKS = 12  # numbers on the x axis at most
COLOURS = ("#1f5f99", "#b3541e", "#3f7d3a", "#7d4f9e")


def tick_step(span):
    """The least of 1, 2 or 5 times a power of ten of which at most TICKS fit into the span."""
    power = 1e-6
    while True:
        for factor in (1, 2, 5):
            if span / (power * factor) <= TICKS:
                return power * factor
        power *= 10


class Chart:
    """One chart: a title, and lines from the label to [(x, y), ...]; y begins at `low`, or at the least value (None)."""

    def __init__(self, title, lines, low=0):
        self.title, self.lines = title, lines
        values = [y for points in lines.values() for _, y in points] or [0]
        self.low = min(values) if low is None else low
        self.high = max(values) if low is None else max(values) * 1.1
        if self.high <= self.low:
            self.high = self.low + 1

    def draw(self, base, x, marks):
        """The SVG elements of the chart above y = base; x(value) is a place on the x axis."""
        def y(value):
            return base - (value - self.low) / (self.high - self.low) * HEIGHT

        step = (self.high - self.low) / 2
        digits = 0 if step >= 1 else math.ceil(-math.log10(step)) + 1
        parts = [f'<text x="{LEFT}" y="{base - HEIGHT - 10}" font-weight="bold">{html.escape(self.title)}</text>']
        for i, label in enumerate(self.lines if len(self.lines) > 1 else []):
            at = LEFT + 240 + 150 * i
            parts.append(f'<rect x="{at}" y="{base - HEIGHT - 19}" width="10" height="10" fill="{COLOURS[i]}"/>'
                         f'<text x="{at + 15}" y="{base - HEIGHT - 10}">{label}</text>')
        for value in (self.low, self.low + step, self.high):
            text = f"{value:.{digits}f}"
            parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#dddddd"/>'
                         f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{text}</text>')
        for mark in marks:
            parts.append(f'<line x1="{x(mark):.1f}" x2="{x(mark):.1f}" y1="{base - HEIGHT}" y2="{base}" stroke="#999999" '
                         'stroke-dasharray="3 3"/>')
        for colour, points in zip(COLOURS, self.lines.values()):
            text = " ".join(f"{x(a):.1f},{y(b):.1f}" for a, b in points)
            parts.append(f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="1.3"/>')
        return parts


def write(path, charts, x_label, marks=()):
    """Writes an SVG file. marks: values of x with a dashed line."""
    span = max((x for chart in charts for points in chart.lines.values() for x, _ in points), default=0) or 1
    step = tick_step(span)
    digits = 0 if step >= 1 else len(f"{step:g}") - 2

    def x(value):
        return LEFT + value / span * (WIDTH - LEFT - RIGHT)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{TOP + len(charts) * (HEIGHT + GAP)}" '
             'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="#ffffff"/>']
    for i, chart in enumerate(charts):
        base = TOP + i * (HEIGHT + GAP) + HEIGHT
        parts += chart.draw(base, x, marks)
        for tick in range(int(span / step + 1e-9) + 1):
            parts.append(f'<text x="{x(tick * step):.1f}" y="{base + 16}" text-anchor="middle">{tick * step:.{digits}f}</text>')
        parts.append(f'<text x="{WIDTH - RIGHT}" y="{base + 31}" text-anchor="end">{x_label}</text>')
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(parts + ["</svg>\n"]))
