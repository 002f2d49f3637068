"""The trained parser of Quaestor: data, model, training, evaluation and export."""
