"""A few steps of training on the CPU, export and search; skipped where torch is missing."""
import argparse
import pathlib
import tempfile
import unittest

from training import container
from training.described import own_schemas
from training.features import Builder
from training.synthetic import own_database, questions
from training.text import WordPiece, split_words

try:
    import torch
except ImportError:
    torch = None


class Container(unittest.TestCase):
    def test_round_trip(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.bin"
            container.write(path, {"format": 1}, {"a": ([2, 2], "int8", b"\1\2\3\4"), "b": ([1], "fp16", b"\0\x3c")})
            header, tensors = container.read(path)
            self.assertEqual(header["format"], 1)
            self.assertEqual(bytes(tensors["a"][2]), b"\1\2\3\4")
            self.assertEqual(header["tensors"]["b"]["offset"] % container.ALIGN, 0)
            self.assertEqual(path.stat().st_size % container.ALIGN, 0)


@unittest.skipIf(torch is None, "torch is not installed")
class Training(unittest.TestCase):
    def test_loss_falls_and_search_ends(self):
        from training.batches import collate
        from training.export import header_of, load, quantised
        from training.model import Config, Parser
        from training.search import search
        from training.train import Stepper
        described = own_schemas()[0]
        database = own_database(described)
        letters = [chr(c) for c in range(33, 127)]
        vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + letters + ["##" + c for c in letters]
        builder = Builder(WordPiece(vocabulary))
        examples = questions(described, database, 8)
        built = [builder.build(e.question, database.schema, database.contents.hits(e.question, split_words(e.question)), e.target) for e in examples]
        torch.manual_seed(1)
        config = Config(width=48, encoder_layers=1, encoder_heads=4, encoder_inner=64, relation_layers=1, decoder_layers=1, heads=4, inner=64, vocabulary=len(vocabulary))
        model, batch = Parser(config), collate(built)
        stepper = Stepper(model, argparse.Namespace(encoder_rate=3e-3, rate=3e-3, smoothing=0.0, plain=True), "cpu")
        losses = [stepper.step(0, batch, 1.0).item() for _ in range(12)]
        self.assertLess(losses[-1], losses[0])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "parser.bin"
            container.write(path, header_of(config, vocabulary), quantised(model.state_dict()))
            restored = load(path)
        keys = [frozenset(a for a, _ in database.schema.foreign)] * len(built)
        for result in search(restored, batch, built, keys, 3):
            self.assertTrue(all(tokens[-1] == ("k", "END") for _, tokens in result))
            self.assertEqual([s for s, _ in result], sorted((s for s, _ in result), reverse=True))


if __name__ == "__main__":
    unittest.main()
