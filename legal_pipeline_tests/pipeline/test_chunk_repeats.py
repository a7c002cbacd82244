"""Near duplicates that are kept: after any changes they are those of a fresh comparison."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping

import pytest

from legal_pipeline.corpus_assets import chunk_repeats
from legal_pipeline.model.identity import sha256_hex
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.registry import RegisteredItem, Registry

WORDS = "lamp keeper shall light the tower at dusk and put it out at dawn every day of each month unless fog stays"

Texts = dict[str, list[str]]


class Corpus:
    """Documents with chunks of given texts; counts the documents that are read."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.texts: Texts = {}
        self.read: set[str] = set()

    def put(self, document_id: str, *texts: str) -> None:
        Registry(self.database).register(RegisteredItem("directory", f"/{document_id}.txt", document_id, sha256="1"))
        self.texts[document_id] = list(texts)

    def rows(self, document_id: str) -> Iterator[Mapping[str, str]]:
        self.read.add(document_id)
        for number, text in enumerate(self.texts[document_id]):
            yield {"chunk_id": f"{document_id}-{number}", "chunk_text": text}

    def refresh(self) -> dict[str, str]:
        """Bring the repeats up to date; return all of them."""
        self.read.clear()
        ids = sorted(self.texts)
        made_from = {name: sha256_hex("|".join(self.texts[name])) for name in ids}
        chunk_repeats.refresh(self.database, made_from, self.rows)
        return chunk_repeats.repeats(self.database, ids)

    def anew(self) -> dict[str, str]:
        """Return the repeats of a comparison of everything, which replaces those that were kept."""
        with self.database.connection() as connection:
            connection.execute("truncate chunk_sketches cascade")
        return self.refresh()


@pytest.fixture
def corpus(database: Database) -> Corpus:
    return Corpus(database)


def text_of(chance: random.Random) -> str:
    """One of a few texts, perhaps with another word in one or two places: near duplicates, and texts that are just not."""
    words = WORDS.split() * 3
    words[0] = chance.choice("abc")
    for _ in range(chance.randrange(3)):
        words[chance.randrange(1, len(words))] = chance.choice("xyz")
    return " ".join(words)


@pytest.mark.parametrize("seed", range(4))
def test_after_documents_came_changed_and_went_the_repeats_are_those_of_a_fresh_comparison(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    chance = random.Random(seed)
    for number in range(0, 40, 2):
        corpus.put(f"act-{number:02}", *(text_of(chance) for _ in range(chance.randrange(1, 4))))
    corpus.refresh()
    for _ in range(4):
        kept = list(corpus.texts)
        del corpus.texts[chance.choice(kept)]  # also the first, which many repeat
        with corpus.database.connection() as connection:  # erased
            erased = chance.choice(list(corpus.texts))
            del corpus.texts[erased]
            connection.execute("delete from source_items where document_id = %s", (erased,))
            connection.execute("delete from source_documents where document_id = %s", (erased,))
        corpus.texts[chance.choice(list(corpus.texts))][:] = [text_of(chance), text_of(chance)]
        corpus.put(f"act-{chance.randrange(40):02}", text_of(chance))
        with monkeypatch.context() as patched:
            patched.setattr(chunk_repeats, "_MANY", 2.0)  # never all at once
            found = corpus.refresh()
        assert found
        assert found == corpus.anew()


def test_a_changed_document_costs_the_reading_of_what_is_like_it(corpus: Corpus) -> None:
    for number in range(40):
        corpus.put(f"act-{number:02}", " ".join(f"word{number}x{place}" for place in range(30)))
    copy = f"{WORDS} {WORDS}"
    corpus.put("act-90", copy)
    assert corpus.refresh() == {}
    corpus.put("act-10", f"{copy} always", "Something else is said here.")
    assert corpus.refresh() == {"act-90-0": "act-10-0"}
    assert corpus.read == {"act-10", "act-90"}
    assert corpus.refresh() == {"act-90-0": "act-10-0"}
    assert corpus.read == set()
    assert chunk_repeats.states(corpus.database).keys() == {"act-90"}
