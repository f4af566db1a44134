"""What a connection leaves behind that never came to be."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.mysql.login import ResolvedLogin
from probes.mysql.transport.dial import FAULTS, Way, dial
from probes.targets.address import TlsMode
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent


@pytest.mark.parametrize("authority", ["", "no certificate"])
def test_what_was_opened_is_closed_where_no_login_comes_of_it(
    tmp_path: Path, authority: str
) -> None:
    path = str(tmp_path / "mysqld.sock")
    tls = TlsMode.VERIFY_CA if authority else TlsMode.DISABLED
    login = ResolvedLogin(socket=path, tls=tls, tls_ca_pem=authority)
    with closing(LocalTarget()) as here, socket.socket(socket.AF_UNIX) as server:
        server.bind(path)
        server.listen()
        way = Way(here, Silent(), CancelToken(), 0.01)
        # What was raised keeps all that its frames hold, the connection among it.
        with pytest.raises((UsageError, *FAULTS)) as _raised:
            dial(login, way)
        accepted, _ = server.accept()
        with accepted:
            accepted.setblocking(False)
            assert accepted.recv(1) == b""
