"""What the system asks to open reaches the window, also while its pages are made."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import ROOT

CHILD = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication, QEvent, QUrl
from PySide6.QtGui import QFileOpenEvent
from app.window.application import make_application

application = make_application(["leadline"])
application.opened.connect(lambda files: print(files))
for event in (QFileOpenEvent(sys.argv[1]), QEvent(QEvent.Type.User)):
    QCoreApplication.sendEvent(application, event)
"""


def test_a_file_that_the_finder_opens_is_told(tmp_path: Path) -> None:
    case = tmp_path / "db7.leadline"
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(case)],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "LEADLINE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str([case])
