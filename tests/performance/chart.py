"""The chart of docs/performance.svg: bars on a scale of powers of ten."""

import math

WIDTH, LEFT, RIGHT, BAR, TOP = 720, 110, 150, 14, 34
STYLE = """
  text { font: 12px system-ui, sans-serif; fill: #57606a; }
  .title { font-weight: 600; fill: #24292f; }
  .pcl { fill: #0969da; } .reference { fill: #8c959f; } .grid { stroke: #d0d7de; }
  @media (prefers-color-scheme: dark) {
    text { fill: #9198a1; } .title { fill: #f0f6fc; }
    .pcl { fill: #4493f8; } .reference { fill: #6e7681; } .grid { stroke: #30363d; }
  }
"""


def seconds(value):
    return f"{value:.1f} s" if value >= 1 else f"{value * 1e3:.{1 if value < 0.01 else 0}f} ms"


def draw(ours, theirs):
    """The times and the memory of both, by the number of nodes, as SVG."""
    low = 10 ** math.floor(math.log10(min(time for time, _ in ours.values())))
    most = max(time for time, _ in [*ours.values(), *theirs.values()])
    high = 10 ** math.ceil(math.log10(most))

    def x(value):
        share = math.log10(value / low) / math.log10(high / low)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    parts, y = [], TOP
    for count, (time, memory) in ours.items():
        rows = [("pcl", time, memory)]
        if count in theirs:
            rows.append(("reference", *theirs[count]))
        middle = y + len(rows) * BAR / 2 + 4
        label = f"{count:,} nodes"
        parts.append(f'<text x="{LEFT - 8}" y="{middle:.0f}" text-anchor="end">{label}</text>')
        for name, time, memory in rows:
            end = x(time)
            parts.append(
                f'<rect class="{name}" x="{LEFT}" y="{y}" width="{end - LEFT:.1f}" '
                f'height="{BAR - 2}" rx="2"/>'
            )
            label = f"{seconds(time)}, {memory / 1e6:,.0f} MB"
            parts.append(f'<text x="{end + 6:.1f}" y="{y + BAR - 4}">{label}</text>')
            y += BAR
        y += 10
    grid = []
    value = low
    while value <= high * 1.01:
        at = f"{x(value):.1f}"
        grid.append(f'<line class="grid" x1="{at}" y1="{TOP - 6}" x2="{at}" y2="{y - 4}"/>')
        label = f"{value:g} s" if value >= 1 else f"{value * 1e3:g} ms"
        grid.append(f'<text x="{at}" y="{y + 10}" text-anchor="middle">{label}</text>')
        value *= 10
    title = (
        f'<text class="title" x="{LEFT}" y="16">Checking a program: time, and peak memory</text>'
        f'<rect class="pcl" x="{WIDTH - 250}" y="7" width="10" height="10" rx="2"/>'
        f'<text x="{WIDTH - 235}" y="16">pcl</text>'
        f'<rect class="reference" x="{WIDTH - 195}" y="7" width="10" height="10" rx="2"/>'
        f'<text x="{WIDTH - 180}" y="16">Pulumi’s binder</text>'
    )
    height = y + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-label="Time and memory of pcl and Pulumi’s binder">',
        f"<style>{STYLE}</style>",
        title,
        *grid,
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"
