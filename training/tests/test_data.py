"""Own schemas, generated contents, synthetic questions and features."""
import random
import unittest

from training import grammar
from training.contents import Generator
from training.constructs import CONSTRUCTS
from training.described import own_schemas
from training.execution import run
from training.features import RELATIONS, Builder, token_of
from training.logical_form import linearise, read
from training.synthetic import own_database, questions
from training.text import WordPiece, split_words


def constants(tokens: list) -> list:
    return [("k", "V:" + what) if kind == "v" else (kind, what) for kind, what in tokens]


class Data(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.described = own_schemas()
        cls.one = next(d for d in cls.described if d.schema.name == "football_league")
        cls.database = own_database(cls.one)
        cls.examples = questions(cls.one, cls.database, 240)

    def test_there_are_enough_schemas(self):
        self.assertGreaterEqual(len(self.described), 60)
        self.assertGreaterEqual(sum(d.held_out for d in self.described), 8)
        for d in self.described:
            self.assertTrue(3 <= len(d.schema.tables) <= 15, d.schema.name)
            self.assertEqual(len(set(d.schema.tables)), len(d.schema.tables))

    def test_contents_are_the_same_every_time(self):
        first, again = (Generator(self.one.schema, 1, dict(self.one.kinds)).rows() for _ in range(2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, Generator(self.one.schema, 2, dict(self.one.kinds)).rows())

    def test_keys_are_consistent(self):
        schema, connection = self.database.schema, self.database.connections[0]
        for a, b in schema.foreign:
            (ta, ca), (tb, cb) = schema.columns[a], schema.columns[b]
            lost = run(connection, f'SELECT COUNT(*) FROM "{schema.tables[ta]}" WHERE "{ca}" IS NOT NULL AND "{ca}" NOT IN (SELECT "{cb}" FROM "{schema.tables[tb]}")')
            self.assertEqual(lost, [(0,)])

    def test_questions_are_the_same_every_time(self):
        again = questions(self.one, self.database, 20)
        self.assertEqual([e.question for e in again], [e.question for e in self.examples[:20]])

    def test_targets_are_accepted_and_run(self):
        keys = [a for a, _ in self.database.schema.foreign]
        for e in self.examples:
            with self.subTest(question=e.question):
                self.assertTrue(grammar.accepts(e.target, keys))
                self.assertEqual(constants(linearise(read(e.target), self.database.schema)), e.target)
                self.assertIsNotNone(run(self.database.connections[0], e.sql))

    def test_constructs_are_all_used(self):
        made = {e.construct for e in self.examples}
        self.assertGreaterEqual(len(made), len(CONSTRUCTS) * 2 // 3)

    def test_features_point_back_at_the_target(self):
        letters = [chr(c) for c in range(33, 127)]
        pieces = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]"] + letters + ["##" + c for c in letters])
        builder, rng = Builder(pieces), random.Random(1)
        for e in self.examples:
            hits = self.database.contents.hits(e.question, split_words(e.question))
            for chance in (None, rng):
                arrays = builder.build(e.question, self.database.schema, hits, e.target, chance)
                self.assertEqual([token_of(arrays, n) for n in arrays.target[1:]], e.target)
                self.assertEqual(len(arrays.relations), len(arrays.kinds) ** 2)
                self.assertLess(max(arrays.relations), len(RELATIONS))
                self.assertEqual(len(arrays.ids), len(arrays.item))


if __name__ == "__main__":
    unittest.main()
