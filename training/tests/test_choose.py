"""Fitting the choice between readings."""
import json
import math
import random
import unittest

try:
    import numpy

    from training import choose
except ImportError:
    numpy = None


def made_up(count: int, seed: int = 0) -> list:
    """Readings with two features: the first says which is right, the second says nothing."""
    rng = random.Random(seed)
    questions = []
    for i in range(count):
        answerable = i % 5 != 0
        right_at = rng.randrange(4) if answerable else None
        features = [[(1.0 if k == right_at else 0.0) + rng.gauss(0, 0.3), rng.gauss(0, 1)] for k in range(4)]
        questions.append(choose.Question("made up", f"db{i % 7}", answerable, features, [0, 1, 2, 3], [k == right_at for k in range(4)], [0, -1, -2, -3]))
    return questions


@unittest.skipIf(numpy is None, "numpy is missing: the choice cannot be fitted here")
class Choosing(unittest.TestCase):
    def test_the_gradient_is_that_of_the_loss(self):
        for hidden in (0, 3):
            loss = choose.Loss(made_up(10), numpy.zeros(2), numpy.ones(2), 0.5, hidden)
            at, step = loss.start(1) + 0.1, 1e-6
            _, gradient = loss(at)
            for i in range(len(at)):
                moved = at + step * (numpy.arange(len(at)) == i)
                self.assertAlmostEqual((loss(moved)[0] - loss(at)[0]) / step, gradient[i], places=3)

    def test_it_learns_which_feature_tells(self):
        for hidden in (0, 4):
            model = choose.fit(made_up(200), penalty=1.0, hidden=hidden, members=2)
            outcomes = [choose.outcome_of(model, q) for q in made_up(100, seed=1)]
            right = [o.right for o in outcomes if o.question.answerable]
            self.assertGreater(sum(right) / len(right), 0.85)

    def test_the_mean_of_networks_is_one_network(self):
        loss = choose.Loss(made_up(5), numpy.zeros(2), numpy.ones(2), 0.5, 3)
        single = [choose.Model(numpy.zeros(2), numpy.ones(2), loss.layers(loss.start(seed) + 0.1)) for seed in (1, 2)]
        both = choose.Model(numpy.zeros(2), numpy.ones(2), choose.averaged([m.layers for m in single]))
        asked = made_up(1, seed=3)[0].features
        for a, b, mean in zip(*(m.evidence(asked) for m in (*single, both))):
            self.assertAlmostEqual((a + b) / 2, mean)

    def test_what_cannot_be_answered_is_improbable(self):
        outcomes = choose.cross_validate(made_up(140), folds=7, penalty=1.0, hidden=0)
        mean = lambda of: sum(o.probability for o in of) / len(of)
        self.assertGreater(mean([o for o in outcomes if o.right]), 2 * mean([o for o in outcomes if not o.question.answerable]))

    def test_equal_results_share_their_probability(self):
        model = choose.Model(numpy.zeros(1), numpy.ones(1), [(numpy.ones((1, 1)), numpy.zeros(1))])
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
        self.assertEqual(choose.thresholds(sure), (0.4, 0.4))
        unsure = [choose.Outcome(answerable, 0.9, True)] * 50 + [choose.Outcome(answerable, 0.6, i % 2 == 0) for i in range(50)]
        answers_from, asks_from = choose.thresholds(unsure)
        self.assertEqual(answers_from, 0.6)
        self.assertLessEqual(asks_from, answers_from)

    def test_readings_are_offered_where_the_right_one_is_mostly_among_them(self):
        question = made_up(2)[1]
        likely = [choose.Outcome(question, 0.3, False, [(0.3, False), (0.3, True), (0.2, False)])] * 10
        unlikely = [choose.Outcome(question, 0.3, False, [(0.3, False), (0.1, False)])] * 30
        self.assertAlmostEqual(choose.offering_from(likely + unlikely), 0.8)
        self.assertEqual(choose.offering_from(unlikely), 1.0)

    def test_what_is_offered_are_different_results(self):
        model = choose.Model(numpy.zeros(1), numpy.ones(1), [(numpy.ones((1, 1)), numpy.zeros(1))])
        question = choose.Question("s", "d", True, [[1.0], [1.0], [0.5], [0.2], [0.1]], [0, 0, 1, 2, 3], [False, False, True, False, False], [0] * 5)
        outcome = choose.outcome_of(model, question)
        self.assertEqual([right for _, right in outcome.offered], [False, True, False])
        self.assertLess(outcome.together, 1.0)
        self.assertTrue(outcome.some_offered_right)

    def test_an_easy_set_does_not_pay_for_a_hard_one(self):
        easy, hard = made_up(2)[1], made_up(2)[1]
        hard.set = "hard"
        outcomes = [choose.Outcome(easy, 0.5, True)] * 900 + [choose.Outcome(hard, 0.8, True)] * 5 + [choose.Outcome(hard, 0.5, False)] * 10
        self.assertEqual(choose.thresholds(outcomes)[0], 0.8)

    def test_a_part_of_a_set_counts_for_all_of_it(self):
        questions = made_up(400)
        for question in questions[:200]:
            question.set = "large"
        kept = choose.sampled(questions, {"large": 0.25})
        large = [q for q in kept if q.set == "large"]
        self.assertEqual(len(kept) - len(large), 200)
        self.assertTrue(20 < len(large) < 90)
        self.assertEqual({q.weight for q in large}, {4.0})

    def test_a_question_without_readings_is_no_obstacle(self):
        stored = {"set": "s", "db": "d", "construct": "count", "answerable": True, "readings": []}
        question, = choose.load([json.dumps(stored)])
        self.assertEqual(choose.outcome_of(choose.Model(numpy.zeros(1), numpy.ones(1), [(numpy.ones((1, 1)), numpy.zeros(1))]), question).probability, 0.0)

    def test_the_stored_model_says_the_same(self):
        model = choose.fit(made_up(50), penalty=1.0, hidden=3, members=2)
        stored = choose.to_json(model, ["a", "b"], 0.8, 0.3, 0.7)
        layers = [(numpy.array(layer["weights"]), numpy.array(layer["bias"])) for layer in stored["layers"]]
        again = choose.Model(numpy.array(stored["mean"]), numpy.array(stored["scale"]), layers)
        for question in made_up(5, seed=2):
            for a, b in zip(model.probabilities(question), again.probabilities(question)):
                self.assertAlmostEqual(a, b, places=3)


if __name__ == "__main__":
    unittest.main()
