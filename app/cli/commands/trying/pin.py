"""``leadline pin``: values that are kept as they are, and never advised against."""

from __future__ import annotations

import click
from rich.table import Table

from advisor.trial.pins import typed_pin
from app.cli.opening import opened_store
from app.cli.shown.terminal import output
from app.fields.named_target import named
from probes.errors import UsageError


@click.command()
@click.argument("target")
@click.argument("setting", default="")
@click.option("--because", metavar="TEXT", default="", help="Why it is kept as it is.")
@click.option("--until", metavar="DAY", default="", help="Until when, as 2027-03 or 2027-03-31.")
@click.option("--remove", is_flag=True, help="Forget the pin: it may be advised against again.")
def pin(*, target: str, setting: str, because: str, until: str, remove: bool) -> None:
    """Keep SETTING of TARGET as it is: no advice changes it until that day.

    Without SETTING, what is kept is listed. Advice that a pin holds back is named with its reason
    among what is not about the server.
    """
    with opened_store() as store:
        name = named(store, target).name
        if remove:
            if setting not in {each.setting for each in store.pins(name)}:
                raise UsageError(f"{setting or 'Nothing'} is pinned on {name} under that name.")
            store.remove_pin(name, setting)
        elif setting:
            store.keep_pin(name, typed_pin(setting, because, until))
        pins = store.pins(name)
    if not pins:
        output().print(f"Nothing is pinned on {name}.", soft_wrap=True)
        return
    table = Table("setting", "until", "because", box=None, pad_edge=False)
    for each in pins:
        table.add_row(each.setting, each.until, each.because)
    output().print(table)
