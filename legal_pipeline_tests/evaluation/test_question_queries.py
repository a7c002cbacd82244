"""Files of plain questions: the provisions they ask for, their halves, and what is wrong with a file of another form."""

from __future__ import annotations

from pathlib import Path

import pytest

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.evaluation.datasets import read_dataset
from legal_pipeline.evaluation.names import DatasetName, Half
from legal_pipeline_tests.evaluation.laws import lighthouses

QUESTIONS = """
[[question]]
text = "Vem ska torka av glaset på kvällen?"
language = "swe"
file = "hav/fyrar.txt"
provisions = ["sec_1"]
half = "tuning"

[[question]]
text = "May I switch off the lamp, and what if somebody leaves it alone?"
language = "eng"
file = "hav/fyrar.txt"
provisions = ["sec_2", "sec_3"]
half = "held"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corpus" / "hav").mkdir(parents=True)
    (tmp_path / "corpus" / "hav" / "fyrar.txt").write_text(lighthouses(), "utf-8")
    (tmp_path / "hav.toml").write_text(QUESTIONS, "utf-8")
    return tmp_path


def test_a_question_is_answered_by_each_provision_that_it_names(folder: Path) -> None:
    made = read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml", folder / "corpus"])
    (document,) = made.documents
    swedish, english = made.queries
    assert (swedish.group, english.group) == ("swe", "eng over swe")
    assert [document.text[one.start : one.end].split()[0] for one in english.answers] == ["2", "3"]
    assert "linsens renhet" in document.text[swedish.answers[0].start : swedish.answers[0].end]


def test_a_question_is_in_the_half_that_its_file_says_whatever_the_seed(folder: Path) -> None:
    made = read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml", folder / "corpus"])
    for seed in range(5):
        assert [one.group for one in made.half(Half.DEV, seed).queries] == ["swe"]
        assert [one.group for one in made.half(Half.TEST, seed).queries] == ["eng over swe"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('half = "tuning"', 'half = "both"', "question 1.*`half`.*tuning, held"),
        ('provisions = ["sec_1"]', "", "question 1.*`provisions`"),
        ('provisions = ["sec_1"]', "provisions = []", "question 1.*`provisions`"),
        ('provisions = ["sec_1"]', 'provisions = "sec_1"', "question 1.*`provisions`"),
        ('provisions = ["sec_1"]', 'provisions = ["sec_1", 2]', "question 1.*`provisions`"),
        ('language = "swe"', "language = 7", "question 1.*`language`, found 7"),
        ('provisions = ["sec_1"]', 'provisions = ["sec_99"]', "hav-001.*hav/fyrar.txt.*sec_99"),
        ('file = "hav/fyrar.txt"', 'file = "hav/skepp.txt"', "hav/skepp.txt"),
        ("[[question]]", "[[fråga]]", "TOML"),
        ("[[question]]", "[question]", "hav.toml"),
    ],
)
def test_a_file_of_another_form_is_refused_with_its_place(folder: Path, before: str, after: str, said: str) -> None:
    (folder / "hav.toml").write_text(QUESTIONS.replace(before, after, 1), "utf-8")
    with pytest.raises(ConfigurationError, match=said):
        read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml", folder / "corpus"])


def test_questions_need_the_folder_that_their_files_are_below(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="1 files and 0 folders"):
        read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml"])


@pytest.mark.parametrize(
    ("text", "said"), [("question = []", "no questions"), ("question = [7]", "question 1: .*table")]
)
def test_questions_are_tables(folder: Path, text: str, said: str) -> None:
    (folder / "hav.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigurationError, match=said):
        read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml", folder / "corpus"])


def test_two_files_of_one_act_are_two_documents_and_each_question_is_answered_by_its_file(folder: Path) -> None:
    (folder / "corpus" / "hav" / "fyrar-2.txt").write_text(lighthouses(), "utf-8")
    (folder / "hav.toml").write_text(QUESTIONS.replace("hav/fyrar.txt", "hav/fyrar-2.txt", 1), "utf-8")
    made = read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml", folder / "corpus"])
    first, second = (document.document_id for document in made.documents)
    assert second == f"{first}-part-2"
    assert [{answer.document_id for answer in query.answers} for query in made.queries] == [{first}, {second}]


def test_questions_are_about_one_folder(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="1 files and 2 folders"):
        read_dataset(DatasetName.QUESTIONS, [folder / "hav.toml", folder / "corpus", folder / "corpus" / "hav"])
