import json

import pytest

from probes.boundary.json_text import DEEPEST, decode, decode_object
from probes.boundary.malformed import Malformed

_MOST = 1 << 20


def test_json_is_decoded() -> None:
    document = {"a": [1, -2.5e3, None, True], "b": {"c": 'größe \\ " [ { 🐬'}}
    for ascii_only in (True, False):
        said = json.dumps(document, ensure_ascii=ascii_only)
        assert decode(said, _MOST) == document
        assert decode(said.encode(), _MOST) == document


def test_many_values_side_by_side_are_not_deep() -> None:
    rows = [{"row": ["[[[{{{"] * 3} for _ in range(1000)]
    assert decode(json.dumps(rows), _MOST) == rows


@pytest.mark.parametrize("depth", [DEEPEST + 1, 900, 1_100, 200_000])
@pytest.mark.parametrize(
    ("opening", "closing"), [("[", "]"), ('{"a":', "}"), ('[{"x":1,"a":', "}]")]
)
def test_nesting_is_refused_before_it_is_followed(depth: int, opening: str, closing: str) -> None:
    for said in (opening * depth + "1" + closing * depth, opening * depth):
        with pytest.raises(Malformed, match="nested"):
            decode(said, 10 * _MOST)


def test_nesting_up_to_the_limit_is_taken() -> None:
    said = "[" * DEEPEST + '"]]]"' + "]" * DEEPEST
    assert json.dumps(decode(said + " ", _MOST)) == said


@pytest.mark.parametrize(
    "said",
    [
        "1e400",
        "[-1e999]",
        "NaN",
        '{"a": Infinity}',
        "1" * 30,
        "9" * 5000,
        '"\\ud800"',
        '{"\\udfff": 1}',
        '"\ud800"',
        "",
        "{",
        "nonsense",
        '{"a": 1} {"b": 2}',
        '["' + '\\"' * 50_000,
        "[" * 40 + '"' + "\\",
    ],
)
def test_what_is_no_sound_json_is_refused(said: str) -> None:
    with pytest.raises(Malformed):
        decode(said, _MOST)


@pytest.mark.parametrize(
    "document", [b'"\xff"', b'"\xed\xa0\x80"', '{"a":1}'.encode("utf-16"), b"\x00\x00", b"[1,2\xc3"]
)
def test_bytes_must_be_utf8(document: bytes) -> None:
    with pytest.raises(Malformed):
        decode(document, _MOST)


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert decode(b'"\\ud83d\\udc2c"', _MOST) == "🐬"


def test_size_is_looked_at_first() -> None:
    with pytest.raises(Malformed, match="more than 10"):
        decode(b"[" * 11, 10)


@pytest.mark.parametrize("said", ["[]", "3", "null", '"text"'])
def test_an_object_is_asked_for(said: str) -> None:
    with pytest.raises(Malformed, match="object"):
        decode_object(said, _MOST)
    assert decode_object('{"a": 1}', _MOST) == {"a": 1}
