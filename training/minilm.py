"""The pre-trained encoder's files: its vocabulary (stdlib) and its tensors (torch)."""
from __future__ import annotations

import json
import pathlib
import struct


def vocabulary(folder: pathlib.Path) -> list[str]:
    """The pieces in the order of their ids."""
    pieces = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    return [piece for piece, _ in sorted(pieces.items(), key=lambda entry: entry[1])]


def tensors(folder: pathlib.Path) -> dict:
    """The tensors of model.fp16.safetensors as float32, without the pooler."""
    import torch
    data = (folder / "model.fp16.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    out = {}
    for name, entry in header.items():
        if name == "__metadata__" or "pooler" in name or "position_ids" in name:
            continue
        start, end = entry["data_offsets"]
        kind = {"F16": torch.float16, "F32": torch.float32}[entry["dtype"]]
        raw = torch.frombuffer(bytearray(data[8 + size + start:8 + size + end]), dtype=kind)
        out[name.removeprefix("bert.")] = raw.reshape(entry["shape"]).float()
    return out
