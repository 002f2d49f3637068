"""The network: a MiniLM encoder, relation-aware layers over words, columns and tables, and a decoder that points at them."""
from __future__ import annotations

import dataclasses
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

from training.features import FEATURES, RELATIONS
from training.grammar import KEYWORDS

NO_ITEM = 3  # the kind of padding items
MAX_DECODED = 96


@dataclasses.dataclass
class Config:
    """Sizes; the encoder's are those of all-MiniLM-L6-v2."""
    width: int = 384
    encoder_layers: int = 6
    encoder_heads: int = 12
    encoder_inner: int = 1536
    relation_layers: int = 4
    decoder_layers: int = 4
    heads: int = 8
    inner: int = 1024
    vocabulary: int = 30522
    positions: int = 512
    dropout: float = 0.15
    encoder_dropout: float = 0.1


class EncoderLayer(nn.Module):
    """BERT's layer: attention and feed-forward, each followed by a norm."""

    def __init__(self, c: Config):
        super().__init__()
        self.heads, self.dropout = c.encoder_heads, c.encoder_dropout
        self.query, self.key, self.value, self.output = (nn.Linear(c.width, c.width) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(c.width, 1e-12), nn.LayerNorm(c.width, 1e-12)
        self.inner, self.outer = nn.Linear(c.width, c.encoder_inner), nn.Linear(c.encoder_inner, c.width)

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        b, length, width = x.shape
        q, k, v = (m(x).view(b, length, self.heads, -1).transpose(1, 2) for m in (self.query, self.key, self.value))
        p = self.dropout if self.training else 0.0
        a = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=p)
        x = self.norm1(x + F.dropout(self.output(a.transpose(1, 2).reshape(b, length, width)), p, self.training))
        return self.norm2(x + F.dropout(self.outer(F.gelu(self.inner(x))), p, self.training))


class RelationLayer(nn.Module):
    """Self-attention whose scores and values also depend on the relation of the pair; norms come first."""

    def __init__(self, c: Config):
        super().__init__()
        self.heads, self.dropout, self.head = c.heads, c.dropout, c.width // c.heads
        self.qkv, self.output = nn.Linear(c.width, 3 * c.width), nn.Linear(c.width, c.width)
        self.relation_key = nn.Parameter(torch.randn(len(RELATIONS), self.head) * 0.02)
        self.relation_value = nn.Parameter(torch.randn(len(RELATIONS), self.head) * 0.02)
        self.relation_bias = nn.Parameter(torch.zeros(c.heads, len(RELATIONS)))
        self.norm1, self.norm2 = nn.LayerNorm(c.width), nn.LayerNorm(c.width)
        self.inner, self.outer = nn.Linear(c.width, c.inner), nn.Linear(c.inner, c.width)

    def forward(self, x: torch.Tensor, relations: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        b, n, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, n, 3, self.heads, self.head).permute(2, 0, 3, 1, 4)
        index = relations[:, None].expand(b, self.heads, n, n)
        by_relation = q @ self.relation_key.T.to(q.dtype) + self.relation_bias[None, :, None, :].to(q.dtype)
        scores = (q @ k.transpose(-1, -2) + by_relation.gather(-1, index)).float() / math.sqrt(self.head)
        weights = F.dropout(scores.masked_fill(~mask, -1e4).softmax(-1).to(q.dtype), self.dropout, self.training)
        summed = torch.zeros(b, self.heads, n, len(RELATIONS), device=x.device, dtype=weights.dtype).scatter_add(-1, index, weights)
        y = (weights @ v + summed @ self.relation_value.to(weights.dtype)).transpose(1, 2).reshape(b, n, width)
        x = x + F.dropout(self.output(y), self.dropout, self.training)
        y = F.dropout(F.gelu(self.inner(self.norm2(x))), self.dropout, self.training)
        return x + F.dropout(self.outer(y), self.dropout, self.training)


class DecoderLayer(nn.Module):
    """Causal self-attention, attention to the items, feed-forward; norms come first."""

    def __init__(self, c: Config):
        super().__init__()
        self.heads, self.dropout, self.head = c.heads, c.dropout, c.width // c.heads
        self.qkv, self.output = nn.Linear(c.width, 3 * c.width), nn.Linear(c.width, c.width)
        self.cross_query, self.cross_kv, self.cross_output = nn.Linear(c.width, c.width), nn.Linear(c.width, 2 * c.width), nn.Linear(c.width, c.width)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(c.width) for _ in range(3))
        self.inner, self.outer = nn.Linear(c.width, c.inner), nn.Linear(c.inner, c.width)

    def memory(self, items: torch.Tensor) -> torch.Tensor:
        """Keys and values of the items, made once for all steps."""
        b, n, _ = items.shape
        return self.cross_kv(items).view(b, n, 2, self.heads, self.head).permute(2, 0, 3, 1, 4)

    def forward(self, x: torch.Tensor, memory: torch.Tensor, mask: torch.Tensor, past=None):
        """past: keys and values of earlier steps; x is then the newest step alone."""
        b, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(b, length, 3, self.heads, self.head).permute(2, 0, 3, 1, 4)
        if past is not None:
            k, v = torch.cat([past[0], k], 2), torch.cat([past[1], v], 2)
        p = self.dropout if self.training else 0.0
        a = F.scaled_dot_product_attention(q, k, v, is_causal=past is None and length > 1, dropout_p=p)
        x = x + F.dropout(self.output(a.transpose(1, 2).reshape(b, length, width)), p, self.training)
        q = self.cross_query(self.norm2(x)).view(b, length, self.heads, self.head).transpose(1, 2)
        a = F.scaled_dot_product_attention(q, memory[0], memory[1], attn_mask=mask, dropout_p=p)
        x = x + F.dropout(self.cross_output(a.transpose(1, 2).reshape(b, length, width)), p, self.training)
        y = F.dropout(F.gelu(self.inner(self.norm3(x))), p, self.training)
        return x + F.dropout(self.outer(y), p, self.training), (k, v)


class Parser(nn.Module):
    def __init__(self, config: Config = Config()):
        super().__init__()
        c = self.config = config
        self.word, self.position, self.segment = nn.Embedding(c.vocabulary, c.width), nn.Embedding(c.positions, c.width), nn.Embedding(2, c.width)
        self.feature = nn.Embedding(FEATURES, c.width)
        self.norm = nn.LayerNorm(c.width, 1e-12)
        self.encoder = nn.ModuleList(EncoderLayer(c) for _ in range(c.encoder_layers))
        self.kind = nn.Embedding(4, c.width)
        self.relation = nn.ModuleList(RelationLayer(c) for _ in range(c.relation_layers))
        self.item_norm = nn.LayerNorm(c.width)
        self.keyword, self.step = nn.Embedding(len(KEYWORDS), c.width), nn.Embedding(MAX_DECODED, c.width)
        self.pointed = nn.Linear(c.width, c.width)
        self.decoder = nn.ModuleList(DecoderLayer(c) for _ in range(c.decoder_layers))
        self.decoder_norm = nn.LayerNorm(c.width)
        self.to_keyword, self.to_query, self.to_key = nn.Linear(c.width, len(KEYWORDS)), nn.Linear(c.width, c.width), nn.Linear(c.width, c.width)
        for embedding, spread in ((self.feature, 0.01), (self.keyword, 0.05), (self.step, 0.02)):
            nn.init.normal_(embedding.weight, std=spread)

    @torch.no_grad()
    def load_encoder(self, tensors: dict[str, torch.Tensor]) -> None:
        """Copies the weights of all-MiniLM-L6-v2."""
        def copy(module: nn.Module, name: str) -> None:
            module.weight.copy_(tensors[name + ".weight"])
            if getattr(module, "bias", None) is not None:
                module.bias.copy_(tensors[name + ".bias"])
        for module, name in ((self.word, "word_embeddings"), (self.position, "position_embeddings"), (self.segment, "token_type_embeddings"), (self.norm, "LayerNorm")):
            copy(module, "embeddings." + name)
        for at, layer in enumerate(self.encoder):
            for module, name in ((layer.query, "attention.self.query"), (layer.key, "attention.self.key"), (layer.value, "attention.self.value"),
                                 (layer.output, "attention.output.dense"), (layer.norm1, "attention.output.LayerNorm"),
                                 (layer.inner, "intermediate.dense"), (layer.outer, "output.dense"), (layer.norm2, "output.LayerNorm")):
                copy(module, f"encoder.layer.{at}.{name}")

    def encoder_parameters(self) -> list[nn.Parameter]:
        return [p for m in (self.word, self.position, self.segment, self.norm, self.encoder) for p in m.parameters()]

    def items(self, b: dict) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors of words, columns and tables, and which of them are real."""
        ids = b["ids"].long()
        x = self.word(ids) + self.segment(b["segment"].long()) + self.position(torch.arange(ids.shape[1], device=ids.device)) + self.feature(b["feature"].long())
        x = F.dropout(self.norm(x), self.config.encoder_dropout, self.training)
        mask = (ids > 0)[:, None, None, :]
        for layer in self.encoder:
            x = layer(x, mask)
        member = (b["item"][:, None, :] == torch.arange(b["kinds"].shape[1], device=ids.device)[:, None]).to(x.dtype)
        items = member @ x / member.sum(2).clamp(min=1)[..., None] + self.kind(b["kinds"].long())
        real = b["kinds"] < NO_ITEM
        relations = b["relations"].long()
        for layer in self.relation:
            items = layer(items, relations, real[:, None, None, :])
        return self.item_norm(items), real

    def inputs(self, tokens: torch.Tensor, items: torch.Tensor) -> torch.Tensor:
        """What the decoder reads: the embedding of a keyword, or the vector of the item pointed at."""
        words = self.keyword(tokens.clamp(max=len(KEYWORDS) - 1))
        where = (tokens - len(KEYWORDS)).clamp(min=0)[..., None].expand(-1, -1, items.shape[-1])
        pointed = self.pointed(items.gather(1, where))
        return torch.where((tokens < len(KEYWORDS))[..., None], words.to(pointed.dtype), pointed)

    def logits(self, hidden: torch.Tensor, items: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
        """Scores of all keywords, then of all items."""
        hidden = self.decoder_norm(hidden)
        pointers = (self.to_query(hidden) @ self.to_key(items).transpose(1, 2)).float() / math.sqrt(items.shape[-1])
        return torch.cat([self.to_keyword(hidden).float(), pointers.masked_fill(~real[:, None, :], -1e4)], -1)

    def forward(self, b: dict) -> torch.Tensor:
        """Logits of every next token of the target."""
        items, real = self.items(b)
        tokens = b["target"][:, :-1].long()
        x = self.inputs(tokens, items) + self.step(torch.arange(tokens.shape[1], device=tokens.device))
        x = F.dropout(x, self.config.dropout, self.training)
        for layer in self.decoder:
            x, _ = layer(x, layer.memory(items), real[:, None, None, :])
        return self.logits(x, items, real)
