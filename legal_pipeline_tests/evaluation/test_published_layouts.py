"""Published sets that are not in the corpus: small files of our own in the form that each is published in."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from legal_pipeline.chunking.cut import chunk
from legal_pipeline.embedding.encoder import encoders
from legal_pipeline.embedding.model_table import ModelTable
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.dataset import Dataset
from legal_pipeline.evaluation.datasets import read_dataset
from legal_pipeline.evaluation.names import DatasetName


def answered(made: Dataset) -> dict[str, list[str]]:
    """Text of a query -> the texts that answer it."""
    texts = {one.document_id: one.text for one in made.documents}
    return {query.text: [texts[answer.document_id] for answer in query.answers] for query in made.queries}


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")


def mleb(folder: Path) -> Path:
    lines(
        folder / "corpus.jsonl",
        [
            {"_id": "a", "title": "Keeper Act", "text": "A keeper shall light the lamp before dusk."},
            {"_id": "b", "title": "", "text": "A pilot shall bring the ship into the harbour."},
        ],
    )
    lines(
        folder / "queries.jsonl", [{"_id": "1", "text": "When does the lamp burn?"}, {"_id": "2", "text": "Unjudged"}]
    )
    lines(folder / "default.jsonl", [{"query-id": "1", "corpus-id": "a", "score": 1.0}])
    return folder


def mupler(folder: Path) -> Path:
    tables = {
        "sv-corpus": [{"_id": "7", "title": "", "text": "Kommissionen ska underrätta medlemsstaten utan dröjsmål."}],
        "sv-queries": [{"_id": "q7", "text": "Hur snabbt får landet besked?"}],
        "sv-qrels": [{"query-id": "q7", "corpus-id": "7", "score": 1}],
        "fi-corpus": [
            {"_id": "7", "title": "", "text": "Komission on ilmoitettava asiasta jäsenvaltiolle viipymättä."}
        ],
    }
    for name, rows in tables.items():
        (folder / name).mkdir(parents=True)
        pq.write_table(pa.Table.from_pylist(rows), folder / name / "test-00000-of-00001.parquet")
    return folder / "sv"


def swefaq(folder: Path) -> Path:
    both = ["Ansökan ska ha kommit in senast den sista maj.", "Ersättningen betalas ut den tjugofemte varje månad."]
    lines(
        folder / "swefaq_test.jsonl",
        [
            {"category_id": 3, "question": "När kommer pengarna?", "candidate_answers": both, "label": 1, "meta": {}},
            {"category_id": 3, "question": "När måste jag söka?", "candidate_answers": both, "label": 0, "meta": {}},
        ],
    )
    return folder


def legalquad(folder: Path) -> Path:
    context = "Die Revision der Klägerin wird zurückgewiesen. Sie hat die Kosten zu tragen."
    asked = {"question": "Wer zahlt?", "id": 5, "answers": [{"text": "Sie hat die Kosten", "answer_start": 47}]}
    content = {"data": [{"paragraphs": [{"qas": [asked], "context": context, "document_id": 9}]}]}
    (folder / "LegalQuAD.json").write_text(json.dumps(content, ensure_ascii=False), "utf-8")
    return folder


def bsard(folder: Path) -> Path:
    articles = [
        {"id": "11", "reference": "Art. 3, Code du phare", "article": "Le gardien allume la lampe.", "law_type": "national"},
        {"id": "12", "reference": "Art. 4, Code du phare", "article": "La lampe brûle,\njusqu'à l'aube.", "law_type": "national"},
    ]  # fmt: skip
    questions = [
        {"id": "1", "category": "Mer", "question": "Qui allume ?", "extra_description": "", "article_ids": "11"},
        {"id": "2", "category": "Mer", "question": "Jusqu'à quand ?", "extra_description": "", "article_ids": "11,12"},
    ]
    for name, rows in (("articles.csv", articles), ("questions_test.csv", questions)):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    return folder


def stard(folder: Path) -> Path:
    lines(
        folder / "data" / "corpus.jsonl",
        [
            {"id": 705, "name": "灯塔法第三条", "content": "守灯人应当在日落前点灯。\n"},
            {"id": 706, "name": "灯塔法第四条", "content": "任何人不得熄灭灯塔。\n"},
        ],
    )
    asked = [{"query_id": 0, "问题": "谁应该点灯？", "match_id": [705], "match_name": ["灯塔法第三条"]}]
    (folder / "data" / "queries.json").write_text(json.dumps(asked, ensure_ascii=False), "utf-8")
    return folder


MAKERS = {one.__name__: one for one in (mleb, mupler, swefaq, legalquad, bsard, stard)}


@pytest.mark.parametrize(
    ("name", "language", "documents", "query", "answers"),
    [
        ("mleb", "eng", 2, "When does the lamp burn?", ["A keeper shall light the lamp before dusk."]),
        ("mupler", "swe", 1, "Hur snabbt får landet besked?", ["Kommissionen ska underrätta medlemsstaten utan dröjsmål."]),
        ("swefaq", "swe", 2, "När kommer pengarna?", ["Ersättningen betalas ut den tjugofemte varje månad."]),
        ("legalquad", "deu", 1, "Wer zahlt?", ["Die Revision der Klägerin wird zurückgewiesen."]),
        ("bsard", "fra", 2, "Jusqu'à quand ?", ["Le gardien allume la lampe.", "La lampe brûle,"]),
        ("stard", "zho", 2, "谁应该点灯？", ["守灯人应当在日落前点灯。"]),
    ],
)  # fmt: skip
def test_each_set_is_read_from_the_files_that_it_is_published_as(
    name: str, language: str, documents: int, query: str, answers: list[str], tmp_path: Path
) -> None:
    made = read_dataset(DatasetName(name), [MAKERS[name](tmp_path)])
    assert made.by_document
    assert made.notes == ()
    assert len(made.documents) == documents
    assert len({one.document_id for one in made.documents}) == documents
    assert {one.language for one in made.documents} == {language} == set(made.groups())
    found = answered(made)[query]
    assert len(found) == len(answers)
    assert all(part in text for part, text in zip(answers, found, strict=True))


def test_a_text_without_a_title_is_embedded_without_one(tmp_path: Path) -> None:
    documents = read_dataset(DatasetName.MLEB, [mleb(tmp_path)]).documents
    assert [one.title for one in documents] == ["Keeper Act", ""]
    encoder = encoders(lambda: ModelTable.parse("all-MiniLM-L6-v2").open(open_embedder))
    found = {one.contextual_header + one.chunk_text for one in chunk(documents[1], encoder=encoder).chunks}
    assert found == {"A pilot shall bring the ship into the harbour."}


def test_a_judged_text_that_is_missing_is_counted(tmp_path: Path) -> None:
    mleb(tmp_path)
    lines(
        tmp_path / "default.jsonl",
        [{"query-id": key, "corpus-id": text, "score": 1} for key, text in ("1a", "1z", "2y")],
    )
    made = read_dataset(DatasetName.MLEB, [tmp_path])
    assert [one.query_id for one in made.queries] == ["1"]
    assert made.notes == (
        "2 relevance judgments of a text that is not among the documents",
        "1 queries without a relevant text left out",
    )


def test_a_file_in_the_beir_layout_says_its_languages_itself(tmp_path: Path) -> None:
    mleb(tmp_path)
    (tmp_path / "default.jsonl").unlink()
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n1\ta\t2\n", "utf-8")
    made = read_dataset(DatasetName.BEIR, [tmp_path])
    assert [(one.group, [answer.grade for answer in one.answers]) for one in made.queries] == [("eng", [2])]


def _replaced(name: str, before: str, after: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        file = folder / name
        file.write_text(file.read_text("utf-8").replace(before, after, 1), "utf-8")

    return change


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("mleb", lambda folder: (folder / "default.jsonl").unlink(), "no judgments in the BEIR layout.*qrels/test.tsv"),
        ("mleb", _replaced("corpus.jsonl", '"text"', '"body"'), "corpus.jsonl, row 1: expected a field `text`"),
        ("mleb", _replaced("default.jsonl", "1.0", '"much"'), "default.jsonl, row 1: expected a number in `score`"),
        ("mleb", _replaced("queries.jsonl", "{", "["), "queries.jsonl cannot be read"),
        ("mupler", lambda folder: (folder / "sv-qrels" / "test-00000-of-00001.parquet").unlink(), "sv-qrels"),
        (
            "mupler",
            lambda folder: (folder / "sv-corpus" / "test-00000-of-00001.parquet").write_bytes(b"PAR1"),
            "parquet cannot be read",
        ),
        (
            "swefaq",
            _replaced("swefaq_test.jsonl", '"label": 1', '"label": 2'),
            "row 1: expected the number of one of 2",
        ),
        ("swefaq", _replaced("swefaq_test.jsonl", "candidate_answers", "answers"), "row 1: .*`candidate_answers`"),
        ("legalquad", _replaced("LegalQuAD.json", "paragraphs", "sections"), "form of SQuAD"),
        ("bsard", _replaced("questions_test.csv", "article_ids", "articles"), "row 1: .*`article_ids`"),
        ("stard", _replaced("data/queries.json", "问题", "question"), "row 1: expected a field `问题`"),
    ],
)
def test_a_row_of_another_form_is_refused_with_its_place(
    name: str, change: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    folder = MAKERS[name](tmp_path)
    change(tmp_path)
    with pytest.raises(ConfigurationError, match=said):
        read_dataset(DatasetName(name), [folder])
