"""What has become of an import, in words."""

from __future__ import annotations

from advisor.runs.sent.asked import SERVER
from advisor.target_names import SAMPLE
from app.controllers.stored_runs import Imports
from app.runtime.translation import tr, tr_n

SAMPLE_NOTICE = "The sample is a MySQL server under load. Delete it like any other target."


def notice_of(found: Imports) -> str:
    """What was imported; "" where nothing was."""
    if not found.kept:
        return ""
    if {kept.name for kept in found.kept} == {SAMPLE}:
        return SAMPLE_NOTICE
    if len(found.kept) > 1 or found.refused:
        return _summed_up(found)
    (kept,) = found.kept
    if kept.imported.kind == SERVER:
        text = tr("{name}: read from {texts}.", name=kept.name, texts=kept.imported.source)
        return " ".join((text, *kept.imported.warnings[:1]))
    if not kept.imported.points:
        return " ".join((tr("{name} was imported.", name=kept.name), *kept.imported.warnings[:1]))
    text = tr_n(
        "{name}: 1 point imported.",
        "{name}: {n} points imported.",
        len(kept.imported.points),
        name=kept.name,
    )
    return " ".join((text, *kept.imported.warnings[:1]))


def trouble_of(found: Imports) -> tuple[str, str]:
    """What was not imported and why: a sentence and what stands below it; "" where all was."""
    if not found.refused:
        return "", ""
    errors = [refused.error for refused in found.refused]
    if len(errors) == 1 and not found.kept:
        return errors[0].sentence, errors[0].advice
    return _summed_up(found), "\n".join(str(error) for error in errors)


def _summed_up(found: Imports) -> str:
    from advisor.runs.importing import summed_up  # noqa: PLC0415 - loaded by what was imported

    return summed_up(found.kept, found.refused)
