"""A front with nobody at it."""

from __future__ import annotations


class Silent:
    """Declines every question."""

    def password(self, account: str, sentence: str) -> str | None:
        """Know none."""
        return None

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Trust none."""
        return False

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """Trust none."""
        return False
