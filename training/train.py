"""Trains the parser: seeded, a cosine schedule over steps, a moving average of the weights, features made in parallel workers."""
from __future__ import annotations

import argparse
import copy
import math
import pathlib
import pickle
import random
import time

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, IterableDataset

from training import minilm
from training.batches import collate
from training.features import Builder
from training.grammar import KEYWORD_ID
from training.model import Config, Parser
from training.text import WordPiece


class Stream(IterableDataset):
    """Endless batches. A share of synthetic examples, falling over time, is mixed into Spider's; lengths in a batch are similar."""

    def __init__(self, data: dict, arguments: argparse.Namespace, vocabulary: list[str]):
        self.a, self.schemas, self.vocabulary = arguments, data["schemas"], vocabulary
        parts = ["train"] + (["selection"] if arguments.with_selection else [])
        self.spider = [row for part in parts for row in data["spider"][part]]
        self.synthetic = list(data["synthetic_own"]) + [row for part in parts for row in data["synthetic_spider"][part] if not arguments.own_only]

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        rng = random.Random(self.a.seed * 1000 + (worker.id if worker else 0))
        workers = worker.num_workers if worker else 1
        builder = Builder(WordPiece(self.vocabulary))
        pools = {"spider": [], "synthetic": []}
        made, chunk = 0, self.a.batch * 8

        def take(name: str):
            if not pools[name]:
                pools[name] = rng.sample(getattr(self, name), len(getattr(self, name)))
            return pools[name].pop()
        while True:
            progress = min(1.0, made * workers / self.a.steps)
            share = self.a.share_start + (self.a.share_end - self.a.share_start) * progress
            rows = [take("synthetic" if rng.random() < share else "spider") for _ in range(chunk)]
            built = [builder.build(question, self.schemas[db], hits, target, rng) for db, question, target, hits, _ in rows]
            built.sort(key=lambda e: len(e.ids))
            batches = [built[i:i + self.a.batch] for i in range(0, chunk, self.a.batch)]
            rng.shuffle(batches)
            for batch in batches:
                made += 1
                yield collate(batch)


def arguments_of(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="file that prepare.py wrote")
    parser.add_argument("encoder", help="folder with MiniLM's model.fp16.safetensors and tokenizer.json")
    parser.add_argument("out", help="checkpoint to write")
    parser.add_argument("--steps", type=int, default=7000)
    parser.add_argument("--minutes", type=float, default=60, help="the schedule ends by then even if steps are left")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--dropout", type=float, default=0.15)
    parser.add_argument("--smoothing", type=float, default=0.0)
    parser.add_argument("--share-start", type=float, default=0.6)
    parser.add_argument("--share-end", type=float, default=0.51)
    parser.add_argument("--average", type=float, default=0.999)
    parser.add_argument("--own-only", action="store_true", help="synthetic questions over our own schemas alone")
    parser.add_argument("--with-selection", action="store_true", help="train on the selection databases too")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=8)
    return parser.parse_args(argv)


def loss_of(model: Parser, batch: dict, smoothing: float) -> torch.Tensor:
    logits = model(batch)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), batch["target"][:, 1:].reshape(-1), ignore_index=KEYWORD_ID["PAD"], label_smoothing=smoothing)


def rate_at(step: int, progress: float) -> float:
    """Warm-up over 400 steps, then half a cosine down to 2 %."""
    return min(1.0, step / 400) * max(0.02, 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))


def train(a: argparse.Namespace) -> Parser:
    """Returns the moving average of the weights."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.enable_cudnn_sdp(False)  # it would plan anew for every shape of batch
    data = pickle.loads(pathlib.Path(a.data).read_bytes())
    model = Parser(Config(dropout=a.dropout))
    model.load_encoder(minilm.tensors(pathlib.Path(a.encoder)))
    model.to(device)
    stream = Stream(data, a, minilm.vocabulary(pathlib.Path(a.encoder)))
    print(f"{a.out}: {sum(p.numel() for p in model.parameters())} parameters, {len(stream.spider)} Spider and {len(stream.synthetic)} synthetic rows", flush=True)
    slow = model.encoder_parameters()
    known = {id(p) for p in slow}
    groups = [{"params": slow, "base": a.encoder_rate}, {"params": [p for p in model.parameters() if id(p) not in known], "base": a.rate}]
    optimizer = torch.optim.AdamW(groups, lr=a.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")
    average = copy.deepcopy(model).eval()
    parameters, averaged = list(model.parameters()), list(average.parameters())
    loader = iter(DataLoader(stream, batch_size=None, num_workers=a.workers, prefetch_factor=8 if a.workers else None, pin_memory=device == "cuda"))
    start, step, progress = time.time(), 0, 0.0
    model.train()
    while progress < 1:
        progress = max(step / a.steps, (time.time() - start) / (a.minutes * 60))
        batch = {name: t.to(device, non_blocking=True) for name, t in next(loader).items()}
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * rate_at(step, progress)
        with torch.autocast(device, torch.bfloat16):
            loss = loss_of(model, batch, a.smoothing)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        step += 1
        with torch.no_grad():
            torch._foreach_lerp_(averaged, parameters, 1 - min(a.average, step / (step + 50)))
        if step % 500 == 0:
            print(f"{a.out} step {step} loss {loss.item():.4f} {1000 * (time.time() - start) / step:.0f} ms/step", flush=True)
    print(f"{a.out} ended after {step} steps, {time.time() - start:.0f} s", flush=True)
    return average


def main() -> None:
    a = arguments_of()
    model = train(a)
    torch.save({"config": vars(model.config), "weights": {k: v.half() for k, v in model.state_dict().items()}, "arguments": vars(a)}, a.out)


if __name__ == "__main__":
    main()
