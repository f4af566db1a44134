"""Words that many of the window's sentences share, in the user's language."""

from __future__ import annotations

from advisor.run import RunKind
from app.runtime.translation import tr, tr_n
from probes.kinds.words import worker
from probes.plans.plan import PlanName
from probes.points import Setting

NEWER_FILES = "Import newer files…"
"""The next step with a server that is known from texts, an archive or a case."""

PLANS = {
    PlanName.QUICK: "quick",
    PlanName.STANDARD: "standard",
    PlanName.THOROUGH: "thorough",
}


WORKERS = {
    "connection": "Connections",
    "committer": "Committers",
    "page cleaner": "Page cleaners",
    "reader": "Readers",
    "thread": "Threads",
}
"""What an axis counts, by the English word for one of them."""

BY_WORKERS = {
    "connection": "By connections",
    "committer": "By committers",
    "page cleaner": "By page cleaners",
    "reader": "By readers",
    "thread": "By threads",
}
"""What curves over that axis are called."""


def plan_label(plan: str) -> str:
    """How a plan is called; one that is none of Leadline's is called what it is."""
    return PLANS[PlanName(plan)] if plan in PLANS else plan


def how_measured(kind: RunKind, plan: str) -> str:
    """``plan quick``: how a run measured, by which plan, by watching alone, or elsewhere."""
    if kind is RunKind.IMPORT:
        return tr("imported")
    if kind is RunKind.WATCH:
        return tr("watched")
    if kind is RunKind.LAB:
        return tr("on servers of its own")
    if kind is RunKind.TRIAL:
        return tr("by switching a setting")
    return tr("plan {plan}", plan=plan_label(plan)) if plan in PLANS else plan


def points_text(number: int) -> str:
    """``3 points``."""
    return tr_n("1 point", "{n} points", number)


def doubts_text(doubtful: int, rejected: int) -> str:
    """``16 doubtful, 1 rejected``; "" where no point is either."""
    parts = []
    if doubtful:
        parts.append(tr_n("1 doubtful", "{n} doubtful", doubtful))
    if rejected:
        parts.append(tr_n("1 rejected", "{n} rejected", rejected))
    return ", ".join(parts)


def workers_text(noun: str, n: int) -> str:
    """``8 threads``, ``1 committer``, ``16 connections``; ``noun`` is one of them in English."""
    match noun:
        case "connection":
            return tr_n("1 connection", "{n} connections", n)
        case "committer":
            return tr_n("1 committer", "{n} committers", n)
        case "page cleaner":
            return tr_n("1 page cleaner", "{n} page cleaners", n)
        case "reader":
            return tr_n("1 reader", "{n} readers", n)
        case _:
            return tr_n("1 thread", "{n} threads", n)


def threads_text(setting: Setting) -> str:
    """What asks at the same time: ``8 threads``, or what these stand for."""
    return workers_text(worker(setting.probe), setting.threads)


def beside_server(text: str) -> str:
    """What was said of a point or curve that does not show an idle drive."""
    return tr("{said} beside the server's own load", said=text)
