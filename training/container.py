"""The released file: a JSON header and tensors aligned to 64 bytes, made for memory mapping. Stdlib only.

8 bytes magic "QTXT2SQL", 8 bytes little-endian length of the header, the header (JSON, padded with spaces to a multiple of 64 with the 16
bytes before it), then the data. The header's "tensors" gives for each name its shape, type (int8 or fp16), offset and bytes from the start of
the data. An int8 matrix W has one fp16 scale per row under the name W + ".scale"; the weight is int8 * scale.
"""
from __future__ import annotations

import json
import pathlib
import struct

MAGIC = b"QTXT2SQL"
ALIGN = 64


def padded(data: bytes, size: int = ALIGN, fill: bytes = b"\0") -> bytes:
    return data + fill * (-len(data) % size)


def write(path: pathlib.Path, header: dict, tensors: dict[str, tuple[list[int], str, bytes]]) -> None:
    """tensors: name to (shape, type, raw little-endian bytes)."""
    entries, blobs, offset = {}, [], 0
    for name, (shape, kind, raw) in tensors.items():
        entries[name] = {"shape": shape, "type": kind, "offset": offset, "bytes": len(raw)}
        blobs.append(padded(raw))
        offset += len(blobs[-1])
    text = json.dumps({**header, "tensors": entries}, separators=(",", ":"), ensure_ascii=True).encode()
    text += b" " * (-(len(text) + 16) % ALIGN)
    path.write_bytes(MAGIC + struct.pack("<Q", len(text)) + text + b"".join(blobs))


def read(path: pathlib.Path) -> tuple[dict, dict[str, tuple[list[int], str, memoryview]]]:
    """The header and the tensors as views of their raw bytes."""
    data = memoryview(path.read_bytes())
    if bytes(data[:8]) != MAGIC:
        raise ValueError("not a parser file")
    size = struct.unpack("<Q", data[8:16])[0]
    header = json.loads(bytes(data[16:16 + size]))
    base = 16 + size
    tensors = {name: (e["shape"], e["type"], data[base + e["offset"]:base + e["offset"] + e["bytes"]]) for name, e in header["tensors"].items()}
    return header, tensors
