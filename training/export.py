"""Writes the released file from a checkpoint, and reads it back as a model: what is measured is what is released."""
from __future__ import annotations

import argparse
import hashlib
import pathlib

import numpy
import torch

from training import container, grammar, minilm, text
from training.features import FEATURES, RELATIONS
from training.model import Config, Parser

MIN_ROWS = 16  # smaller matrices stay fp16


def is_matrix(name: str, tensor: torch.Tensor) -> bool:
    """Whether a tensor is stored as int8 rows; the relation tables are small and stay fp16."""
    return tensor.ndim == 2 and min(tensor.shape) >= MIN_ROWS and "relation_" not in name


def quantised(weights: dict[str, torch.Tensor]) -> dict[str, tuple[list[int], str, bytes]]:
    out = {}
    for name, tensor in weights.items():
        x = tensor.float().cpu().numpy()
        if is_matrix(name, tensor):
            scale = (numpy.abs(x).max(1, keepdims=True) / 127 + 1e-6).astype(numpy.float16)
            rows = numpy.clip(numpy.round(x / scale.astype(numpy.float32)), -127, 127).astype(numpy.int8)
            out[name] = (list(x.shape), "int8", rows.tobytes())
            out[name + ".scale"] = ([x.shape[0]], "fp16", scale.tobytes())
        else:
            out[name] = (list(x.shape), "fp16", x.astype(numpy.float16).tobytes())
    return out


def header_of(config: Config, vocabulary: list[str]) -> dict:
    return {"format": 1, "config": {k: v for k, v in vars(config).items() if "dropout" not in k}, "keywords": grammar.KEYWORDS, "grammar": grammar.RULES,
            "max_span": grammar.MAX_SPAN, "relations": RELATIONS, "features": FEATURES, "vocabulary": vocabulary, "stop_words": sorted(text.STOP_WORDS),
            "abbreviations": text.ABBREVIATIONS, "fold": [[code, plain] for code, plain in sorted(text.FOLD.items())]}


def load(path: pathlib.Path, device: str = "cpu") -> Parser:
    """The model of a released file, its weights as float32."""
    header, tensors = container.read(path)
    model = Parser(Config(**header["config"]))
    state = {}
    for name, (shape, kind, raw) in tensors.items():
        if name.endswith(".scale"):
            continue
        x = numpy.frombuffer(raw, dtype=numpy.int8 if kind == "int8" else numpy.float16).reshape(shape).astype(numpy.float32)
        if kind == "int8":
            x = x * numpy.frombuffer(tensors[name + ".scale"][2], dtype=numpy.float16).astype(numpy.float32)[:, None]
        state[name] = torch.from_numpy(x)
    model.load_state_dict(state)
    return model.to(device).eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint")
    parser.add_argument("encoder", help="folder with tokenizer.json")
    parser.add_argument("out", help="file to write")
    a = parser.parse_args()
    saved = torch.load(a.checkpoint, map_location="cpu")
    out = pathlib.Path(a.out)
    container.write(out, header_of(Config(**saved["config"]), minilm.vocabulary(pathlib.Path(a.encoder))), quantised(saved["weights"]))
    print(out, out.stat().st_size, "bytes, sha256", hashlib.sha256(out.read_bytes()).hexdigest())


if __name__ == "__main__":
    main()
