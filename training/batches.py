"""Arrays of many examples to one batch of tensors, of the size they need or of one of a few fixed shapes."""
from __future__ import annotations

import array
from typing import Iterable, NamedTuple

import torch

from training.features import Arrays
from training.model import NO_ITEM


class Shape(NamedTuple):
    """What a batch is padded to: pieces of text, items (words, columns, tables) and tokens of the target."""
    pieces: int
    items: int
    tokens: int


# In the order in which they are tried. Few, so that the accelerator's work on each can be recorded once and replayed (see train.py), and so that none is rare:
# an example waits until enough others of its shape have come.
SHAPES = [Shape(64, 32, 24), Shape(96, 48, 24), Shape(128, 56, 24), Shape(160, 72, 24), Shape(224, 96, 24), Shape(352, 144, 24), Shape(256, 112, 88), Shape(512, 232, 88)]


def up(size: int, step: int) -> int:
    return -(-size // step) * step


def shape_of(example: Arrays) -> int | None:
    """The number of the first of the fixed shapes that holds an example, or None when none does."""
    for at, shape in enumerate(SHAPES):
        if len(example.ids) <= shape.pieces and len(example.kinds) <= shape.items and len(example.target or ()) <= shape.tokens:
            return at
    return None


def needed(examples: list[Arrays]) -> Shape:
    """The shape that holds all examples."""
    return Shape(up(max(len(e.ids) for e in examples), 32), up(max(len(e.kinds) for e in examples), 16), up(max(len(e.target or ()) for e in examples), 8))


def padded(rows: Iterable[list[int]], length: int, fill: int) -> torch.Tensor:
    """Lists of small numbers as one matrix."""
    out, count = array.array("h"), 0
    for row in rows:
        out.extend(row)
        out.extend([fill] * (length - len(row)))
        count += 1
    return torch.frombuffer(out, dtype=torch.int16).view(count, length)


def squares(examples: list[Arrays], size: int) -> torch.Tensor:
    """The relations of all examples."""
    out = bytearray()
    for e in examples:
        m = len(e.kinds)
        rest = bytes(size - m)
        for at in range(0, m * m, m):
            out += e.relations[at:at + m]
            out += rest
        out += bytes(size * (size - m))
    return torch.frombuffer(out, dtype=torch.uint8).view(len(examples), size, size)


def collate(examples: list[Arrays], shape: Shape | None = None) -> dict[str, torch.Tensor]:
    shape = shape or needed(examples)
    out = {"ids": padded((e.ids for e in examples), shape.pieces, 0), "segment": padded((e.segment for e in examples), shape.pieces, 0),
           "feature": padded((e.feature for e in examples), shape.pieces, 0),
           "item": padded(([shape.items if x < 0 else x for x in e.item] for e in examples), shape.pieces, shape.items),
           "kinds": padded((e.kinds for e in examples), shape.items, NO_ITEM), "relations": squares(examples, shape.items)}
    if examples[0].target is not None:
        out["target"] = padded((e.target for e in examples), shape.tokens, 0)
    return out
