"""Trains the parser: seeded, a cosine schedule over steps, a moving average of the weights, features made in parallel workers, recorded steps."""
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
from training.batches import SHAPES, collate, shape_of
from training.features import Builder
from training.grammar import KEYWORD_ID
from training.model import Config, Parser
from training.text import WordPiece


AVERAGE_EVERY = 8  # steps between two updates of the moving average


class Stream(IterableDataset):
    """Endless batches of one of the fixed shapes, with the number of the shape. A share of synthetic examples, falling over time, is mixed into those that
    people wrote: Spider's and our own."""

    def __init__(self, data: dict, arguments: argparse.Namespace, vocabulary: list[str]):
        self.a, self.schemas, self.vocabulary = arguments, data["schemas"], vocabulary
        parts = ["train"] + (["selection"] if arguments.with_selection else [])
        rows = [row for part in parts for row in data["spider"][part] if row[0] not in arguments.without]
        written = [row for part in parts for row in data["written"].get(part, [])]
        self.pools = {"spider": [row for row in rows if not row[4]], "spider in other words": [row for row in rows if row[4]],
                      "written": [row for row in written if not row[4]], "written in other words": [row for row in written if row[4]]}
        self.pools["synthetic"] = data["synthetic_own"] + [row for part in parts for row in data["synthetic_written"].get(part, [])]
        if not arguments.own_only:
            self.pools["synthetic"] += [row for part in parts for row in data["synthetic_spider"][part] if row[0] not in arguments.without]

    def source(self, share: float, rng: random.Random) -> str:
        """The pool of the next example."""
        if rng.random() < share:
            return "synthetic"
        name = "written" if self.pools["written"] and rng.random() < self.a.written else "spider"
        other = name + " in other words"
        return other if self.pools[other] and rng.random() < self.a.paraphrased else name

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        rng = random.Random(self.a.seed * 1000 + (worker.id if worker else 0))
        workers, start = worker.num_workers if worker else 1, time.time()
        builder = Builder(WordPiece(self.vocabulary))
        left: dict[str, list] = {name: [] for name in self.pools}
        waiting: list[list] = [[] for _ in SHAPES]
        made = 0

        def take(name: str):
            if not left[name]:
                left[name] = rng.sample(self.pools[name], len(self.pools[name]))
            return left[name].pop()
        while True:
            progress = min(1.0, max(made * workers / self.a.steps, (time.time() - start) / (self.a.minutes * 60)))
            share = self.a.share_start + (self.a.share_end - self.a.share_start) * progress
            database, question, target, hits, _ = take(self.source(share, rng))
            built = builder.build(question, self.schemas[database], hits, target, rng)
            at = shape_of(built)
            if at is None:
                continue
            waiting[at].append(built)
            if len(waiting[at]) == self.a.batch:
                made += 1
                yield at, collate(waiting[at], SHAPES[at])
                waiting[at] = []


def arguments_of(argv: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", help="file that prepare.py wrote")
    parser.add_argument("encoder", help="folder with MiniLM's model.fp16.safetensors and tokenizer.json")
    parser.add_argument("out", help="checkpoint to write")
    parser.add_argument("--steps", type=int, default=20200)
    parser.add_argument("--minutes", type=float, default=60, help="the schedule ends by then even if steps are left")
    parser.add_argument("--batch", type=int, default=96)
    parser.add_argument("--rate", type=float, default=5e-4)
    parser.add_argument("--encoder-rate", type=float, default=1e-4)
    parser.add_argument("--dropout", type=float, default=0.2)
    parser.add_argument("--smoothing", type=float, default=0.0)
    parser.add_argument("--share-start", type=float, default=0.6)
    parser.add_argument("--share-end", type=float, default=0.4)
    parser.add_argument("--paraphrased", type=float, default=0.7, help="share of other wordings among people's questions")
    parser.add_argument("--written", type=float, default=0.5, help="share of our own among people's questions")
    parser.add_argument("--average", type=float, default=0.999)
    parser.add_argument("--own-only", action="store_true", help="synthetic questions over our own schemas alone")
    parser.add_argument("--with-selection", action="store_true", help="train on the selection databases too")
    parser.add_argument("--without", nargs="*", default=[], metavar="DATABASE", help="databases of Spider's that are left out")
    parser.add_argument("--plain", action="store_true", help="launch every piece of work anew instead of replaying recorded steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=8)
    return parser.parse_args(argv)


def loss_of(model: Parser, batch: dict, smoothing: float) -> torch.Tensor:
    logits = model(batch)
    return F.cross_entropy(logits.reshape(-1, logits.shape[-1]), batch["target"][:, 1:].long().reshape(-1), ignore_index=KEYWORD_ID["PAD"], label_smoothing=smoothing)


def rate_at(step: int, progress: float) -> float:
    """Warm-up over 400 steps, then half a cosine down to 2 %."""
    return min(1.0, step / 400) * max(0.02, 0.5 * (1 + math.cos(math.pi * min(1.0, progress))))


class Stepper:
    """One step of training. On an accelerator the work for each shape of batch is recorded after a few plain steps and then replayed: launching its
    thousands of small pieces one by one would take the host several times as long as the accelerator needs to do them."""
    PLAIN_STEPS = 2

    def __init__(self, model: Parser, a: argparse.Namespace, device: str):
        self.model, self.device, self.smoothing = model, device, a.smoothing
        self.parameters = list(model.parameters())
        slow = model.encoder_parameters()
        known = {id(p) for p in slow}
        self.bases = [a.encoder_rate, a.rate]
        groups = [{"params": slow}, {"params": [p for p in self.parameters if id(p) not in known]}]
        on_device = device == "cuda"
        self.optimizer = torch.optim.AdamW(groups, lr=torch.tensor(a.rate, device=device), betas=(0.9, 0.98), weight_decay=0.01, fused=on_device, capturable=on_device)
        for group in self.optimizer.param_groups:
            group["lr"] = torch.zeros((), device=device)
        self.recording, self.seen, self.graphs = on_device and not a.plain, [0] * len(SHAPES), {}
        self.stream = torch.cuda.Stream() if on_device else None
        self.pool = torch.cuda.graph_pool_handle() if self.recording else None

    def step(self, at: int, batch: dict, rate: float) -> torch.Tensor:
        """Returns the loss, which the next step on this shape overwrites."""
        for group, base in zip(self.optimizer.param_groups, self.bases):
            group["lr"].fill_(base * rate)
        if at in self.graphs:
            graph, inputs, loss = self.graphs[at]
            for name, tensor in batch.items():
                inputs[name].copy_(tensor, non_blocking=True)
            graph.replay()
            return loss
        batch = {name: t.to(self.device, non_blocking=True) for name, t in batch.items()}
        self.seen[at] += 1
        if not self.recording:
            return self.plain(batch)
        if self.seen[at] > self.PLAIN_STEPS:
            return self.record(at, batch)
        self.stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.stream):
            loss = self.plain(batch)
        torch.cuda.current_stream().wait_stream(self.stream)
        return loss

    def plain(self, batch: dict) -> torch.Tensor:
        self.optimizer.zero_grad(set_to_none=True)
        with torch.autocast(self.device, torch.bfloat16, cache_enabled=False):
            loss = loss_of(self.model, batch, self.smoothing)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimizer.step()
        return loss.detach()

    def record(self, at: int, batch: dict) -> torch.Tensor:
        graph = torch.cuda.CUDAGraph()
        torch.cuda.synchronize()
        with torch.cuda.graph(graph, pool=self.pool, capture_error_mode="thread_local"):
            loss = self.plain(batch)
        self.graphs[at] = (graph, batch, loss)
        graph.replay()
        return loss


def train(a: argparse.Namespace) -> Parser:
    """Returns the moving average of the weights."""
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cuda.enable_cudnn_sdp(False)  # it would plan anew for every shape of batch
    data = pickle.loads(pathlib.Path(a.data).read_bytes())
    model = Parser(Config(dropout=a.dropout))
    model.load_encoder(minilm.tensors(pathlib.Path(a.encoder)))
    model.to(device).train()
    stream = Stream(data, a, minilm.vocabulary(pathlib.Path(a.encoder)))
    print(f"{a.out}: {sum(p.numel() for p in model.parameters())} parameters,", {name: len(rows) for name, rows in stream.pools.items()}, flush=True)
    average = copy.deepcopy(model).eval()
    stepper, averaged = Stepper(model, a, device), list(average.parameters())
    loader = iter(DataLoader(stream, batch_size=None, num_workers=a.workers, prefetch_factor=8 if a.workers else None, pin_memory=device == "cuda"))
    start, step, progress = time.time(), 0, 0.0
    while progress < 1:
        progress = max(step / a.steps, (time.time() - start) / (a.minutes * 60))
        at, batch = next(loader)
        loss = stepper.step(at, batch, rate_at(step, progress))
        step += 1
        if step % AVERAGE_EVERY == 0:
            with torch.no_grad():
                torch._foreach_lerp_(averaged, stepper.parameters, 1 - min(a.average, step / (step + 50)) ** AVERAGE_EVERY)
        if step % 500 == 0:
            print(f"{a.out} step {step} loss {loss.item():.4f} {1000 * (time.time() - start) / step:.1f} ms/step, {len(stepper.graphs)} shapes recorded", flush=True)
    print(f"{a.out} ended after {step} steps, {time.time() - start:.0f} s", flush=True)
    return average


def main() -> None:
    a = arguments_of()
    model = train(a)
    torch.save({"config": vars(model.config), "weights": {k: v.half() for k, v in model.state_dict().items()}, "arguments": vars(a)}, a.out)


if __name__ == "__main__":
    main()
