"""Proving to an SSH server who the user is, in as few questions as possible."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import paramiko
from paramiko.auth_handler import AuthHandler
from paramiko.ssh_exception import AuthenticationException, BadAuthenticationType, SSHException

from probes.boundary.malformed import shown
from probes.cancel import CancelToken
from probes.errors import AuthenticationFailed
from probes.targets.address import Prompts
from probes.targets.passwords import keyring_password
from probes.targets.ssh.config import Hop
from probes.targets.ssh.keys import offered_keys

_QUESTIONS = 3
_STEP_S = 0.05
_MOST_LETTERS, _MOST_METHODS = 600, 10
"""Of a question of the server's, and of the ways to prove an account that are named."""


def log_in(transport: paramiko.Transport, hop: Hop, prompts: Prompts, token: CancelToken) -> None:
    """Authenticate with agent, key files, and last with what the user types.

    Raises AuthenticationFailed, which lists what was tried, and Cancelled.
    """
    with _agent_keys() as keys:
        _Login(transport, hop, prompts, token, keys).run()


@contextmanager
def _agent_keys() -> Iterator[tuple[paramiko.AgentKey, ...]]:
    try:
        agent = paramiko.Agent()
    except (SSHException, OSError):
        # An agent that does not answer is as good as none, and so is one that can't be looked for.
        yield ()
        return
    try:
        yield agent.get_keys()
    finally:
        agent.close()


class _Login:
    """One attempt; servers may want several proofs, one after the other."""

    def __init__(
        self,
        transport: paramiko.Transport,
        hop: Hop,
        prompts: Prompts,
        token: CancelToken,
        agent_keys: tuple[paramiko.AgentKey, ...],
    ) -> None:
        self._transport = transport
        self._hop = hop
        self._prompts = prompts
        self._token = token
        self._keys = offered_keys(hop, agent_keys, prompts)
        self._account = f"ssh {hop.name.removesuffix(':22')}"
        self._keyring_asked = False
        self._tried: list[str] = []
        self._typed: Iterator[str] = self._passwords()
        self._questions_left = _QUESTIONS
        self._declined = False

    def run(self) -> None:
        """Go on until the server is content; raises AuthenticationFailed and Cancelled."""
        allowed = self._what_is_allowed()
        while not self._transport.is_authenticated():
            wanted = self._prove(allowed)
            if wanted is None:
                raise self._failure(allowed)
            allowed = wanted

    def _what_is_allowed(self) -> list[str]:
        try:
            return self._transport.auth_none(self._hop.user)
        except BadAuthenticationType as error:
            return list(error.allowed_types)
        except (SSHException, EOFError) as error:
            self._token.check()
            raise self._failure([]) from error

    def _prove(self, allowed: list[str]) -> list[str] | None:
        """What the server wants after it took one proof; None when it refused all."""
        if "publickey" in allowed:
            for label, key in self._keys:
                wanted = self._try(label, partial(self._offer, key))
                if wanted is not None:
                    return wanted
        if "keyboard-interactive" in allowed:
            while self._questions_left > 0:
                before = self._questions_left
                wanted = self._try("answers to the server's questions", self._interview)
                if wanted is not None:
                    return wanted
                if self._questions_left == before:
                    break
        if "password" in allowed:
            for password in self._typed:
                wanted = self._try("a password", partial(self._give, password))
                if wanted is not None:
                    return wanted
        return None

    def _try(self, label: str, attempt: Callable[[], list[str]]) -> list[str] | None:
        """None when the server refused; raises AuthenticationFailed when it hung up."""
        self._token.check()
        if label not in self._tried:
            self._tried.append(label)
        try:
            return attempt()
        except (SSHException, EOFError, OSError) as error:
            self._token.check()
            if not isinstance(error, AuthenticationException) or not self._transport.is_active():
                raise self._failure([]) from error
            return None

    def _offer(self, key: paramiko.PKey) -> list[str]:
        return self._transport.auth_publickey(self._hop.user, key)

    def _give(self, password: str) -> list[str]:
        # Whether keyboard-interactive is tried instead was settled before.
        return self._transport.auth_password(self._hop.user, password, fallback=False)

    def _passwords(self) -> Iterator[str]:
        kept = self._kept_password()
        if kept is not None:
            yield kept
        reason = f"{self._hop.name} asks for a password."
        while self._questions_left > 0 and not self._declined:
            self._questions_left -= 1
            answer = self._prompts.password(self._account, reason)
            if answer is None:
                return
            yield answer
            reason = f"{self._hop.name} refused this password."

    def _interview(self) -> list[str]:
        """Answer what the server asks; the questions arrive in paramiko's thread."""
        questions: queue.SimpleQueue[list[tuple[str, bool]]] = queue.SimpleQueue()
        answers: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

        def pass_on(_title: str, _text: str, asked: list[tuple[str, bool]]) -> list[str]:
            questions.put(asked)
            return answers.get()

        done = threading.Event()
        handler = AuthHandler(self._transport)
        self._transport.auth_handler = handler
        handler.auth_interactive(self._hop.user, pass_on, done)
        try:
            while not done.wait(_STEP_S) and self._transport.is_active():
                self._token.check()
                with suppress(queue.Empty):
                    answers.put([self._answer(text) for text, _ in questions.get_nowait()])
        finally:
            # Whatever ended the waiting: paramiko's thread must not wait on.
            answers.put([])
        return list(handler.wait_for_response(done))

    def _answer(self, question: str) -> str:
        if self._declined:
            return ""
        self._questions_left -= 1
        if "password" in question.lower() and (kept := self._kept_password()) is not None:
            return kept
        reason = f"{self._hop.name} asks: {shown(' '.join(question.split()), _MOST_LETTERS)}"
        answer = self._prompts.password(self._account, reason)
        if answer is None:
            self._declined = True
            self._questions_left = 0
        return answer or ""

    def _kept_password(self) -> str | None:
        """The keyring's password, once: a refused one is not offered again."""
        if self._keyring_asked:
            return None
        self._keyring_asked = True
        return keyring_password(self._account)

    def _failure(self, allowed: list[str]) -> AuthenticationFailed:
        tried = ", ".join(self._tried) or "nothing, as there was nothing to offer"
        advice = "Check the user name, and which key or password belongs to it."
        if not self._transport.is_active():
            advice = (
                "The server hung up, maybe after too many keys: name the right one by "
                "IdentityFile with IdentitiesOnly yes in ~/.ssh/config."
            )
        elif allowed:
            named = [shown(each) for each in allowed[:_MOST_METHODS]]
            more = len(allowed) - len(named)
            rest = f" and {more} more" if more else ""
            advice = f"The server takes {', '.join(named)}{rest}. {advice}"
        return AuthenticationFailed(f"{self._hop.name} let nobody in; tried: {tried}.", advice)
