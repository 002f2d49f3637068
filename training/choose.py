"""Fits the choice between readings: models/choice.json from the readings that question_bench --keep wrote.

Each line is a question with its readings: features (computed by the product itself), which of them give the same rows, and which are right. The model
gives each reading evidence s = w·x + b; the probability of a result is the sum of e^s over the readings that give it, divided by 1 + the sum over all
readings: the 1 stands for "none of them". Fitting makes the right results likely, by L-BFGS, with a penalty for large weights. Everything that is
reported, and the thresholds, come from models that have not seen the database of the question (cross-validation by database).

    build/release/bench/question_bench --choice none --keep readings.jsonl FOLDER...
    python3 -m training.choose readings.jsonl... --out models/choice.json
"""
from __future__ import annotations

import argparse
import collections
import dataclasses
import json
import math
import operator
import pathlib
import random
import subprocess

FOLDS = 8
PENALTY = 3.0
ANSWER_COVERAGE = 0.80
ANSWER_PRECISION = 0.85
LOST_BELOW_ASKING = 0.04


@dataclasses.dataclass
class Question:
    set: str
    database: str
    answerable: bool
    features: list[list[float]]
    groups: list[int]
    right: list[bool]
    scores: list[float]
    weight: float = 1.0

    @property
    def some_right(self) -> bool:
        return any(self.right)


def load(lines) -> list[Question]:
    questions = []
    for line in lines:
        stored = json.loads(line)
        readings = stored["readings"]
        questions.append(Question(stored["set"], stored["db"], stored["answerable"], [r["features"] for r in readings], [r["group"] for r in readings],
                                  [r["right"] for r in readings], [r["score"] if r["parser"] == "trained" else -math.inf for r in readings]))
    return questions


@dataclasses.dataclass
class Model:
    mean: list[float]
    scale: list[float]
    weights: list[float]
    bias: float
    slope: float = 1.0
    offset: float = 0.0

    def evidence(self, features: list[float]) -> float:
        return self.bias + sum(w * (x - m) / s for w, x, m, s in zip(self.weights, features, self.mean, self.scale))

    def probabilities(self, question: Question) -> list[float]:
        """Of each reading's result, calibrated."""
        evidence = [self.evidence(x) for x in question.features]
        most = max([0.0, *evidence])
        parts = [math.exp(s - most) for s in evidence]
        total = math.exp(-most) + sum(parts)
        by_group = collections.Counter()
        for group, part in zip(question.groups, parts):
            by_group[group] += part / total
        return [calibrated(by_group[group], self.slope, self.offset) for group in question.groups]


def calibrated(probability: float, slope: float, offset: float) -> float:
    return sigmoid(slope * logit(probability) + offset)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x >= 0 else math.exp(x) / (1 + math.exp(x))


def logit(p: float) -> float:
    p = min(max(p, 1e-9), 1 - 1e-9)
    return math.log(p / (1 - p))


def moments(rows: list[list[float]]) -> tuple[list[float], list[float]]:
    """Mean and spread of each feature; a feature that never changes keeps its scale."""
    columns = list(zip(*rows))
    mean = [sum(c) / len(c) for c in columns]
    scale = [math.sqrt(sum((x - m) ** 2 for x in c) / len(c)) for c, m in zip(columns, mean)]
    return mean, [s if s > 1e-6 else 1.0 for s in scale]


def minimise(function, start: list[float], steps: int = 120, memory: int = 10) -> list[float]:
    """L-BFGS with halving steps. `function` gives a value and its gradient."""
    x, (value, gradient) = start, function(start)
    pairs: collections.deque = collections.deque(maxlen=memory)
    for _ in range(steps):
        direction, factors = list(gradient), []
        for s, y, rho in reversed(pairs):
            factors.append(rho * dot(s, direction))
            direction = [d - factors[-1] * b for d, b in zip(direction, y)]
        if pairs:
            s, y, _ = pairs[-1]
            direction = [d * dot(s, y) / dot(y, y) for d in direction]
        for (s, y, rho), factor in zip(pairs, reversed(factors)):
            beta = rho * dot(y, direction)
            direction = [d + (factor - beta) * a for d, a in zip(direction, s)]
        slope = -dot(gradient, direction)
        step = 1.0 if pairs else min(1.0, 1 / (sum(map(abs, gradient)) + 1e-12))
        while step > 1e-10:
            moved = [a - step * d for a, d in zip(x, direction)]
            new_value, new_gradient = function(moved)
            if new_value <= value + 1e-4 * step * slope:
                break
            step /= 2
        else:
            return x
        s, y = [b - a for a, b in zip(x, moved)], [b - a for a, b in zip(gradient, new_gradient)]
        if dot(s, y) > 1e-12:
            pairs.append((s, y, 1 / dot(s, y)))
        done = value - new_value < 1e-6 * abs(value)
        x, value, gradient = moved, new_value, new_gradient
        if done:
            break
    return x


def dot(a, b) -> float:
    return sum(map(operator.mul, a, b))


class Loss:
    """How unlikely the right results are, and how that changes with the weights (the bias comes last)."""

    def __init__(self, questions: list[Question], mean: list[float], scale: list[float], penalty: float):
        self.questions = [q for q in questions if q.features]
        self.penalty = penalty
        rows = [[(x - m) / s for x, m, s in zip(row, mean, scale)] for q in self.questions for row in q.features]
        self.columns = [list(c) for c in zip(*rows)]
        self.rows = len(rows)

    def __call__(self, parameters: list[float]) -> tuple[float, list[float]]:
        weights, bias = parameters[:-1], parameters[-1]
        evidence = [bias] * self.rows
        for weight, column in zip(weights, self.columns):
            if weight != 0:
                evidence = list(map(operator.add, evidence, map(weight.__mul__, column)))
        value, errors, at = 0.0, [0.0] * self.rows, 0
        for question in self.questions:
            size = len(question.features)
            value += self._question(question, evidence[at:at + size], errors, at)
            at += size
        gradient = [dot(errors, column) + self.penalty * w for column, w in zip(self.columns, weights)]
        return value + 0.5 * self.penalty * dot(weights, weights), [*gradient, sum(errors)]

    @staticmethod
    def _question(question: Question, evidence: list[float], errors: list[float], at: int) -> float:
        most = max(0.0, *evidence) if evidence else 0.0
        parts = [math.exp(s - most) for s in evidence]
        none = math.exp(-most)
        total = none + sum(parts)
        wanted = sum(p for p, right in zip(parts, question.right) if right) if question.some_right else none
        wanted = max(wanted, 1e-300)
        for i, (part, right) in enumerate(zip(parts, question.right)):
            target = part / wanted if right and question.some_right else 0.0
            errors[at + i] = question.weight * (part / total - target)
        return -question.weight * math.log(wanted / total)


def fit(questions: list[Question], penalty: float = PENALTY) -> Model:
    mean, scale = moments([row for q in questions for row in q.features])
    parameters = minimise(Loss(questions, mean, scale, penalty), [0.0] * (len(mean) + 1))
    return Model(mean, scale, parameters[:-1], parameters[-1])


@dataclasses.dataclass
class Outcome:
    """What a model that did not know the database made of a question."""
    question: Question
    probability: float
    right: bool


def outcome_of(model: Model, question: Question) -> Outcome:
    if not question.features:
        return Outcome(question, 0.0, False)
    probabilities = model.probabilities(question)
    best = max(range(len(probabilities)), key=lambda i: (probabilities[i], model.evidence(question.features[i])))
    return Outcome(question, probabilities[best], question.right[best])


def cross_validate(questions: list[Question], penalty: float = PENALTY, folds: int = FOLDS, seed: int = 1) -> list[Outcome]:
    databases = sorted({q.database for q in questions})
    random.Random(seed).shuffle(databases)
    fold_of = {database: i % folds for i, database in enumerate(databases)}
    outcomes = []
    for fold in range(min(folds, len(databases))):
        model = fit([q for q in questions if fold_of[q.database] != fold], penalty)
        outcomes += [outcome_of(model, q) for q in questions if fold_of[q.database] == fold]
    return outcomes


def calibrate(outcomes: list[Outcome]) -> tuple[float, float]:
    """Slope and offset that make the probabilities fit what came out."""
    data = [(logit(o.probability), 1.0 if o.right else 0.0, o.question.weight) for o in outcomes if o.question.features]

    def loss(parameters):
        slope, offset = parameters
        value, gradient = 0.0, [0.0, 0.0]
        for x, y, w in data:
            p = sigmoid(slope * x + offset)
            value -= w * math.log(max(p if y else 1 - p, 1e-12))
            gradient[0] += w * (p - y) * x
            gradient[1] += w * (p - y)
        return value, gradient

    slope, offset = minimise(loss, [1.0, 0.0])
    return slope, offset


def curve(outcomes: list[Outcome]) -> list[tuple[float, float, float]]:
    """Coverage of answerable questions, the part of what is answered that is right, and the threshold, from the surest on."""
    ordered = sorted(outcomes, key=lambda o: -o.probability)
    answerable = sum(o.question.answerable for o in ordered)
    points, answered, answered_answerable, right = [], 0, 0, 0
    for o in ordered:
        answered += 1
        answered_answerable += o.question.answerable
        right += o.right
        points.append((answered_answerable / max(answerable, 1), right / answered, o.probability))
    return points


def point_at(points, coverage: float) -> tuple[float, float, float]:
    return next((p for p in points if p[0] >= coverage), points[-1])


def thresholds(outcomes: list[Outcome]) -> tuple[float, float]:
    """Answers from: the coverage that is asked for, or less where too much would be wrong. Asks from: where hardly any right reading would be lost."""
    points = curve(outcomes)
    answers_from = point_at(points, ANSWER_COVERAGE)[2]
    if point_at(points, ANSWER_COVERAGE)[1] < ANSWER_PRECISION:
        good = [p for p in points if p[1] >= ANSWER_PRECISION]
        answers_from = max(good)[2] if good else 1.0
    right = sorted(o.probability for o in outcomes if o.right)
    asks_from = right[int(LOST_BELOW_ASKING * len(right))] if right else answers_from
    return answers_from, min(asks_from, answers_from)


def percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:5.1f}" if whole else "    -"


def report(outcomes: list[Outcome]) -> str:
    lines = [f"{'set':28} {'n':>5} {'by score':>8} {'chosen':>7} {'some':>6}"]
    for name in sorted({o.question.set for o in outcomes}):
        of = [o for o in outcomes if o.question.set == name and o.question.answerable]
        by_score = sum(bool(q.right) and q.right[max(range(len(q.right)), key=lambda i: q.scores[i])] for q in (o.question for o in of))
        lines.append(f"{name:28} {len(of):5} {percent(by_score, len(of)):>8} {percent(sum(o.right for o in of), len(of)):>7} "
                     f"{percent(sum(o.question.some_right for o in of), len(of)):>6}")
    for name in (None, *sorted({o.question.set for o in outcomes})):
        points = curve([o for o in outcomes if name is None or o.question.set == name])
        lines.append(f"{name or 'all'}: coverage of answerable questions; right of what is answered; threshold")
        lines += [f"  {100 * c:4.0f} %  {100 * point_at(points, c)[1]:5.1f} %  {point_at(points, c)[2]:.3f}" for c in (.5, .6, .7, .75, .8, .85, .9, 1)]
    lines.append("said probability; right; how many")
    for low in range(0, 10):
        of = [o for o in outcomes if low / 10 <= o.probability < (low + 1) / 10 or (low == 9 and o.probability == 1)]
        lines.append(f"  {low / 10:.1f}-{(low + 1) / 10:.1f}  {percent(sum(o.right for o in of), len(of))} %  {len(of)}")
    return "\n".join(lines)


def rounded(values: list[float]) -> list[float]:
    return [float(f"{v:.5g}") for v in values]


def to_json(model: Model, names: list[str], answers_from: float, asks_from: float) -> dict:
    return {"features": names, "mean": rounded(model.mean), "scale": rounded(model.scale),
            "layers": [{"weights": [rounded(model.weights)], "bias": rounded([model.bias])}],
            "calibration": {"slope": rounded([model.slope])[0], "offset": rounded([model.offset])[0]},
            "answers_from": rounded([answers_from])[0], "asks_from": rounded([asks_from])[0]}


def weigh(questions: list[Question], weights: dict[str, float]) -> None:
    for question in questions:
        question.weight = weights.get(question.set, 1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readings", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--names", required=True, help="the program that knows the features' names: question_bench")
    parser.add_argument("--penalty", type=float, default=PENALTY)
    parser.add_argument("--weight", action="append", default=[], metavar="SET=W", help="how much a question of a set counts")
    parser.add_argument("--thresholds-on", action="append", default=[], metavar="SET", help="sets that the thresholds are chosen on; all by default")
    arguments = parser.parse_args()
    questions = [q for path in arguments.readings for q in load(path.read_text().splitlines())]
    weigh(questions, {name: float(w) for name, w in (each.rsplit("=", 1) for each in arguments.weight)})
    outcomes = cross_validate(questions, arguments.penalty)
    slope, offset = calibrate(outcomes)
    for o in outcomes:
        o.probability = calibrated(o.probability, slope, offset)
    print(report(outcomes))
    chosen_on = [o for o in outcomes if not arguments.thresholds_on or o.question.set in arguments.thresholds_on]
    answers_from, asks_from = thresholds(chosen_on)
    print(f"answers from {answers_from:.3f}, asks from {asks_from:.3f}")
    if arguments.out:
        model = fit(questions, arguments.penalty)
        model.slope, model.offset = slope, offset
        names = json.loads(subprocess.run([arguments.names, "--names"], check=True, capture_output=True, text=True).stdout)
        for weight, name in sorted(zip(model.weights, names), key=lambda pair: -abs(pair[0])):
            print(f"  {weight:7.3f}  {name}")
        arguments.out.write_text(json.dumps(to_json(model, names, answers_from, asks_from), indent=None) + "\n")


if __name__ == "__main__":
    main()
