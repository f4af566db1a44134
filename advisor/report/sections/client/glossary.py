"""The terms that a report uses, as the glossary has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from advisor.report.document.blocks import Block, Pairs, TextSpan, rebuilt
from advisor.wording.advice.terms import TERMS


def glossary(blocks: Iterable[Block]) -> Iterator[Block]:
    """Those terms that stand in ``blocks``, by the alphabet; nothing where there is none."""
    text = "\n".join(_texts(tuple(blocks)))
    found = tuple((term, meaning) for term, meaning in TERMS.items() if _stands_in(term, text))
    if found:
        yield Pairs(found, small=True)


def _texts(blocks: tuple[Block, ...]) -> list[str]:
    found: list[str] = []

    def seen(text: TextSpan | str) -> TextSpan | str:
        found.append(text.text if isinstance(text, TextSpan) else text)
        return text

    rebuilt(blocks, seen)
    return found


def _stands_in(term: str, text: str) -> bool:
    """Whether one of its forms does, as words of their own or with an ending."""
    forms = "|".join(re.escape(form) for form in term.split(", "))
    return re.search(rf"(?<!\w)(?:{forms})(?:s|es)?(?!\w)", text, re.IGNORECASE) is not None
