#!/usr/bin/env python3
"""Draws loss and NSP accuracy of training runs beside each other, and prints how much the accuracy varies.

    scripts/plot_order.py FIGURE.svg TITLE:BEFORE_LOG,...:AFTER_LOG,... [TITLE:...]

Logs are those of berttrain --log-json --log-every 1, one for each seed. Each row of the figure is a data set: loss of
every seed, smoothed over 15 steps, and NSP accuracy of each step of the first seed. The table has the standard
deviation of NSP accuracy between the steps after the first 50, and the mean loss of the last 15: the mean of the seeds,
and their range.
"""

import html
import json
import math
import pathlib
import statistics
import sys

WIDTH, HEIGHT, LEFT, TOP, GAP = 360, 190, 56, 64, 64
SMOOTHED = 15
SKIPPED = 50
STYLE = """
  text { font: 12px sans-serif; fill: #1f2328 }
  .title { font-weight: 600 }
  .axis { stroke: #8c959f; stroke-width: 1; fill: none }
  .before { stroke: #bc4c00; fill: #bc4c00 }
  .after { stroke: #0969da; fill: #0969da }
  path.before, path.after { fill: none; stroke-width: 1.4; stroke-linejoin: round }
  path.dots { stroke-width: 3; stroke-linecap: round; stroke-opacity: 0.75 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .axis { stroke: #6e7681 }
    .before { stroke: #ffa657; fill: #ffa657 }
    .after { stroke: #58a6ff; fill: #58a6ff }
  }
"""


def steps_of(path):
    """Loss and NSP accuracy of each step."""
    with open(path, encoding="utf-8") as log:
        data = [json.loads(line)["data"] for line in log if '"nsp_accuracy"' in line]
    return [(step["loss"], step["nsp_accuracy"]) for step in data if "gradient_norm" in step]


def smoothed(values):
    return [statistics.fmean(values[max(0, i + 1 - SMOOTHED):i + 1]) for i in range(len(values))]


def deviation(accuracies):
    return statistics.pstdev(accuracies[SKIPPED:])


class Panel:
    """One chart: its frame, its scales."""

    def __init__(self, column, row, title, steps, low, high, ticks, unit):
        self.x, self.y = LEFT + column * (WIDTH + GAP), TOP + row * (HEIGHT + GAP)
        self.steps, self.low, self.high = steps, low, high
        self.parts = [f'<text class="title" x="{self.x}" y="{self.y - 8}">{html.escape(title)}</text>',
                      f'<path class="axis" d="M{self.x} {self.y}v{HEIGHT}h{WIDTH}"/>']
        for i in range(ticks + 1):
            value = low + (high - low) * i / ticks
            self.parts.append(f'<text x="{self.x - 6}" y="{self.place(0, value)[1] + 4:.1f}" text-anchor="end">'
                              f'{unit(value)}</text>')
        for step in range(0, steps + 1, 100):
            self.parts.append(f'<text x="{self.place(step, low)[0]:.1f}" y="{self.y + HEIGHT + 16}" '
                              f'text-anchor="middle">{step}</text>')

    def place(self, step, value):
        return (self.x + WIDTH * step / self.steps,
                self.y + HEIGHT * (self.high - value) / (self.high - self.low))

    def points(self, values, every=1):
        for i in range(0, len(values), every):
            yield "{:.0f} {:.0f}".format(*self.place(i + 1, values[i]))

    def line(self, name, values):
        self.parts.append(f'<path class="{name}" d="M{" ".join(self.points(values, every=4))}"/>')

    def dots(self, name, values):
        dots = "".join(f"M{point}h0" for point in self.points(values))
        self.parts.append(f'<path class="{name} dots" d="{dots}"/>')


def main(figure, *sets):
    parts, rows = [], []
    for number, text in enumerate(sets):
        title, *sides = text.split(":")
        runs = dict(zip(("before", "after"), ([steps_of(path) for path in side.split(",")] for side in sides)))
        curves = {name: [smoothed([loss for loss, _ in run]) for run in side] for name, side in runs.items()}
        flat = [value for side in curves.values() for curve in side for value in curve]
        steps = max(len(run) for side in runs.values() for run in side)
        low, high = math.floor(min(flat)), math.ceil(max(flat))
        loss = Panel(0, number, f"{title}: loss, {len(runs['before'])} seeds", steps, low, high, 2 * (high - low),
                     lambda value: f"{value:.1f}")
        accuracy = Panel(1, number, f"{title}: NSP accuracy of each step", steps, 0, 1, 4,
                         lambda value: f"{value:.0%}")
        for name, side in runs.items():
            for curve in curves[name]:
                loss.line(name, curve)
            accuracy.dots(name, [correct for _, correct in side[0]])
            found = [deviation([correct for _, correct in run]) for run in side]
            last = [statistics.fmean([value for value, _ in run[-SMOOTHED:]]) for run in side]
            order = "v1" if name == "before" else "v2"
            rows.append(f"| {title} | {order} | {statistics.fmean(found):.1%} ({min(found):.1%} to {max(found):.1%}) | "
                        f"{statistics.fmean(last):.2f} ({min(last):.2f} to {max(last):.2f}) |")
        parts += loss.parts + accuracy.parts
    width, height = LEFT + 2 * WIDTH + GAP + 16, TOP + len(sets) * (HEIGHT + GAP) - 24
    legend = (f'<text x="{LEFT}" y="24"><tspan class="before" stroke="none">&#9632;</tspan> one shard after the other '
              f'(v1)   <tspan class="after" stroke="none">&#9632;</tspan> chunks of all shards mixed (v2)</text>')
    pathlib.Path(figure).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="Loss and next-sentence accuracy by step, for two orders of rows">\n'
        f"<style>{STYLE}</style>\n" + "\n".join([legend, *parts]) + "\n</svg>\n", encoding="utf-8")
    print("| data | order | deviation of NSP accuracy between steps | loss of the last 15 steps |",
          "| --- | --- | ---: | ---: |", *rows, sep="\n")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
