"""Making sure that an SSH server is the one that the user means."""

from __future__ import annotations

from collections.abc import Sequence

import paramiko

from probes.errors import HostKeyRejected
from probes.targets.address import Prompts
from probes.targets.ssh.config import Hop
from probes.targets.ssh.known_hosts import KnownKey, fingerprint, known_keys, remember


def preferred_key_types(hop: Hop, supported: Sequence[str]) -> tuple[str, ...]:
    """``supported`` with the types first of which a key is known: servers have several keys."""
    known = {key.key_type for key in _known(hop) if not key.revoked}
    if "ssh-rsa" in known:
        known |= {"rsa-sha2-256", "rsa-sha2-512"}
    return tuple(sorted(supported, key=lambda kind: kind not in known))


def check_host_key(transport: paramiko.Transport, hop: Hop, prompts: Prompts) -> None:
    """Accept a known key, ask about an unknown one, refuse a changed one.

    Raises HostKeyRejected.
    """
    shown = transport.get_remote_server_key()
    blob = shown.asbytes()
    known = _known(hop)
    revoked = [key for key in known if key.revoked and key.blob == blob]
    if revoked:
        raise HostKeyRejected(
            f"The host key of {hop.name} ({fingerprint(blob)}) has been revoked.",
            f"Do not trust this server: see {revoked[0].place}.",
        )
    valid = [key for key in known if not key.revoked]
    if any(key.blob == blob for key in valid):
        return
    if valid:
        raise _changed(hop, blob, _nearest(valid, shown.get_name()))
    _ask(hop, shown.get_name(), blob, prompts)


def _ask(hop: Hop, key_type: str, blob: bytes, prompts: Prompts) -> None:
    shown = fingerprint(blob)
    if hop.refuse_unknown:
        raise HostKeyRejected(
            f"The host key of {hop.name} is unknown ({shown}), and StrictHostKeyChecking is on.",
            f"Connect once with 'ssh {hop.alias}', or add the key to {hop.known_hosts[0]}."
            if hop.known_hosts
            else "Name a file by UserKnownHostsFile in ~/.ssh/config.",
        )
    if not prompts.accept_host_key(hop.known_as, key_type, shown):
        raise HostKeyRejected(
            f"The host key of {hop.name} is unknown ({shown}) and was not accepted.",
            "Compare the fingerprint with what the server's owner says, then accept it.",
        )
    if hop.known_hosts:
        remember(hop.known_as, key_type, blob, hop.known_hosts[0], hashed=hop.hash_known_hosts)


def _changed(hop: Hop, blob: bytes, expected: KnownKey) -> HostKeyRejected:
    return HostKeyRejected(
        f"The host key of {hop.name} has changed: it shows {fingerprint(blob)}, "
        f"but {expected.fingerprint} is known. Somebody may be listening in.",
        "If you know that the server was set up again, remove the old key "
        f"({expected.place}: ssh-keygen -R '{hop.known_as}') and connect again.",
    )


def _nearest(keys: Sequence[KnownKey], key_type: str) -> KnownKey:
    return min(keys, key=lambda key: key.key_type != key_type)


def _known(hop: Hop) -> list[KnownKey]:
    return known_keys(hop.known_as, (*hop.known_hosts, *hop.system_known_hosts))
