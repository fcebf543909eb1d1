"""River's models that read texts, and those that count, on streams of texts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from river import evaluate, feature_extraction, metrics, naive_bayes
from sklearn.feature_extraction.text import HashingVectorizer

import streamlab as sl
from streamlab.streams.readers import river

WORDS = {"spam": ["free", "money", "win"], "ham": ["hello", "lunch", "friend"]}


class Pairs(list):
    """A data set of River's."""


def made_pairs(n):
    rng = np.random.default_rng(0)
    names = rng.choice(["spam", "ham"], n).tolist()
    return Pairs(({"body": " ".join([*rng.choice(WORDS[y], 2), f"w{i}"])}, y) for i, y in enumerate(names))


def test_each_row_may_have_a_text_of_its_own():
    pairs, theirs = made_pairs(1200), metrics.Accuracy()

    def model():
        return feature_extraction.BagOfWords(on="body") | naive_bayes.MultinomialNB()

    evaluate.progressive_val_score(pairs, model(), theirs)
    run = sl.Run(river.RiverStream(pairs), {"bayes": model()})
    run.advance()
    assert run.summary.loc["bayes", "accuracy_of_answered"] == pytest.approx(theirs.get(), abs=1e-12)


def test_there_is_a_bound_of_texts(monkeypatch):
    monkeypatch.setattr(river, "MOST_TEXTS", 50)
    with pytest.raises(ValueError, match="row 50, feature 'body': more than 50 different strings"):
        river.RiverStream(made_pairs(60))


@pytest.mark.parametrize("kind", [naive_bayes.MultinomialNB, naive_bayes.ComplementNB])
def test_a_model_that_counts_says_what_hashed_words_need(kind):
    table = pd.DataFrame([{**x, "kind": y} for x, y in made_pairs(200)])
    run = sl.Run(sl.load(table, text="body", classes="kind"), {"bayes": kind()})
    with pytest.raises(ValueError, match=rf"{kind.__name__} counts, and 'h[0-9]+' is -.*alternate_sign=False"):
        run.advance()
    stream = sl.load(table, text="body", classes="kind", vectorizer=HashingVectorizer(alternate_sign=False))
    run = sl.Run(stream, {"bayes": kind()})
    run.advance()
    assert run.summary.loc["bayes", "accuracy"] > 0.9
