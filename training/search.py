"""Beam search under the grammar automaton."""
from __future__ import annotations

import functools

import numpy
import torch

from training import grammar
from training.features import Arrays, token_of
from training.grammar import KEYWORD_ID, KEYWORDS
from training.model import Parser

MAX_TOKENS = 90
MARGIN = 12.0  # live hypotheses this far below the best finished one are given up
BANNED = frozenset(["V:UNK"])


@functools.lru_cache(None)
def keyword_mask(options: frozenset[str]) -> numpy.ndarray:
    mask = numpy.zeros(len(KEYWORDS), bool)
    for option in options - BANNED:
        if option in KEYWORD_ID:
            mask[KEYWORD_ID[option]] = True
    return mask


def fill_mask(mask: numpy.ndarray, state: grammar.State, arrays: Arrays, keys: numpy.ndarray, last: int) -> None:
    """Marks the tokens that may follow; last is the number of the newest token."""
    base, options = len(KEYWORDS), grammar.allowed(state)
    mask[:base] = keyword_mask(options)
    words, columns = arrays.words, len(arrays.columns)
    if "<end>" in options:
        start = last - base
        mask[base + start:base + min(words, start + grammar.MAX_SPAN)] = True
    if "<word>" in options:
        mask[base:base + words] = True
    if "<column>" in options:
        mask[base + words:base + words + columns] = True
    if "<key>" in options:
        mask[base + words:base + words + columns] = keys
    if "<table>" in options:
        mask[base + words + columns:base + words + columns + len(arrays.tables)] = True


class Beam:
    """The hypotheses of one example."""

    def __init__(self, arrays: Arrays, keys: frozenset[int], width: int):
        self.arrays, self.keys, self.width = arrays, keys, width
        self.key_mask = numpy.array([c in keys for c in arrays.columns])
        self.live: list[tuple[float, grammar.State, list[int]]] = [(0.0, grammar.START, [])]
        self.done: list[tuple[float, list[int]]] = []

    def advance(self, scores: numpy.ndarray, picks: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Takes the best continuations (hypothesis, token); returns those that live on."""
        new, moved = [], []
        for score, (source, token) in zip(scores, picks):
            if score < -1e8 or len(new) >= self.width:
                break
            _, state, tokens = self.live[source]
            if grammar.is_idle(tokens, token):
                continue
            kind, what = token_of(self.arrays, token)
            state = grammar.step(state, grammar.terminal_of(kind, what, state, self.keys))
            if state == ():
                self.done.append((float(score), tokens + [token]))
            else:
                new.append((float(score), state, tokens + [token]))
                moved.append((source, token))
        self.done = sorted(self.done, key=lambda d: -d[0])[:self.width]
        if new and self.done and (new[0][0] < self.done[0][0] - MARGIN or len(self.done) == self.width and new[0][0] <= self.done[-1][0]):
            new, moved = [], []
        self.live = new
        return moved

    def results(self) -> list[tuple[float, list]]:
        return [(score, [token_of(self.arrays, t) for t in tokens]) for score, tokens in self.done]


@torch.no_grad()
def search(model: Parser, batch: dict, arrays: list[Arrays], keys: list[frozenset[int]], width: int = 8) -> list[list[tuple[float, list]]]:
    """Per example the finished queries, best first: (sum of log probabilities among the allowed tokens, tokens)."""
    items, real = model.items(batch)
    count, device = items.shape[0], items.device
    memory = [layer.memory(items).repeat_interleave(width, 1) for layer in model.decoder]
    items, real = items.repeat_interleave(width, 0), real.repeat_interleave(width, 0)
    size = len(KEYWORDS) + items.shape[1]
    beams = [Beam(a, k, width) for a, k in zip(arrays, keys)]
    last = torch.full((count * width, 1), KEYWORD_ID["BOS"], device=device)
    past: list = [None] * len(model.decoder)
    for at in range(MAX_TOKENS):
        x = model.inputs(last, items) + model.step(torch.tensor([at], device=device))
        for i, layer in enumerate(model.decoder):
            x, past[i] = layer(x, memory[i], real[:, None, None, :], past[i])
        mask = numpy.zeros((count, width, size), bool)
        scores = numpy.full((count, width), -1e9, numpy.float32)
        for i, beam in enumerate(beams):
            for j, (score, state, tokens) in enumerate(beam.live):
                fill_mask(mask[i, j], state, beam.arrays, beam.key_mask, tokens[-1] if tokens else 0)
                scores[i, j] = score
        allowed = torch.from_numpy(mask).to(device)
        logits = model.logits(x, items, real)[:, 0].float().view(count, width, size).masked_fill(~allowed, -1e9)
        total = torch.from_numpy(scores).to(device)[..., None] + logits.log_softmax(-1).masked_fill(~allowed, -1e9)
        top, index = total.view(count, -1).topk(2 * width)
        top, index = top.cpu().numpy(), index.cpu().numpy()
        source, token = numpy.zeros((count, width), numpy.int64), numpy.zeros((count, width), numpy.int64)
        for i, beam in enumerate(beams):
            moved = beam.advance(top[i], [divmod(int(j), size) for j in index[i]])
            for j, (s, t) in enumerate(moved):
                source[i, j], token[i, j] = s, t
        if not any(beam.live for beam in beams):
            break
        rows = torch.from_numpy((source + numpy.arange(count)[:, None] * width).reshape(-1)).to(device)
        past = [(k[rows], v[rows]) for k, v in past]
        last = torch.from_numpy(token.reshape(-1, 1)).to(device)
    return [beam.results() for beam in beams]
