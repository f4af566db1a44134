"""The keys that may open an SSH server, in the order in which they are offered."""

from __future__ import annotations

import base64
import binascii
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

import paramiko
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

from probes.errors import AuthenticationFailed
from probes.targets.address import Prompts
from probes.targets.passwords import keyring_password
from probes.targets.ssh.config import Hop

_QUESTIONS = 3
_KINDS = (
    (Ed25519PrivateKey, paramiko.Ed25519Key),
    (EllipticCurvePrivateKey, paramiko.ECDSAKey),
    (RSAPrivateKey, paramiko.RSAKey),
)


class WrongPassphraseError(Exception):
    """The passphrase does not open the key, or one is needed and none was given."""


def offered_keys(
    hop: Hop, agent_keys: tuple[paramiko.AgentKey, ...], prompts: Prompts
) -> Iterator[tuple[str, paramiko.PKey]]:
    """What to call a key, and the key; servers hang up after some, so the likeliest come first.

    A passphrase is asked for only when all other keys were refused. A file that can't be used is
    skipped as OpenSSH does, but for the one that the target names: then AuthenticationFailed
    is raised.
    """
    files = list(dict.fromkeys((*([hop.named_key] if hop.named_key else []), *hop.key_files)))
    wanted = {public for file in files if (public := _public_blob(file))}
    likely = [key for key in agent_keys if key.asbytes() in wanted]
    others = [] if hop.only_these_keys else [key for key in agent_keys if key not in likely]
    in_agent = {key.asbytes() for key in agent_keys}
    files = [file for file in files if _public_blob(file) not in in_agent]
    first = [file for file in files if file == hop.named_key]
    locked: list[Path] = []
    yield from map(_labelled, likely)
    yield from _unlocked(first, hop, locked)
    yield from map(_labelled, others)
    yield from _unlocked([file for file in files if file not in first], hop, locked)
    for file in locked:
        key = _unlock(file, hop, prompts)
        if key is not None:
            yield f"the key {file}", key


def _labelled(key: paramiko.AgentKey) -> tuple[str, paramiko.PKey]:
    return f"a key of the SSH agent ({key.comment or key.get_name()})", key


def _unlocked(
    files: Iterable[Path], hop: Hop, locked: list[Path]
) -> Iterator[tuple[str, paramiko.PKey]]:
    """The keys that need no passphrase; the files of the others are added to ``locked``."""
    for file in files:
        try:
            yield f"the key {file}", _load(file, "")
        except WrongPassphraseError:
            locked.append(file)
        except AuthenticationFailed:
            if file == hop.named_key:
                raise


def _unlock(file: Path, hop: Hop, prompts: Prompts) -> paramiko.PKey | None:
    """The key in a file that needs a passphrase; None when the user declines."""
    account = f"ssh key {file}"
    kept = keyring_password(account)
    reason = f"The key for {hop.name} is protected by a passphrase."
    for _ in range(_QUESTIONS + (kept is not None)):
        answer, kept = (
            (kept, None) if kept is not None else (prompts.password(account, reason), None)
        )
        if answer is None:
            return None
        try:
            return _load(file, answer)
        except WrongPassphraseError:
            reason = f"This passphrase does not open {file}."
    raise AuthenticationFailed(
        f"None of the passphrases opened the key {file}.",
        "Try again, or add the key to your SSH agent: ssh-add.",
    )


def _load(file: Path, passphrase: str) -> paramiko.PKey:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise AuthenticationFailed(
            f"The key file {file} can't be read: {error.strerror}.",
            "Name an existing private key, in the target's settings or in ~/.ssh/config.",
        ) from error
    private = _decode(file, data, passphrase.encode() or None)
    for private_kind, kind in _KINDS:
        if isinstance(private, private_kind):
            text = private.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.OpenSSH,
                serialization.NoEncryption(),
            )
            key = kind.from_private_key(io.StringIO(text.decode("ascii")))
            certificate = file.with_name(f"{file.name}-cert.pub")
            if certificate.is_file():
                key.load_certificate(str(certificate))
            return key
    raise _unusable(file)


def _decode(file: Path, data: bytes, passphrase: bytes | None) -> PrivateKeyTypes:
    """Read every format that OpenSSH ever wrote; raises WrongPassphraseError."""
    is_openssh = b"BEGIN OPENSSH PRIVATE KEY" in data
    load = serialization.load_ssh_private_key if is_openssh else serialization.load_pem_private_key
    try:
        return load(data, passphrase)
    except TypeError as error:
        if passphrase is None:
            raise WrongPassphraseError from error
        # A passphrase for a key that has none.
        return load(data, None)
    except ValueError as error:
        if passphrase is not None:
            raise WrongPassphraseError from error
        raise _unusable(file) from error
    except UnsupportedAlgorithm as error:
        raise _unusable(file) from error


def _unusable(file: Path) -> AuthenticationFailed:
    return AuthenticationFailed(
        f"{file} is no private key that Leadline can read.",
        "Ed25519, ECDSA and RSA keys work; keys in hardware work through the SSH agent.",
    )


def _public_blob(file: Path) -> bytes:
    """The public half, from the file beside the private one; b"" when there is none."""
    try:
        words = file.with_name(f"{file.name}.pub").read_bytes().split()
        return base64.b64decode(words[1])
    except (OSError, IndexError, binascii.Error):
        return b""
