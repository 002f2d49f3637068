"""Fits the choice between readings: models/choice.json from the readings that question_bench --keep wrote.

Each line is a question with its readings: features (computed by the product itself), which of them give the same rows, and which are right. The model, a
few small networks with one hidden layer each whose mean counts, gives each reading evidence s; the probability of a result is the sum of e^s over the readings that give it, divided
by 1 + the sum over all readings: the 1 stands for "none of them". Fitting makes the right results likely, by L-BFGS, with a penalty for large weights. Everything that is
reported, and the thresholds, come from models that have not seen the database of the question (cross-validation by database).

    build/release/bench/question_bench --choice none --keep readings.jsonl FOLDER...
    python3 -m training.choose readings.jsonl... --out models/choice.json
"""
from __future__ import annotations

import argparse
import collections
import concurrent.futures
import dataclasses
import functools
import itertools
import json
import math
import pathlib
import random
import subprocess

import numpy

FOLDS = 8
PENALTY = 100.0
HIDDEN = 16
MEMBERS = 3
STEPS = 120
ANSWER_PRECISION = 0.86
LOST_BELOW_ASKING = 0.03
OFFERED = 3
OFFER_PRECISION = 0.6


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
    """Layers are (weights by unit, bias); between two of them lies a tanh."""
    mean: numpy.ndarray
    scale: numpy.ndarray
    layers: list[tuple[numpy.ndarray, numpy.ndarray]]
    slope: float = 1.0
    offset: float = 0.0

    def evidence(self, features) -> numpy.ndarray:
        x = (numpy.asarray(features, float) - self.mean) / self.scale
        for at, (weights, bias) in enumerate(self.layers):
            x = (numpy.tanh(x) if at else x) @ weights.T + bias
        return x[:, 0]

    def probabilities(self, question: Question) -> list[float]:
        """Of each reading's result, calibrated."""
        evidence = self.evidence(question.features)
        most = max(0.0, evidence.max())
        parts = numpy.exp(evidence - most)
        total = math.exp(-most) + parts.sum()
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


def moments(rows: numpy.ndarray) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Mean and spread of each feature; a feature that never changes keeps its scale."""
    scale = rows.std(0)
    return rows.mean(0), numpy.where(scale > 1e-6, scale, 1.0)


def minimise(function, start: numpy.ndarray, steps: int = STEPS, memory: int = 10) -> numpy.ndarray:
    """L-BFGS with halving steps. `function` gives a value and its gradient."""
    x, (value, gradient) = start, function(start)
    pairs: collections.deque = collections.deque(maxlen=memory)
    for _ in range(steps):
        direction, factors = gradient.copy(), []
        for s, y, rho in reversed(pairs):
            factors.append(rho * (s @ direction))
            direction -= factors[-1] * y
        if pairs:
            s, y, _ = pairs[-1]
            direction *= (s @ y) / (y @ y)
        for (s, y, rho), factor in zip(pairs, reversed(factors)):
            direction += (factor - rho * (y @ direction)) * s
        slope = -(gradient @ direction)
        step = 1.0 if pairs else min(1.0, 1 / (abs(gradient).sum() + 1e-12))
        while step > 1e-10:
            moved = x - step * direction
            new_value, new_gradient = function(moved)
            if new_value <= value + 1e-4 * step * slope:
                break
            step /= 2
        else:
            return x
        s, y = moved - x, new_gradient - gradient
        if s @ y > 1e-12:
            pairs.append((s, y, 1 / (s @ y)))
        done = value - new_value < 1e-6 * abs(value)
        x, value, gradient = moved, new_value, new_gradient
        if done:
            break
    return x


class Loss:
    """How unlikely the right results are, and how that changes with the weights of one network."""

    def __init__(self, questions: list[Question], mean: numpy.ndarray, scale: numpy.ndarray, penalty: float, hidden: int):
        questions = [q for q in questions if q.features]
        sizes = [len(q.features) for q in questions]
        self.penalty, self.hidden = penalty, hidden
        self.x = (numpy.array([row for q in questions for row in q.features]) - mean) / scale
        self.right = numpy.array([r for q in questions for r in q.right], float)
        self.question, self.starts = numpy.repeat(numpy.arange(len(sizes)), sizes), numpy.cumsum([0, *sizes[:-1]])
        self.some_right = numpy.array([q.some_right for q in questions])
        self.weight = numpy.array([q.weight for q in questions])

    def start(self, seed: int) -> numpy.ndarray:
        width, rng = self.x.shape[1], numpy.random.default_rng(seed)
        if not self.hidden:
            return numpy.zeros(width + 1)
        spread = numpy.concatenate([numpy.full(self.hidden * width, 0.5 / math.sqrt(width)), numpy.zeros(self.hidden), numpy.full(self.hidden, 0.5 / math.sqrt(self.hidden)), [0.0]])
        return spread * rng.standard_normal(len(spread))

    def layers(self, parameters: numpy.ndarray) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
        width, inner = self.x.shape[1], []
        if self.hidden:
            cut = self.hidden * width
            inner, parameters = [(parameters[:cut].reshape(self.hidden, width), parameters[cut:cut + self.hidden])], parameters[cut + self.hidden:]
        return [*inner, (parameters[None, :-1], parameters[-1:])]

    def __call__(self, parameters: numpy.ndarray) -> tuple[float, numpy.ndarray]:
        *inner, (last, bias) = self.layers(parameters)
        between = numpy.tanh(self.x @ inner[0][0].T + inner[0][1]) if inner else self.x
        value, errors = self._compared((between @ last.T)[:, 0] + bias[0])
        gradients = [errors @ between + self.penalty * last[0], [errors.sum()]]
        value += 0.5 * self.penalty * (last ** 2).sum()
        if inner:
            back = errors[:, None] * last * (1 - between ** 2)
            gradients = [(back.T @ self.x + self.penalty * inner[0][0]).ravel(), back.sum(0), *gradients]
            value += 0.5 * self.penalty * (inner[0][0] ** 2).sum()
        return value, numpy.concatenate(gradients)

    def _compared(self, evidence: numpy.ndarray) -> tuple[float, numpy.ndarray]:
        """The loss, and how it changes with the evidence for each reading."""
        most = numpy.maximum(0, numpy.maximum.reduceat(evidence, self.starts))
        parts, none = numpy.exp(evidence - most[self.question]), numpy.exp(-most)
        total = none + numpy.add.reduceat(parts, self.starts)
        wanted = numpy.maximum(numpy.where(self.some_right, numpy.add.reduceat(parts * self.right, self.starts), none), 1e-300)
        errors = parts / total[self.question] - self.right * parts / wanted[self.question]
        return -(self.weight * numpy.log(wanted / total)).sum(), self.weight[self.question] * errors


def averaged(networks: list[list[tuple[numpy.ndarray, numpy.ndarray]]]) -> list[tuple[numpy.ndarray, numpy.ndarray]]:
    """One network that gives the mean of several with one hidden layer."""
    inner = (numpy.concatenate([n[0][0] for n in networks]), numpy.concatenate([n[0][1] for n in networks]))
    last = (numpy.concatenate([n[1][0] for n in networks], 1) / len(networks), sum(n[1][1] for n in networks) / len(networks))
    return [inner, last]


def fit(questions: list[Question], penalty: float = PENALTY, hidden: int = HIDDEN, members: int = MEMBERS) -> Model:
    mean, scale = moments(numpy.array([row for q in questions for row in q.features]))
    loss = Loss(questions, mean, scale, penalty, hidden)
    networks = [loss.layers(minimise(loss, loss.start(seed))) for seed in range(members if hidden else 1)]
    return Model(mean, scale, averaged(networks) if hidden else networks[0])


@dataclasses.dataclass
class Outcome:
    """What a model that did not know the database made of a question. `offered` are the best results: probability, and whether right."""
    question: Question
    probability: float
    right: bool
    offered: list[tuple[float, bool]] = dataclasses.field(default_factory=list)

    @property
    def together(self) -> float:
        return sum(probability for probability, _ in self.offered)

    @property
    def some_offered_right(self) -> bool:
        return any(right for _, right in self.offered)

    def calibrated(self, slope: float, offset: float) -> Outcome:
        return dataclasses.replace(self, probability=calibrated(self.probability, slope, offset),
                                   offered=[(calibrated(p, slope, offset), right) for p, right in self.offered])


def outcome_of(model: Model, question: Question) -> Outcome:
    if not question.features:
        return Outcome(question, 0.0, False)
    probabilities, evidence = model.probabilities(question), model.evidence(question.features)
    order = sorted(range(len(probabilities)), key=lambda i: (-probabilities[i], -evidence[i]))
    results = {question.groups[i]: (probabilities[i], question.right[i]) for i in reversed(order)}
    offered = sorted(results.values(), key=lambda each: -each[0])[:OFFERED]
    return Outcome(question, probabilities[order[0]], question.right[order[0]], offered)


def folded(questions: list[Question], fold_of: dict[str, int], fold: int, **options) -> list[Outcome]:
    model = fit([q for q in questions if fold_of.get(q.database) != fold], **options)
    return [outcome_of(model, q) for q in questions if fold_of.get(q.database) == fold]


def cross_validate(questions: list[Question], folds: int = FOLDS, seed: int = 1, workers: int = 1, always: frozenset[str] = frozenset(),
                   **options) -> list[Outcome]:
    """Questions of the sets in `always` are learnt from in every fold, and not asked."""
    databases = sorted({q.database for q in questions if q.set not in always})
    random.Random(seed).shuffle(databases)
    fold_of = {database: i % folds for i, database in enumerate(databases)}
    one = functools.partial(folded, questions, fold_of, **options)
    if workers == 1:
        return [o for fold in range(min(folds, len(databases))) for o in one(fold)]
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        return [o for part in pool.map(one, range(min(folds, len(databases)))) for o in part]


def calibrate(outcomes: list[Outcome]) -> tuple[float, float]:
    """Slope and offset that make the probabilities fit what came out."""
    asked = [o for o in outcomes if o.question.features]
    x, y, w = (numpy.array(c, float) for c in zip(*((logit(o.probability), o.right, o.question.weight) for o in asked)))

    def loss(parameters):
        p = 1 / (1 + numpy.exp(-(parameters[0] * x + parameters[1])))
        value = -(w * numpy.log(numpy.maximum(numpy.where(y > 0, p, 1 - p), 1e-12))).sum()
        return value, numpy.array([(w * (p - y) * x).sum(), (w * (p - y)).sum()])

    slope, offset = minimise(loss, numpy.array([1.0, 0.0]))
    return float(slope), float(offset)


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


def answering_from(outcomes: list[Outcome]) -> float:
    """The lowest threshold that keeps enough of what is answered right."""
    return max((p for p in curve(outcomes) if p[1] >= ANSWER_PRECISION), default=(0, 0, 1.0))[2]


def offering_from(outcomes: list[Outcome]) -> float:
    """How sure the best readings must be together, where none is sure enough alone, so that the right one is mostly among them."""
    threshold, count, right = 1.0, 0, 0
    for together, equal in itertools.groupby(sorted(outcomes, key=lambda o: -o.together), key=lambda o: o.together):
        among = [o.some_offered_right for o in equal]
        count, right = count + len(among), right + sum(among)
        if right >= OFFER_PRECISION * count:
            threshold = together
    return min(threshold, 1.0)


def thresholds(outcomes: list[Outcome]) -> tuple[float, float]:
    """Answers from: what holds for each set by itself, so that easy questions do not pay for hard ones. Asks from: where hardly any right reading would
    be lost."""
    answers_from = max(answering_from([o for o in outcomes if o.question.set == name]) for name in {o.question.set for o in outcomes})
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


def rounded(values) -> list[float]:
    return [float(f"{v:.5g}") for v in values]


def to_json(model: Model, names: list[str], answers_from: float, asks_from: float, offers_from: float) -> dict:
    return {"features": names, "mean": rounded(model.mean), "scale": rounded(model.scale),
            "layers": [{"weights": [rounded(unit) for unit in weights], "bias": rounded(bias)} for weights, bias in model.layers],
            "calibration": {"slope": rounded([model.slope])[0], "offset": rounded([model.offset])[0]},
            "answers_from": rounded([answers_from])[0], "asks_from": rounded([asks_from])[0], "offers_from": rounded([offers_from])[0]}


def weigh(questions: list[Question], weights: dict[str, float], unanswerable: float = 1.0) -> None:
    for question in questions:
        question.weight = weights.get(question.set, 1.0) * (1.0 if question.answerable else unanswerable)


def sampled(questions: list[Question], parts: dict[str, float], seed: int = 1) -> list[Question]:
    """A part of the questions of some sets, each counting for those that are left out."""
    chance = random.Random(seed)
    kept = [q for q in questions if chance.random() < parts.get(q.set, 1.0)]
    for question in kept:
        question.weight /= parts.get(question.set, 1.0)
    return kept


def named_numbers(options: list[str]) -> dict[str, float]:
    return {name: float(number) for name, number in (each.rsplit("=", 1) for each in options)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("readings", nargs="+", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--names", required=True, help="the program that knows the features' names: question_bench")
    parser.add_argument("--penalty", type=float, default=PENALTY)
    parser.add_argument("--hidden", type=int, default=HIDDEN, help="units of a network's hidden layer; 0: none, the features are added up")
    parser.add_argument("--members", type=int, default=MEMBERS, help="networks whose mean counts")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--weight", action="append", default=[], metavar="SET=W", help="how much a question of a set counts")
    parser.add_argument("--unanswerable", type=float, default=1.0, metavar="W", help="how many times a question counts that must not be answered: they are few")
    parser.add_argument("--part", action="append", default=[], metavar="SET=P", help="how much of a set is taken, at random: networks fit faster")
    parser.add_argument("--thresholds-on", action="append", default=[], metavar="SET", help="sets that calibration and thresholds come from; all by default")
    parser.add_argument("--always", action="append", default=[], metavar="SET", help="sets that are learnt from and never judged: one database alone")
    arguments = parser.parse_args()
    questions = [q for path in arguments.readings for q in load(path.read_text().splitlines())]
    weigh(questions, named_numbers(arguments.weight), arguments.unanswerable)
    questions = sampled(questions, named_numbers(arguments.part))
    options = {"penalty": arguments.penalty, "hidden": arguments.hidden, "members": arguments.members}
    outcomes = cross_validate(questions, workers=arguments.workers, always=frozenset(arguments.always), **options)

    def chosen_on() -> list[Outcome]:
        return [o for o in outcomes if not arguments.thresholds_on or o.question.set in arguments.thresholds_on]

    slope, offset = calibrate(chosen_on())
    outcomes = [o.calibrated(slope, offset) for o in outcomes]
    print(report(outcomes))
    answers_from, asks_from = thresholds(chosen_on())
    offers_from = max(asks_from, offering_from([o for o in outcomes if o.probability < asks_from]))
    print(f"answers from {answers_from:.3f}, asks from {asks_from:.3f}, offers from {offers_from:.3f}")
    if arguments.out:
        model = fit(questions, **options)
        model.slope, model.offset = slope, offset
        names = json.loads(subprocess.run([arguments.names, "--names"], check=True, capture_output=True, text=True).stdout)
        arguments.out.write_text(json.dumps(to_json(model, names, answers_from, asks_from, offers_from), indent=None) + "\n")


if __name__ == "__main__":
    main()
