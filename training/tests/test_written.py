"""The written questions: their form, the SQL that only they use, and that every one of them can be learned from."""
import unittest

from training import written
from training.contents import Kind
from training.execution import run
from training.text import split_words

HIRE = """
@ bike_hire
CREATE TABLE stations (
  id INTEGER PRIMARY KEY,
  name TEXT,                 -- title
  docks INTEGER,             -- 8..40
  status TEXT,               -- open|closed|planned
  opened DATE
);
CREATE TABLE rides (
  id INTEGER PRIMARY KEY,
  from_station INTEGER REFERENCES stations(id),
  to_station INTEGER REFERENCES stations(id),
  started DATETIME,
  minutes REAL,              -- 1.5..90.5
  rider TEXT                 -- member|casual
);
"""


def asked(*lines: str) -> tuple:
    """The database of HIRE with these questions: contents, examples, problems."""
    return written.examples_of(written.parse(HIRE + "\n".join(lines))[0])


class Form(unittest.TestCase):
    def test_hints_say_what_columns_hold(self):
        kinds = written.parse(HIRE)[0].kinds
        self.assertEqual(kinds[2], Kind("title"))
        self.assertEqual(kinds[3], Kind("int", 8, 40))
        self.assertEqual(kinds[4], Kind("category", values=("open", "closed", "planned")))
        self.assertEqual(kinds[5], Kind("date"))
        self.assertEqual(kinds[10], Kind("float", 1.5, 90.5))

    def test_wordings_share_the_next_query(self):
        entries = written.parse(HIRE + "? a\n? b\n= SELECT COUNT(*) FROM rides\n\n? c\n= SELECT COUNT(*) FROM stations")[0].entries
        self.assertEqual([(e.wordings, e.sql) for e in entries], [(["a", "b"], "SELECT COUNT(*) FROM rides"), (["c"], "SELECT COUNT(*) FROM stations")])

    def test_a_line_that_is_nothing_is_refused(self):
        with self.assertRaisesRegex(ValueError, "neither question nor SQL"):
            written.parse(HIRE + "? a\nSELECT 1")


class Queries(unittest.TestCase):
    def rows(self, question: str, sql: str) -> list:
        database, examples, problems = asked("? " + question, "= " + sql)
        self.assertEqual(problems, [])
        return run(database.connections[0], examples[0].sql)

    def test_a_month_in_words_is_the_whole_month(self):
        days = self.rows("rides started in May 2021", "SELECT started FROM rides WHERE started = 'May 2021'")
        self.assertTrue(days and all(day.startswith("2021-05") for (day,) in days))

    def test_a_share_filters_one_of_its_counts(self):
        ((share,),) = self.rows("share of rides by members", "SELECT PCT(COUNT(*) FILTER (WHERE rider = 'member'), COUNT(*)) FROM rides")
        self.assertTrue(0 < share < 100)

    def test_parts_of_dates_group(self):
        months = self.rows("rides per month", "SELECT MONTH(started), COUNT(*) FROM rides GROUP BY MONTH(started)")
        self.assertEqual({m for m, _ in months} - {None}, set(range(1, 13)))

    def test_places_may_be_shared(self):
        docks = self.rows("stations with the 3 largest numbers of docks, ties included", "SELECT docks FROM stations ORDER BY docks DESC TIES 3")
        self.assertGreaterEqual(len(docks), 3)

    def test_a_query_may_be_taken_away(self):
        database, examples, _ = asked("? how many more rides than stations", "= SELECT COUNT(*) - (SELECT COUNT(*) FROM stations) FROM rides")
        more, rides, stations = (run(database.connections[0], sql)[0][0] for sql in (examples[0].sql, "SELECT COUNT(*) FROM rides", "SELECT COUNT(*) FROM stations"))
        self.assertEqual(more, rides - stations)


class Problems(unittest.TestCase):
    def problem(self, question: str, sql: str) -> str:
        _, examples, problems = asked("? " + question, "= " + sql)
        self.assertEqual(examples, [])
        return problems[0]

    def test_a_value_must_be_said(self):
        self.assertIn("not said", self.problem("stations of that kind", "SELECT name FROM stations WHERE status = 'planned'"))

    def test_a_column_must_exist(self):
        self.assertIn("column nonsense", self.problem("what", "SELECT nonsense FROM stations"))

    def test_unknown_means_are_refused(self):
        self.assertTrue(self.problem("what", "SELECT CASE WHEN docks > 3 THEN 1 END FROM stations"))


class All(unittest.TestCase):
    def test_each_database_has_a_name_of_its_own(self):
        names = [w.schema.name for w in written.all_written()]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreaterEqual(sum(w.selection for w in written.all_written()), 8)

    def test_a_sample_can_be_learned_from(self):
        for one in written.all_written()[::12]:
            _, examples, problems = written.examples_of(one)
            self.assertEqual(problems, [], one.schema.name)
            self.assertTrue(all(len(split_words(e.question)) >= 2 for e in examples), one.schema.name)


if __name__ == "__main__":
    unittest.main()
