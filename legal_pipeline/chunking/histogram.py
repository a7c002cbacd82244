"""Draws histograms with Pillow: matplotlib takes 80 ms per picture, and every document of a backfill gets a picture.

Not here: which sizes are shown where (`defs`).
"""

from __future__ import annotations

import base64
import bisect
import io
import math
from collections.abc import Sequence

from PIL import Image, ImageDraw, ImageFont

_WIDTH, _HEIGHT = 640, 280
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 624, 28, 232
_MOST_BARS = 40
_MOST_BLOCKS = 20
_BLOCKS = " ▁▂▃▄▅▆▇█"
_BAR, _LINE = "#3b6ea8", "#222222"


def histogram_png(sizes: Sequence[int], title: str) -> bytes:
    """Return a PNG of 640 x 280 pixels: number of chunks by number of tokens. The same sizes give the same bytes."""
    image = Image.new("RGB", (_WIDTH, _HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(11)
    low, high = (min(sizes), max(sizes)) if sizes else (0, 1)
    if low == high:
        low, high = low - 1, high + 1
    counts = _counts(sizes, low, high)
    most = max(1, *counts)

    def across(size: float) -> float:
        return _LEFT + (size - low) / (high - low) * (_RIGHT - _LEFT)

    def up(count: float) -> float:
        return _BOTTOM - count / most * (_BOTTOM - _TOP) * 0.95

    width = (_RIGHT - _LEFT) / len(counts)
    for number, count in enumerate(counts):
        if count:
            draw.rectangle((_LEFT + number * width, up(count), _LEFT + (number + 1) * width, _BOTTOM), fill=_BAR)
    draw.rectangle((_LEFT, _TOP, _RIGHT, _BOTTOM), outline=_LINE)
    for size in _round_numbers(low, high):
        draw.line((across(size), _BOTTOM, across(size), _BOTTOM + 4), fill=_LINE)
        draw.text((across(size), _BOTTOM + 6), f"{size:,}", _LINE, font, anchor="mt")
    for count in _round_numbers(0, most):
        draw.line((_LEFT - 4, up(count), _LEFT, up(count)), fill=_LINE)
        draw.text((_LEFT - 7, up(count)), f"{count:,}", _LINE, font, anchor="rm")
    draw.text(((_LEFT + _RIGHT) / 2, 8), title, _LINE, font, anchor="mt")
    draw.text(((_LEFT + _RIGHT) / 2, _HEIGHT - 8), "tokens", _LINE, font, anchor="mb")
    draw.text((8, 8), "chunks", _LINE, font, anchor="lt")
    buffer = io.BytesIO()
    image.quantize(16, Image.Quantize.FASTOCTREE).save(buffer, format="PNG")
    return buffer.getvalue()


def histogram_markdown(sizes: Sequence[int], title: str) -> str:
    """Return the histogram as markdown that embeds the picture, for the metadata of an asset."""
    picture = base64.b64encode(histogram_png(sizes, title)).decode("ascii")
    return f"![tokens per chunk](data:image/png;base64,{picture})"


def histogram_line(sizes: Sequence[int]) -> str:
    """Return the histogram in one line of text: `▃█▅▁ 12 to 480`; bars have equal width, and a bar with any chunk is visible."""
    if not sizes:
        return ""
    low, high = min(sizes), max(sizes)
    counts = _counts(sizes, low, high, _MOST_BLOCKS)
    most = max(counts)
    bars = "".join(_BLOCKS[math.ceil(count / most * (len(_BLOCKS) - 1))] for count in counts)
    return f"{bars} {low:,} to {high:,}"


def _counts(sizes: Sequence[int], low: float, high: float, most_bars: int = _MOST_BARS) -> list[int]:
    """Return the number of sizes in each bar; the bars divide `low` to `high` evenly."""
    bars = max(1, min(most_bars, len(set(sizes))))
    counts = [0] * bars
    edges = [low + (high - low) * (number + 1) / bars for number in range(bars - 1)]
    for size in sizes:
        counts[bisect.bisect_right(edges, size)] += 1
    return counts


def _round_numbers(low: float, high: float) -> range:
    """Return about five whole numbers from `low` to `high`, with as many trailing zeros as possible."""
    rough = max(1.0, (high - low) / 5)
    ten = 10 ** math.floor(math.log10(rough))
    step = next(int(ten * factor) for factor in (1, 2, 5, 10) if ten * factor >= rough)
    return range(math.ceil(low / step) * step, math.floor(high) + 1, step)
