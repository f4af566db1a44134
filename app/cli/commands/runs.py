"""``leadline runs``: what was measured, kept point by point."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import click
from rich.text import Text

from advisor.run import RunKind, RunLabel, RunState, Voice
from app.cli.arguments import options
from app.cli.opening import opened_store
from app.cli.shown.terminal import output, plain_table, write_json
from probes.errors import UsageError
from probes.figures import counted

RUN_ID = click.IntRange(1, 10**9)

PLANNED = {RunKind.CHECK, RunKind.PROBE}
"""Runs that follow a plan."""

STYLES = {
    RunState.RUNNING: "cyan",
    RunState.DONE: "green",
    RunState.CANCELLED: "yellow",
    RunState.FAILED: "red",
    RunState.INTERRUPTED: "red",
}


class Runs(click.Group):
    """The commands about runs; `leadline compare` is one of them, too."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return sorted([*super().list_commands(ctx), "compare"])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a comparison only where one is asked for: a list needs none."""
        if cmd_name != "compare":
            return super().get_command(ctx, cmd_name)
        from app.cli.commands.compare import compare  # noqa: PLC0415

        return compare


@click.group(cls=Runs, invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
@click.option("--project", metavar="NAME", default="", help="Only the runs of one project.")
@click.pass_context
def runs(context: click.Context, as_json: bool, project: str) -> None:
    """The runs that were kept; alone, it lists them."""
    if context.invoked_subcommand is None:
        show_all(as_json=as_json, project=project)


@runs.command("list")
@click.option("--target", metavar="NAME", default="", help="Only the runs of one target.")
@click.option("--project", metavar="NAME", default="", help="Only the runs of one project.")
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
def list_command(target: str, project: str, as_json: bool) -> None:
    """List the runs, the latest first."""
    show_all(target, as_json=as_json, project=project)


def show_all(target: str = "", *, as_json: bool, project: str = "") -> None:
    """Print the summaries of all runs, or of one target's and one project's."""
    with opened_store() as store:
        found = store.runs(target or None)
    if project:
        known = sorted({run.label.project for run in found} - {""})
        found = [run for run in found if run.label.project == project]
        if not found:
            raise no_project(project, known)
    if as_json:
        write_json([asdict(run) for run in found])
        return
    if not found:
        output().print("There are no runs yet. `leadline check` makes one.")
        return
    named = any(run.label.name for run in found)
    filed = not project and any(run.label.project for run in found)
    titles = ["run", "name", "project", "target", "kind", "plan", "started (UTC)"]
    shown = {"name": named, "project": filed}
    table = plain_table(*(one for one in titles if shown.get(one, True)), "points", "state")
    for run in found:
        table.add_row(
            str(run.id),
            *([Text(run.label.name)] if named else []),
            *([Text(run.label.project)] if filed else []),
            Text(run.target),
            "texts" if run.from_texts else run.kind.value,
            run.plan if run.kind in PLANNED else "",
            run.started_at[:16].replace("T", " "),
            f"{run.points}{', beside load' if run.beside_server else ''}",
            Text(f"{run.state.value} {_short(run.reason)}".strip(), style=STYLES[run.state]),
        )
    output().print(table)


def _short(reason: str) -> str:
    """Its first sentence: `runs show` and the JSON have all of it."""
    first, full_stop, _ = reason.partition(". ")
    return f"{first}." if full_stop else first


@runs.command()
@click.argument("run_id", metavar="ID", type=RUN_ID)
@options.json_document("the run")
@options.output_file("it")
def show(run_id: int, as_json: bool, file: Path | None) -> None:
    """Tell the run ID in full, judged by the rules as they are now."""
    from advisor.report.json.report import to_json  # noqa: PLC0415 - a list needs no rules
    from advisor.report.report import gather  # noqa: PLC0415
    from advisor.report.terminal.run import whole_run  # noqa: PLC0415
    from app.cli.shown.lab import give_lab  # noqa: PLC0415
    from app.cli.shown.measuring import give  # noqa: PLC0415
    from app.cli.shown.trial import give_trial  # noqa: PLC0415

    with opened_store() as store:
        kind = store.run(run_id).kind
        if kind is RunKind.LAB:
            give_lab(store, run_id, as_json=as_json, file=file)
            return
        if kind is RunKind.TRIAL:
            give_trial(store, run_id, as_json=as_json, file=file)
            return
        report = gather(store, Voice(run_id))
    give(lambda: to_json(report), lambda: whole_run(report), as_json=as_json, file=file)


@runs.command("name")
@click.argument("run_id", metavar="ID", type=RUN_ID)
@click.argument("name", metavar="NAME")
@click.option("--tags", metavar="A,B", default=None, help="Tags, separated by commas.")
@click.option("--notes", metavar="TEXT", default=None, help="What else is worth knowing of it.")
def name_command(run_id: int, name: str, tags: str | None, notes: str | None) -> None:
    """Call the run ID something: lists, comparisons and reports use it. "" takes it back."""
    with opened_store() as store:
        before = store.run(run_id).label
        kept = ",".join(before.tags) if tags is None else tags
        new_notes = before.notes if notes is None else notes
        label = RunLabel.typed(name, kept, new_notes, before.project)
        store.label_run(run_id, label)
    called = f"is called {label.name} now" if label.name else "has no name any more"
    output().print(Text(f"Run {run_id} {called}."))


@runs.command("project")
@click.argument("run_ids", metavar="ID...", type=RUN_ID, nargs=-1, required=True)
@click.argument("name", metavar="NAME")
def project_command(run_ids: tuple[int, ...], name: str) -> None:
    """Put the runs ID... into the project NAME. "" takes them out of theirs.

    Runs of one project with the same name and target count as repeats of one drive.
    """
    with opened_store() as store:
        project = RunLabel.typed("", project=name).project
        labels = {run_id: store.run(run_id).label for run_id in run_ids}
        for run_id, label in labels.items():
            store.label_run(run_id, replace(label, project=project))
    which = counted(len(labels), "run")
    text = f"Project {project}: {which} added." if project else f"{which} in no project any more."
    output().print(Text(text))


def no_project(name: str, known: Sequence[str]) -> UsageError:
    """What to say where no run belongs to the project that was asked for."""
    return UsageError(
        f"No run belongs to the project {name!r}.",
        f"Projects are: {', '.join(known)}." if known else "`leadline runs project` makes one.",
    )


@runs.command()
@click.argument("run_ids", metavar="ID...", type=RUN_ID, nargs=-1, required=True)
def delete(run_ids: tuple[int, ...]) -> None:
    """Remove runs with all that was measured in them."""
    with opened_store() as store:
        for run_id in run_ids:
            store.delete_run(run_id)
            output().print(f"Deleted run {run_id}.")


@runs.command()
@click.option(
    "--search", "text", metavar="TEXT", default="", help="Those that hold it: 2013, flash, author."
)
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
def references(text: str, as_json: bool) -> None:
    """List the published tables that a run can be compared with."""
    from advisor.compare.reference import library  # noqa: PLC0415 - other commands need none
    from advisor.report.json.comparison import contender_summary  # noqa: PLC0415

    wanted = text.casefold()
    found = [
        each for each in library() if wanted in f"{each.key} {each.name} {each.source}".casefold()
    ]
    if as_json:
        content = [contender_summary(each) for each in found]
        write_json(content)
        return
    table = plain_table("name", "what", "points", "source", whole=("name",))
    for each in found:
        table.add_row(each.key, Text(each.name), str(len(each.points)), Text(each.source))
    output().print(table)
