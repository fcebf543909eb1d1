"""What a paper cites of a study: keys in its table, and a BibTeX file that has each of them once."""

from __future__ import annotations

import inspect
import re
import unicodedata

import pytest

import streamlab as sl
from streamlab.learners import LEARNERS
from streamlab.papers import bibtex_of
from streamlab.streams import STREAMS
from streamlab.streams.catalogue import StreamEntry

CITE = re.compile(r"\\cite\{([^}]+)\}")
MINE = "@article{mine2026, author = {Me}, title = {Mine}, year = {2026}}"


@pytest.fixture
def study(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b,l,m\n" + "1,2,0,1\n3,1,1,0\n" * 30)
    return sl.Study(
        {
            "yeast": {"rows": 60},
            "seg_ments": {"use": "segments", "rows": 60},
            "mine": {"use": str(tmp_path / "rows.csv"), "labels": ["l", "m"]},
        },
        {
            "SMART": "SMART",
            "balanced": "StandardScaler | BalancedKNN",
            "bayes": "NB one per label",
            "none": "NoChange",
        },
        measures=["example_f1", "hamming_loss"],
        results=tmp_path / "results",
    )


def test_a_table_cites_what_its_study_used_and_the_file_has_each(study):
    study.run(workers=1)
    cited = study.citations
    assert cited.learners["balanced"] == ("wang2010balanced",)
    assert cited.learners["bayes"] == ("esteban2024hoeffding", "montiel2021river")
    assert cited.learners["none"] == cited.streams["mine"] == ()
    text = sl.compare(study.results(), "example_f1").to_latex(cite=cited)
    assert r"\caption{F1 (examples)~\cite{zhang2014review} of 4 learners on 3 streams." in text
    assert r"SMART~\cite{kong2011ensemble}" in text
    assert r"yeast~\cite{elisseeff2001kernel} & " in text
    assert r"seg\_ments~\cite{data-segments} & " in text
    assert "\nmine & " in text
    assert re.search(r"balanced~\\cite\{wang2010balanced\} & .*", sl.compare(study.results(), "example_f1").to_latex(
        transpose=True, cite=cited
    ))  # fmt: skip
    entries = re.findall(r"^@\w+\{([^,]+),", cited.bibtex, re.MULTILINE)
    assert len(set(entries)) == len(entries)
    assert {key for keys in CITE.findall(text) for key in keys.split(",")} < set(entries)
    assert {"streamlab", "gama2013evaluating", "schapire2000boostexter"} < set(entries)
    assert r"howpublished = {\url{https://archive.ics.uci.edu" in cited.bibtex
    assert all(re.search(r"^ *(author|key) *=", each, re.MULTILINE) for each in re.split(r"\n(?=@)", cited.bibtex)[1:])
    assert "% stream mine: no source is known" in cited.bibtex
    assert r"\cite" not in sl.compare(study.results(), "example_f1").to_latex()


def test_a_file_of_ones_own_is_cited_as_the_study_says(tmp_path):
    (tmp_path / "rows.csv").write_text("a,b,l,m\n" + "1,2,0,1\n3,1,1,0\n" * 30)
    (tmp_path / "study.toml").write_text(
        f"""
        [streams]
        mine = {{ use = "rows.csv", labels = ["l", "m"], papers = ["{MINE}", "zhang2014review"] }}
        [learners]
        NoChange = {{}}
        """
    )
    named = sl.Study.read(tmp_path / "study.toml")
    assert named.citations.streams == {"mine": ("mine2026", "zhang2014review")}
    assert MINE in named.citations.bibtex
    given = {"use": str(tmp_path / "rows.csv"), "labels": ["l", "m"]}
    # what is cited changes no cell
    assert list(sl.Study({"mine": given}, ["NoChange"]).cells().key) == list(named.cells().key)
    with pytest.raises(
        ValueError, match=r"streams\['mine'\]: papers=\('me',\): expected .* keys of streamlab's papers"
    ):
        sl.Study({"mine": given | {"papers": ["me"]}}, ["NoChange"])


def test_another_package_brings_its_own_entry():
    made = StreamEntry("tides", "water levels; flood", lambda: sl.load("yeast"), papers=(MINE,))
    remove = STREAMS.add("tides", made)
    try:
        cited = sl.Study(["tides"], ["NoChange"]).citations
        assert cited.streams == {"tides": ("mine2026",)}
        assert MINE in cited.bibtex
        with pytest.raises(ValueError, match=r"papers=.*expected a tuple of keys of streamlab's papers.bib"):
            STREAMS.add("floods", StreamEntry("floods", "the same", made.loader, papers=("nobody1999",)))
    finally:
        remove()
    with pytest.raises(ValueError, match=r"Wrong.papers is 'kong2011ensemble'; expected a tuple of keys"):
        LEARNERS.add("Wrong", type("Wrong", (sl.NoChange,), {"papers": "kong2011ensemble"}))


def _plain(text: str) -> str:
    """Return a text with its letters alone: of LaTeX's accents and of Unicode's."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text).replace("ı", "i") if letter.isalpha())


def test_what_a_learner_cites_is_what_its_description_names():
    public = {name: getattr(sl, name) for name in sl.__all__ if inspect.isclass(getattr(sl, name))}
    kinds = {**dict(LEARNERS.items()), **public}
    for name, kind in kinds.items():
        text = inspect.getdoc(kind) or ""
        papers = vars(kind).get("papers", ())
        if hasattr(kind, "papers") and "Sources\n---" in text:
            assert papers, f"{name} has sources, and papers= names none"
        for key, entry in bibtex_of(papers).items():
            first = re.search(r"author\s*=\s*\{+([^,]+),", entry)
            assert _plain(first[1].replace("c{c}", "c")) in _plain(text), f"{name} cites {key}, which it does not name"
