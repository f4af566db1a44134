"""Questions that a job asks: a password, or whether to trust a host or a server."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.runtime.questions import CertificateQuestion, HostKeyQuestion, PasswordQuestion
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.buttons import Button
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import row

WIDTH = 460

_MOST = 48
"""Letters of a fingerprint in one line."""


class QuestionDialog(QDialog):
    """An icon beside a sentence, room for more, and two buttons."""

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        *,
        icon: str,
        called: str,
        title: str,
        sentence: str,
    ) -> None:
        """``called`` is the window's own title, a word or two; ``title`` is what it asks."""
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(called)
        self.setFixedWidth(WIDTH)
        self.inner = QVBoxLayout()
        self.inner.setSpacing(tokens.SPACE_M)
        self.inner.addWidget(label(title, "sentence", wrap=True))
        if sentence:
            self.inner.addWidget(label(sentence, wrap=True, select=True))
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(*(tokens.SPACE_XL,) * 4)
        self._layout.setSpacing(tokens.SPACE_L)
        picture = IconLabel(appearance, icon, "accent", 24)
        self._layout.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        self._layout.addLayout(self.inner, 1)
        self._appearance = appearance

    def finish(self, yes: str, no: str, *, yes_is_default: bool) -> None:
        """Add the buttons below everything else."""
        self.no = Button(self._appearance, no)
        self.no.clicked.connect(self.reject)
        self.yes = Button(self._appearance, yes, "", "primary" if yes_is_default else "")
        self.yes.clicked.connect(self.accept)
        (self.yes if yes_is_default else self.no).setDefault(True)
        self.inner.addSpacing(tokens.SPACE_S)
        self.inner.addLayout(row(None, self.no, self.yes))


class PasswordDialog(QuestionDialog):
    """Asks for a password."""

    def __init__(self, appearance: Appearance, question: PasswordQuestion, parent: QWidget) -> None:
        super().__init__(
            appearance,
            parent,
            icon="key-round",
            called=tr("Password"),
            title=tr("Password for {account}", account=question.account),
            sentence=question.sentence,
        )
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Password"))
        self.inner.addWidget(self.field)
        kept = label(tr("Never stored."), "small")
        kept.setToolTip(tr("Kept in memory until Leadline ends."))
        self.inner.addWidget(kept)
        self.finish(tr("Connect"), tr("Cancel"), yes_is_default=True)
        self.field.setFocus()


class _Fingerprint(QuestionDialog):
    """Shows what proves who a server is; "no" is the default answer."""

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        *,
        called: str,
        title: str,
        sentence: str,
        kind: str,
        fingerprint: str,
        shown_by: str = "",
    ) -> None:
        """``shown_by`` is the command that shows it where the server runs."""
        super().__init__(
            appearance, parent, icon="shield-alert", called=called, title=title, sentence=sentence
        )
        frame = QFrame()
        frame.setProperty("role", "panel")
        inside = QVBoxLayout(frame)
        inside.addWidget(label(kind, "small"))
        # Two lines where the dialog is too narrow for one: nothing of it may be cut off.
        half = len(fingerprint) // 2 + 1
        lines = (
            f"{fingerprint[:half]}\n{fingerprint[half:]}"
            if len(fingerprint) > _MOST
            else fingerprint
        )
        inside.addWidget(label(lines, "fixed", wrap=True, select=True))
        self.inner.addWidget(frame)
        if shown_by:
            self.inner.addWidget(label(tr("On the server:"), "small"))
            self.inner.addWidget(label(shown_by, "fixed", wrap=True, select=True))
        self.finish(tr("Trust and connect"), tr("Don't connect"), yes_is_default=False)
        self.no.setFocus()


class HostKeyDialog(_Fingerprint):
    """Shows an unknown host's key."""

    def __init__(self, appearance: Appearance, question: HostKeyQuestion, parent: QWidget) -> None:
        super().__init__(
            appearance,
            parent,
            called=tr("Unknown host"),
            title=tr("Trust {host}?", host=question.host),
            sentence=tr("Its key is new here: compare the fingerprint with the host's own."),
            kind=question.key_type,
            fingerprint=question.fingerprint,
        )


class CertificateDialog(_Fingerprint):
    """Shows the certificate of a MySQL server that nobody vouches for yet."""

    def __init__(
        self, appearance: Appearance, question: CertificateQuestion, parent: QWidget
    ) -> None:
        super().__init__(
            appearance,
            parent,
            called=tr("Unknown server"),
            title=tr("Trust MySQL at {server}?", server=question.server),
            sentence=tr("Its certificate is new here: compare with the server's own."),
            kind="SHA-256",
            fingerprint=question.fingerprint,
            shown_by="openssl x509 -noout -sha256 -fingerprint -in server-cert.pem",
        )
