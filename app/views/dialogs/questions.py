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

_HALF = 48
"""Sixteen bytes of a fingerprint, with their colons."""


class QuestionDialog(QDialog):
    """An icon beside a sentence, room for more, and two buttons."""

    def __init__(
        self, appearance: Appearance, parent: QWidget, *, icon: str, title: str, sentence: str
    ) -> None:
        super().__init__(parent)
        appearance.dress(self)
        self.setWindowTitle(title)
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
            title=tr("Password for {account}", account=question.account),
            sentence=question.sentence,
        )
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setAccessibleName(tr("Password"))
        self.inner.addWidget(self.field)
        self.inner.addWidget(
            label(tr("Kept in memory until Leadline ends, and nowhere else."), "small")
        )
        self.finish(tr("Connect"), tr("Cancel"), yes_is_default=True)
        self.field.setFocus()


class _Fingerprint(QuestionDialog):
    """Shows what proves who a server is; "no" is the default answer."""

    def __init__(
        self,
        appearance: Appearance,
        parent: QWidget,
        *,
        title: str,
        sentence: str,
        kind: str,
        fingerprint: str,
    ) -> None:
        super().__init__(appearance, parent, icon="shield-alert", title=title, sentence=sentence)
        frame = QFrame()
        frame.setProperty("role", "panel")
        inside = QVBoxLayout(frame)
        inside.addWidget(label(kind, "small"))
        inside.addWidget(label(fingerprint, "fixed", wrap=True, select=True))
        self.inner.addWidget(frame)
        self.finish(tr("Trust and connect"), tr("Don't connect"), yes_is_default=False)
        self.no.setFocus()


class HostKeyDialog(_Fingerprint):
    """Shows an unknown host's key."""

    def __init__(self, appearance: Appearance, question: HostKeyQuestion, parent: QWidget) -> None:
        super().__init__(
            appearance,
            parent,
            title=tr("{host} is not known yet", host=question.host),
            sentence=tr(
                "Nobody has confirmed this host's key on this computer. Compare the "
                "fingerprint with one from somebody who knows the host."
            ),
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
            title=tr("The MySQL server {server} is not known yet", server=question.server),
            sentence=tr(
                "Nobody has confirmed its certificate on this computer. Compare the "
                "fingerprint with the server's own: openssl x509 -noout -sha256 -fingerprint "
                "-in server-cert.pem."
            ),
            kind=tr("SHA-256 of the certificate"),
            # Two lines, as the dialog is too narrow for one.
            fingerprint=f"{question.fingerprint[:_HALF]}\n{question.fingerprint[_HALF:]}",
        )
