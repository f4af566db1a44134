"""The window's texts, with figures in the places of their names."""

from __future__ import annotations

from app.runtime.translation import tr, tr_n


def test_figures_stand_in_the_places_of_their_names() -> None:
    assert tr("{here} of {count}", here=2, count=3) == "2 of 3"
    assert tr("{no figure}") == "{no figure}"


def test_what_counts_has_two_forms() -> None:
    assert [tr_n("1 run of {name}", "{n} runs of {name}", n, name="a") for n in (0, 1, 2345)] == [
        "0 runs of a",
        "1 run of a",
        "2,345 runs of a",
    ]
