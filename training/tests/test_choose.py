"""Fitting the choice between readings."""
import json
import math
import random
import unittest

from training import choose


def made_up(count: int, seed: int = 0) -> list[choose.Question]:
    """Readings with two features: the first says which is right, the second says nothing."""
    rng = random.Random(seed)
    questions = []
    for i in range(count):
        answerable = i % 5 != 0
        right_at = rng.randrange(4) if answerable else None
        features = [[(1.0 if k == right_at else 0.0) + rng.gauss(0, 0.3), rng.gauss(0, 1)] for k in range(4)]
        questions.append(choose.Question("made up", f"db{i % 7}", answerable, features, [0, 1, 2, 3], [k == right_at for k in range(4)], [0, -1, -2, -3]))
    return questions


class Choosing(unittest.TestCase):
    def test_the_gradient_is_that_of_the_loss(self):
        questions = made_up(10)
        loss = choose.Loss(questions, [0.0, 0.0], [1.0, 1.0], 0.5)
        at, step = [0.3, -0.2, 0.1], 1e-6
        _, gradient = loss(at)
        for i in range(3):
            moved = [x + (step if k == i else 0) for k, x in enumerate(at)]
            self.assertAlmostEqual((loss(moved)[0] - loss(at)[0]) / step, gradient[i], places=3)

    def test_it_learns_which_feature_tells(self):
        model = choose.fit(made_up(200), penalty=1.0)
        self.assertGreater(model.weights[0], 5 * abs(model.weights[1]))
        outcomes = [choose.outcome_of(model, q) for q in made_up(100, seed=1)]
        right = [o.right for o in outcomes if o.question.answerable]
        self.assertGreater(sum(right) / len(right), 0.85)

    def test_what_cannot_be_answered_is_improbable(self):
        outcomes = choose.cross_validate(made_up(140), penalty=1.0, folds=7)
        mean = lambda of: sum(o.probability for o in of) / len(of)
        self.assertGreater(mean([o for o in outcomes if o.right]), 2 * mean([o for o in outcomes if not o.question.answerable]))

    def test_equal_results_share_their_probability(self):
        model = choose.Model([0.0], [1.0], [1.0], 0.0)
        question = choose.Question("s", "d", True, [[0.0], [0.0], [1.0]], [0, 0, 1], [True, True, False], [0, 0, 0])
        first, second, third = model.probabilities(question)
        total = 1 + 2 + math.e
        self.assertAlmostEqual(first, 2 / total)
        self.assertAlmostEqual(first, second)
        self.assertAlmostEqual(third, math.e / total)

    def test_calibration_mends_what_is_too_sure(self):
        question = made_up(1)[0]
        outcomes = [choose.Outcome(question, 0.9, i % 2 == 0) for i in range(100)] + [choose.Outcome(question, 0.1, i % 10 == 0) for i in range(100)]
        slope, offset = choose.calibrate(outcomes)
        self.assertAlmostEqual(choose.calibrated(0.9, slope, offset), 0.5, places=2)
        self.assertAlmostEqual(choose.calibrated(0.1, slope, offset), 0.1, places=2)

    def test_thresholds_keep_what_is_answered_right(self):
        answerable = made_up(2)[1]
        sure = [choose.Outcome(answerable, 0.9, True)] * 90 + [choose.Outcome(answerable, 0.4, False)] * 10
        answers_from, asks_from = choose.thresholds(sure)
        self.assertEqual((answers_from, asks_from), (0.9, 0.9))
        unsure = [choose.Outcome(answerable, 0.9, True)] * 50 + [choose.Outcome(answerable, 0.6, i % 2 == 0) for i in range(50)]
        answers_from, asks_from = choose.thresholds(unsure)
        self.assertEqual(answers_from, 0.6)
        self.assertLessEqual(asks_from, answers_from)

    def test_a_question_without_readings_is_no_obstacle(self):
        stored = {"set": "s", "db": "d", "construct": "count", "answerable": True, "readings": []}
        question, = choose.load([json.dumps(stored)])
        self.assertEqual(choose.outcome_of(choose.Model([0.0], [1.0], [1.0], 0.0), question).probability, 0.0)

    def test_the_stored_model_says_the_same(self):
        model = choose.fit(made_up(50), penalty=1.0)
        stored = choose.to_json(model, ["a", "b"], 0.8, 0.3)
        again = choose.Model(stored["mean"], stored["scale"], stored["layers"][0]["weights"][0], stored["layers"][0]["bias"][0])
        for question in made_up(5, seed=2):
            for a, b in zip(model.probabilities(question), again.probabilities(question)):
                self.assertAlmostEqual(a, b, places=3)


if __name__ == "__main__":
    unittest.main()
