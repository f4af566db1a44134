import pytest

from probes.boundary.malformed import Malformed
from probes.boundary.text import text


def test_text_of_the_right_length_is_taken() -> None:
    assert text("größe 🐬", "name", 7) == "größe 🐬"


@pytest.mark.parametrize("value", ["x" * 8, "\ud800", "a\udcffb", b"x", 3, None])
def test_other_text_is_refused(value: object) -> None:
    with pytest.raises(Malformed, match="name "):
        text(value, "name", 7)
