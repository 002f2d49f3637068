"""The stored golden examples still come out of this code, with the vocabulary of the released file."""
import base64
import json
import pathlib
import unittest

from training import grammar, to_gguf
from training.features import Builder, token_of
from training.linking import Contents
from training.logical_form import read
from training.schema import Schema
from training.sql_writer import write_sql
from training.text import WordPiece, fold, name_words, split_words
from training.values import number_of, period_of

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Golden(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.golden = json.loads((ROOT / "training/golden.json").read_text())
        cls.released = to_gguf.metadata(ROOT / "models/text2sql.gguf")
        cls.pieces = WordPiece(cls.released["text2sql.vocabulary"])

    def test_released_file_has_this_grammar(self):
        self.assertEqual(self.released["text2sql.keywords"], grammar.KEYWORDS)
        self.assertEqual(self.released["text2sql.span_max"], grammar.MAX_SPAN)

    def test_text(self):
        for case in self.golden["text"]["words"]:
            text = case["text"]
            self.assertEqual([text[a:b] for a, b in split_words(text)], case["words"])
            self.assertEqual(fold(text), case["fold"])
            self.assertEqual(list(self.pieces.text(text)), case["pieces"])
        for case in self.golden["text"]["names"]:
            self.assertEqual(name_words(case["name"]), case["words"])
        for case in self.golden["text"]["numbers"]:
            self.assertEqual(number_of(case["text"]), case["number"])
        for case in self.golden["text"]["periods"]:
            self.assertEqual(list(period_of(case["text"]) or ()), case["period"] or [])

    def test_questions(self):
        builder = Builder(self.pieces)
        for entry in self.golden["databases"]:
            schema, contents = Schema(**entry["schema"]), Contents()
            for column, values in entry["values"].items():
                for value in values:
                    contents.add(int(column), value)
            for case in entry["questions"]:
                with self.subTest(question=case["question"]):
                    self.check(builder, schema, contents, case)

    def check(self, builder: Builder, schema: Schema, contents: Contents, case: dict) -> None:
        words = split_words(case["question"])
        hits = contents.hits(case["question"], words)
        self.assertEqual([list(h) for h in hits], case["hits"])
        arrays = builder.build(case["question"], schema, hits)
        for field in ("ids", "item", "segment", "feature", "kinds", "columns", "tables"):
            self.assertEqual(getattr(arrays, field), case["arrays"][field])
        self.assertEqual(base64.b64encode(arrays.relations).decode(), case["arrays"]["relations"])
        target = [token_of(arrays, n) for n in case["arrays"]["target"][1:]]
        self.assertEqual(write_sql(read(target), schema, case["question"], words, contents), case["target_sql"])
        for candidate in case["candidates"]:
            if candidate["sql"]:
                self.assertEqual(write_sql(read(candidate["tokens"]), schema, case["question"], words, contents), candidate["sql"])


if __name__ == "__main__":
    unittest.main()
