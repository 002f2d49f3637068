"""Fits the classifier of intents: a linear map from the vector of a text to a score for each intent.

    quaestor embed --json TEXT...          (vectors by the bundled embedding model)
    python3 -m training.intents PROGRAM training/intents.tsv models/intents.json

Needs nothing but Python. Deterministic: full-batch gradient descent from zero. The threshold under which the program says
"unclear" is set by cross-validation on the same sentences, so that at most one in fifty of what it says is wrong.
"""

import json
import math
import operator
import subprocess
import sys

STEPS = 200
RATE = 20.0
DECAY = 1e-4
FOLDS = 10
WRONG_MAX = 0.02
BATCH = 64
DIGITS = 4


def read_labelled(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if line.strip() and not line.startswith("#")]
    return [tuple(line.split("\t")) for line in lines]


def embed(program, texts):
    vectors = []
    for begin in range(0, len(texts), BATCH):
        command = [program, "embed", "--json", "--", *texts[begin : begin + BATCH]]
        reply = subprocess.run(command, check=True, capture_output=True, text=True)
        vectors += json.loads(reply.stdout)["vectors"]
    return vectors


def product(left, right):
    return sum(map(operator.mul, left, right))


def probabilities(model, vector):
    scores = [bias + product(weights, vector) for weights, bias in model]
    highest = max(scores)
    powers = [math.exp(score - highest) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def fit(vectors, labels, classes):
    """Softmax regression in which every class weighs the same, however many sentences it has."""
    columns = list(zip(*vectors))
    weight = [1.0 / (len(classes) * labels.count(label)) for label in labels]
    model = [([0.0] * len(columns), 0.0) for _ in classes]
    for _ in range(STEPS):
        found = [probabilities(model, vector) for vector in vectors]
        for at, name in enumerate(classes):
            errors = [w * (row[at] - (label == name)) for w, row, label in zip(weight, found, labels)]
            weights, bias = model[at]
            slopes = [product(errors, column) for column in columns]
            weights = [old - RATE * (slope + DECAY * old) for old, slope in zip(weights, slopes)]
            model[at] = (weights, bias - RATE * sum(errors))
    return model


def held_out_judgements(vectors, labels, classes):
    """(probability, whether it is right) of each sentence, by a model that has not seen it."""
    judged = []
    for fold in range(FOLDS):
        inside = [i for i in range(len(labels)) if i % FOLDS != fold]
        model = fit([vectors[i] for i in inside], [labels[i] for i in inside], classes)
        for i in range(fold, len(labels), FOLDS):
            found = probabilities(model, vectors[i])
            best = max(range(len(classes)), key=found.__getitem__)
            judged.append((found[best], classes[best] == labels[i]))
    return judged


def threshold_for(judged):
    """The lowest probability from which on at most WRONG_MAX of the judgements are wrong."""
    judged = sorted(judged, reverse=True)
    threshold, wrong = 1.0, 0
    for count, (probability, is_right) in enumerate(judged, start=1):
        wrong += not is_right
        if wrong <= WRONG_MAX * count:
            threshold = probability
    return threshold


def main():
    program, labelled_path, out_path = sys.argv[1:]
    labelled = read_labelled(labelled_path)
    labels = [label for label, _ in labelled]
    classes = sorted(set(labels))
    vectors = embed(program, [text for _, text in labelled])
    judged = held_out_judgements(vectors, labels, classes)
    model = fit(vectors, labels, classes)
    stored = {
        "embedder": "minilm",
        "sure_from": round(threshold_for(judged), DIGITS),
        "classes": [
            {"intent": name, "bias": round(bias, DIGITS), "weights": [round(w, DIGITS) for w in weights]}
            for name, (weights, bias) in zip(classes, model)
        ],
    }
    with open(out_path, "w", encoding="utf-8") as file:
        json.dump(stored, file, separators=(",", ":"))
        file.write("\n")
    right = sum(is_right for _, is_right in judged)
    sure = [is_right for probability, is_right in judged if probability >= stored["sure_from"]]
    print(f"cross-validated: {right} of {len(judged)} right; sure of {len(sure)}, of which {sum(sure)} right")


if __name__ == "__main__":
    main()
