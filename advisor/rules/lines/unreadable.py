"""Option files that end the server's start.

## What it checks
Whether the server's next start gets through its option files: before it takes a single option, it
reads all of them, and a line that it can't make out there is the end.

## Why it matters
One line above the first group, or an `!includedir` of a folder that was removed, keeps the server
down after its next restart, on MySQL and MariaDB alike. The running server says nothing of it.

## How it is judged
- An option stands before any group, or a byte order mark does: the start ends there.
- A group has no closing bracket; an `!include` or `!includedir` names nothing; an `!includedir`
  names what is no folder; the command line names a file that is not there: the start ends there.
- All of these: a correction by hand is proposed. The running server did not read it so at its
  start: the confidence shows whether the file was written to since.
- An `!include` of a file that is not there ends no start, nor does a file that everybody may write
  to: servers skip both.
- A file that could not be read, or not to its end: not judged. All read: fine.

## How to check by hand
`mysqld --validate-config` (MySQL 8.0 and newer) or `mariadbd --verbose --help`, by the account that
the server runs as. `mysqld --print-defaults` shows what is read.

## Risk and undo
None on the running server: it reads its option files at a start alone. Put the line back to undo
it.

## When it is wrong
When the server is started with other files than now, as by a unit that was changed since.

## References
- MySQL reference manual, "Using Option Files"
- MariaDB documentation, "Configuring MariaDB with Option Files"
"""

from __future__ import annotations

from advisor.facts.server.option_files import MYSQL_OPTION_FILES, FileEnd
from advisor.outcomes import Knowledge
from advisor.rulekit import Answer, Facts, Stakes, rule
from advisor.rules.lines._by_hand import AT_A_START, NO_RESTART, certainty, corrections, not_read
from advisor.upgrade.refused_values import end_sentence
from probes import figures
from probes.inventory.option_files import Ending

_WORK = {
    Ending.BYTE_ORDER_MARK: "Save {file} without a byte order mark",
    Ending.NO_GROUP: "In {file}, line {line}, move the line below its group, or take it out",
    Ending.OPEN_GROUP: "In {file}, line {line}, close the group with ]",
    Ending.NO_PATH: "In {file}, line {line}, name what is to be included, or take the line out",
    Ending.NO_FOLDER: "Make the folder that {file}, line {line}, includes, or take the line out",
    Ending.NO_FILE: "Write {file}, or take it out of the server's command line",
}


@rule(
    topic="Option file",
    needs=(MYSQL_OPTION_FILES,),
    stakes=Stakes.DATA,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Say at which line a start ends."""
    files = facts.get(MYSQL_OPTION_FILES)
    card = facts.card(
        "A start reads the option files to their end "
        f"({figures.counted(len(files.files), 'file')}).",
        formula=f"{figures.counted(len(files.ends), 'end')} of a start in "
        f"{figures.counted(len(files.files) + len(files.ends), 'file')}",
        flips_when="a line stands before any group, or a folder that is included is removed",
    )
    if files.ends:
        confidence, because = certainty(edited=all(end.edited for end in files.ends))
        return card.recommend(
            corrections("files that are read to their end", [_work(end) for end in files.ends]),
            saw=" ".join(map(end_sentence, files.ends)),
            effect="Corrected, the files are read to their end.",
            confidence=confidence,
            because=because,
            risk=AT_A_START,
            flips_when="the line is corrected, or the server is started with other files",
            cost_of_error=NO_RESTART,
        )
    return not_read(files) or card.fine()


def _work(end: FileEnd) -> str:
    return _WORK[end.why].format(file=end.file, line=end.line)
