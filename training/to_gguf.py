"""Writes models/text2sql.gguf, which the program maps into memory, from the file that training/export.py writes. Stdlib only.

Layers are stored as the program computes with them: int8 in pairs of rows (8 values of the one, 8 of the other, and so on), the rows padded to a
multiple of 8, with one float32 scale and bias per row; queries, keys and values of a layer as one matrix. Embeddings keep their order. All else is float32. Every
value is exactly that of the source.

usage: python3 -m training.to_gguf text2sql.bin models/text2sql.gguf
"""
from __future__ import annotations

import argparse
import hashlib
import json
import pathlib
import struct

FORMAT = 1
MAGIC = b"QTXT2SQL"
ALIGN = 64
GROUP = 8
TILE = 8
EMBEDDINGS = ("word", "position", "feature", "keyword", "step")
TYPE_F32, TYPE_I8 = 0, 24
UINT32, STRING, ARRAY = 4, 8, 9
CONFIG = ("width", "encoder_layers", "encoder_heads", "relation_layers", "decoder_layers", "heads")


class Source:
    """The exported container: a JSON header and raw tensors."""

    def __init__(self, data: bytes):
        if data[:8] != MAGIC:
            raise SystemExit("not a file of training/export.py")
        size = struct.unpack_from("<Q", data, 8)[0]
        self.header = json.loads(data[16:16 + size])
        self.data = memoryview(data)[16 + size:]

    def names(self) -> list[str]:
        return [name for name in self.header["tensors"] if not name.endswith(".scale")]

    def raw(self, name: str, kind: str) -> tuple[list[int], bytes]:
        entry = self.header["tensors"][name]
        if entry["type"] != kind:
            raise SystemExit(f"{name} is {entry['type']}, not {kind}")
        return entry["shape"], bytes(self.data[entry["offset"]:entry["offset"] + entry["bytes"]])

    def floats(self, name: str) -> tuple[list[int], list[float]]:
        shape, raw = self.raw(name, "fp16")
        return shape, list(struct.unpack(f"<{len(raw) // 2}e", raw))


def float_bytes(values: list[float]) -> bytes:
    return struct.pack(f"<{len(values)}f", *values)


def paired(rows: list[bytes]) -> bytes:
    out = []
    for first, second in zip(rows[::2], rows[1::2]):
        for at in range(0, len(first), GROUP):
            out += (first[at:at + GROUP], second[at:at + GROUP])
    return b"".join(out)


def layer(source: Source, names: list[str], to: str, out: dict) -> None:
    """One layer, or several with the same input as one."""
    rows, scales, bias, width = [], [], [], 0
    for name in names:
        (count, width), raw = source.raw(name + ".weight", "int8")
        rows += [raw[at * width:(at + 1) * width] for at in range(count)]
        scales += source.floats(name + ".weight.scale")[1]
        bias += source.floats(name + ".bias")[1]
    more = -len(rows) % TILE
    out[to + ".weight"] = ([width, len(rows) + more], TYPE_I8, paired(rows + [bytes(width)] * more))
    out[to + ".weight.scale"] = ([len(rows) + more], TYPE_F32, float_bytes(scales + [0.0] * more))
    out[to + ".bias"] = ([len(rows) + more], TYPE_F32, float_bytes(bias + [0.0] * more))


def tensors_of(source: Source) -> dict[str, tuple[list[int], int, bytes]]:
    """Name to (sizes, the row's first; type; bytes)."""
    out: dict[str, tuple[list[int], int, bytes]] = {}
    for name in source.names():
        stem, _, what = name.rpartition(".")
        entry = source.header["tensors"][name]
        if stem in EMBEDDINGS:
            (count, width), raw = source.raw(name, "int8")
            out[name] = ([width, count], TYPE_I8, raw)
            out[name + ".scale"] = ([count], TYPE_F32, float_bytes(source.floats(name + ".scale")[1]))
        elif entry["type"] == "int8":
            base, _, part = stem.rpartition(".")
            if part == "query":
                layer(source, [f"{base}.{p}" for p in ("query", "key", "value")], base + ".qkv", out)
            elif part not in ("key", "value"):
                layer(source, [stem], stem, out)
        elif what != "bias" or stem + ".weight" not in source.header["tensors"] or source.header["tensors"][stem + ".weight"]["type"] != "int8":
            shape, values = source.floats(name)
            out[name] = (shape[::-1], TYPE_F32, float_bytes(values))
    return out


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def entry(key: str, value) -> bytes:
    if isinstance(value, int):
        return text(key) + struct.pack("<II", UINT32, value)
    if isinstance(value, str):
        return text(key) + struct.pack("<I", STRING) + text(value)
    return text(key) + struct.pack("<IIQ", ARRAY, STRING, len(value)) + b"".join(text(v) for v in value)


def padding(size: int) -> bytes:
    return bytes(-size % ALIGN)


def gguf(source: Source, source_sha256: str) -> bytes:
    tensors = tensors_of(source)
    header, config = source.header, source.header["config"]
    digest = hashlib.sha256()
    infos, blobs, offset = [], [], 0
    for name, (sizes, kind, raw) in tensors.items():
        digest.update(raw)
        infos.append(text(name) + struct.pack("<I", len(sizes)) + struct.pack(f"<{len(sizes)}q", *sizes) + struct.pack("<IQ", kind, offset))
        blobs += [raw, padding(len(raw))]
        offset += len(raw) + len(blobs[-1])
    entries = {"general.architecture": "text2sql", "general.alignment": ALIGN, "general.name": "Quaestor's trained parser of questions", "text2sql.format": FORMAT,
               "text2sql.source_sha256": source_sha256, "text2sql.data_sha256": digest.hexdigest(), "text2sql.span_max": header["max_span"],
               "text2sql.relations": len(header["relations"]), "text2sql.keywords": header["keywords"], "text2sql.vocabulary": header["vocabulary"]}
    entries |= {"text2sql." + name: config[name] for name in CONFIG}
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(entries)) + b"".join(entry(k, v) for k, v in entries.items()) + b"".join(infos)
    return out + padding(len(out)) + b"".join(blobs)


def metadata(path: pathlib.Path) -> dict[str, int | str | list[str]]:
    """What entry() wrote into a file of ours."""
    data = path.read_bytes()
    at = 24
    count = struct.unpack_from("<Q", data, 16)[0]

    def number(form: str) -> int:
        nonlocal at
        at += struct.calcsize(form)
        return struct.unpack_from(form, data, at - struct.calcsize(form))[0]

    def words() -> str:
        nonlocal at
        size = number("<Q")
        at += size
        return data[at - size:at].decode()

    def value() -> int | str | list[str]:
        kind = number("<I")
        if kind == UINT32:
            return number("<I")
        if kind == STRING:
            return words()
        number("<I")  # of texts
        return [words() for _ in range(number("<Q"))]
    return {words(): value() for _ in range(count)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", help="file of training/export.py")
    parser.add_argument("out", help="GGUF file to write")
    a = parser.parse_args()
    data = pathlib.Path(a.source).read_bytes()
    made = gguf(Source(data), hashlib.sha256(data).hexdigest())
    pathlib.Path(a.out).write_bytes(made)
    print(a.out, len(made), "bytes, sha256", hashlib.sha256(made).hexdigest())


if __name__ == "__main__":
    main()
