"""Other wordings of a question, unique names in generated databases, and when two orders count as the same."""
import random
import unittest

from training import grammar
from training.contents import Generator
from training.described import own_schemas
from training.logical_form import Query, column, linearise
from training.paraphrase import marked, other_number, paraphrases
from training.schema import Schema
from training.spider import Example, open_database, with_words
from training.sql_reader import read_sql
from training.text import split_words

SCHEMA = Schema("shop", ["customer", "purchase"], [(-1, "*"), (0, "id"), (0, "name"), (0, "city"), (0, "age"), (1, "id"), (1, "customer_id"), (1, "amount")],
                ["text", "number", "text", "text", "number", "number", "number", "number"], [1, 5], [(6, 1)])
QUESTION = "How many customers are there who live in Oslo and are older than 30?"
SQL = "SELECT count(*) FROM customer WHERE city = 'Oslo' AND age > 30"


class Paraphrase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        query = read_sql(SQL, SCHEMA)
        cls.database = open_database(SCHEMA, [query])
        cls.example = Example("shop", QUESTION, SQL, with_words(linearise(query, SCHEMA), QUESTION))

    def test_values_become_marks_and_keep_their_order(self):
        question, texts, target = marked(self.example)
        self.assertEqual(texts, ["Oslo", "30"])
        self.assertNotIn("Oslo", question)
        self.assertEqual([kind for kind, _ in target].count("v"), 2)

    def test_values_that_overlap_are_left_alone(self):
        twice = [("w", 0), ("w", 2), ("w", 1), ("w", 1)]
        self.assertIsNone(marked(Example("shop", "a b c", "", twice)))

    def test_every_wording_points_at_its_own_values(self):
        found = paraphrases(self.example, self.database, 8, random.Random(1))
        self.assertGreaterEqual(len(found), 6)
        self.assertEqual(len({p.question for p in found}), len(found))
        cities = {v.casefold() for v in self.database.contents.by_column[3].values()}
        for p in found:
            with self.subTest(question=p.question):
                words = split_words(p.question)
                spans = [what for kind, what in p.target if kind == "w"]
                city, age = (p.question[words[a][0]:words[b][1]] for a, b in (spans[:2], spans[2:]))
                self.assertIn(city.casefold(), cities)
                self.assertTrue(age.isdecimal(), age)
                self.assertTrue(grammar.accepts(p.target, [6]))

    def test_wordings_are_the_same_every_time(self):
        first, again = ([p.question for p in paraphrases(self.example, self.database, 5, random.Random(3))] for _ in range(2))
        self.assertEqual(first, again)

    def test_a_year_stays_a_year_and_a_word_a_word(self):
        rng = random.Random(1)
        for _ in range(50):
            self.assertTrue(1900 <= int(other_number("1995", rng)) <= 2030)
            self.assertFalse(other_number("three", rng).isdecimal())
        self.assertEqual(other_number("3.5k", rng), "3.5k")


class Contents(unittest.TestCase):
    def test_names_tell_rows_apart(self):
        queries = [read_sql(sql, SCHEMA) for sql in ("SELECT age FROM customer WHERE name = 'Ada'", "SELECT T2.amount FROM customer AS T1 JOIN purchase AS T2 ON T1.id = T2.customer_id WHERE T1.name = 'Ada'")]
        for seed in (1, 2):
            rows = Generator(SCHEMA, seed, queries=queries).rows()
            names = [row[1] for row in rows[0]]
            self.assertEqual(len(set(names)), len(names))
            owner = rows[0][names.index("Ada")][0]
            self.assertIn(owner, [row[1] for row in rows[1]], "the purchase of the second query is hers")

    def test_columns_of_a_described_schema_with_few_values_keep_them(self):
        described = next(d for d in own_schemas() if any(k.values for k in d.kinds.values()))
        rows = Generator(described.schema, 1, dict(described.kinds)).rows()
        for c, kind in described.kinds.items():
            if kind.values and described.schema.types[c] == "text":
                t = described.schema.table_of(c)
                at = described.schema.columns_of(t).index(c)
                self.assertLessEqual({row[at] for row in rows[t]} - {None}, set(kind.values))


class Orders(unittest.TestCase):
    def test_only_the_same_terms_in_the_same_direction(self):
        try:
            from training.evaluate import same_order
        except ImportError:
            self.skipTest("torch is not installed")
        up, down = Query([column(2)], order=[(column(4), "ASC")]), Query([column(3)], order=[(column(4), "DESC")])
        self.assertTrue(same_order(up, Query([column(3)], order=[(column(4), "ASC")])))
        self.assertFalse(same_order(up, down))
        self.assertFalse(same_order(up, None))
        self.assertFalse(same_order(Query([column(2)]), Query([column(2)])))


if __name__ == "__main__":
    unittest.main()
