"""The form in which `tokenizers` reads replacements of characters: what is replaced, and that nothing else is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import normalizers

from legal_pipeline.embedding.character_map import precompiled_map

CHARACTERS = st.characters(exclude_characters="\0", exclude_categories=("Cs", "Mn", "Mc", "Me"))


def replaced(replacements: dict[str, str], text: str) -> str:
    return normalizers.Precompiled(precompiled_map(replacements)).normalize_str(text)


def test_characters_of_every_length_are_replaced_and_removed() -> None:
    replacements = {"\t": " ", "²": "2", "…": "...", "𝐀": "A", "\u200b": ""}
    assert replaced(replacements, "m²\t𝐀\u200bB… ³") == "m2 AB... ³"


@given(st.dictionaries(CHARACTERS, st.text(CHARACTERS, max_size=3), min_size=1, max_size=40), st.text(CHARACTERS))
def test_each_key_is_replaced_by_its_value_and_other_characters_stay(replacements: dict[str, str], text: str) -> None:
    spaced = " ".join([*replacements, *text])  # a character by itself, not one with marks
    expected = "".join(replacements.get(character, character) for character in spaced)
    assert replaced(replacements, spaced) == expected


@pytest.mark.parametrize("keys", [("a", "ab"), ("a\0",)])
def test_keys_that_the_form_cannot_hold_are_refused(keys: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="key"):
        precompiled_map(dict.fromkeys(keys, "x"))
