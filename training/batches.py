"""Arrays of many examples to one batch of tensors."""
from __future__ import annotations

import torch

from training.features import Arrays
from training.model import NO_ITEM


def up(size: int, step: int) -> int:
    return -(-size // step) * step


def collate(examples: list[Arrays]) -> dict[str, torch.Tensor]:
    count = len(examples)
    length, items = up(max(len(e.ids) for e in examples), 32), up(max(len(e.kinds) for e in examples), 16)
    out = {name: torch.zeros(count, length, dtype=torch.long) for name in ("ids", "segment", "feature")}
    out["item"] = torch.full((count, length), items)
    out["kinds"] = torch.full((count, items), NO_ITEM)
    out["relations"] = torch.zeros(count, items, items, dtype=torch.uint8)
    for i, e in enumerate(examples):
        n, m = len(e.ids), len(e.kinds)
        out["ids"][i, :n], out["segment"][i, :n], out["feature"][i, :n] = torch.tensor(e.ids), torch.tensor(e.segment), torch.tensor(e.feature)
        out["item"][i, :n] = torch.tensor([items if x < 0 else x for x in e.item])
        out["kinds"][i, :m] = torch.tensor(e.kinds)
        out["relations"][i, :m, :m] = torch.frombuffer(bytearray(e.relations), dtype=torch.uint8).view(m, m)
    out["mask"] = out["ids"] > 0
    if examples[0].target is not None:
        out["target"] = torch.zeros(count, up(max(len(e.target) for e in examples), 8), dtype=torch.long)
        for i, e in enumerate(examples):
            out["target"][i, :len(e.target)] = torch.tensor(e.target)
    return out
