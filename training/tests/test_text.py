"""Characters, words, names and values."""
import unittest

from training.text import WordPiece, fold, name_words, split_words, squash, stem
from training.values import find_literal, number_of, part_value, period_of


def words(text: str) -> list[str]:
    return [text[a:b] for a, b in split_words(text)]


class Text(unittest.TestCase):
    def test_words(self):
        self.assertEqual(words("What's 1,000.5 first_name 10k?"), ["What", "'", "s", "1,000.5", "first_name", "10k", "?"])
        self.assertEqual(words("in 2001,2002"), ["in", "2001", ",", "2002"])
        self.assertEqual(words("naïve café\u00a0– ok"), ["naïve", "café", "–", "ok"])

    def test_fold_strips_case_and_accents(self):
        self.assertEqual(fold("Łódź GRÖSSE Straße"), "lodz grosse strasse")
        self.assertEqual(squash("  O'Neil,  Anna "), "o neil anna")

    def test_stem(self):
        self.assertEqual([stem(w) for w in ("cities", "boxes", "cars", "class", "status", "bus")], ["city", "box", "car", "class", "status", "bus"])

    def test_names(self):
        self.assertEqual(name_words("CustomerIDNumber"), "customer id number")
        self.assertEqual(name_words("tbl_emp_dept"), "employee department")
        self.assertEqual(name_words("cust_fname"), "customer first name")

    def test_pieces(self):
        pieces = WordPiece(["[UNK]", "play", "##ing", "_", "a"])
        self.assertEqual(pieces.text("Playing_a"), (1, 2, 3, 4))
        self.assertEqual(pieces.text("zebra"), (0,))


class Values(unittest.TestCase):
    def test_numbers(self):
        said = {"3 million": "3000000", "two dozen": "24", "1,000": "1000", "10k": "10000", "1.5m": "1500000", "twenty five": "25", "third": "3",
                "half a million": "500000", "two hundred and five": "205", "Berlin": None, "a": None}
        for text, number in said.items():
            self.assertEqual(number_of(text), number, text)

    def test_periods(self):
        said = {"2023": ("2023-01-01", "2024-01-01"), "December 2023": ("2023-12-01", "2024-01-01"), "May 5, 2023": ("2023-05-05", "2023-05-06"),
                "Q4 2022": ("2022-10-01", "2023-01-01"), "the 1990s": ("1990-01-01", "2000-01-01"), "31 February 2020": None, "Berlin": None, "": None}
        for text, period in said.items():
            self.assertEqual(period_of(text), period, text)
        self.assertEqual(period_of("May", 2023), ("2023-05-01", "2023-06-01"))

    def test_parts(self):
        self.assertEqual(part_value("WEEKDAY", "Mondays"), "1")
        self.assertEqual(part_value("MONTH", "december"), "12")

    def test_literals_are_found_in_words(self):
        question = "Who was hired on November 5th, 2007 for two million?"
        self.assertEqual(find_literal("2007-11-05", question, split_words(question)), (4, 7))
        self.assertEqual(find_literal("2000000", question, split_words(question)), (9, 10))


if __name__ == "__main__":
    unittest.main()
