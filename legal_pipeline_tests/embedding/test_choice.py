"""Which backend is chosen, and that `doctor` says so."""

from __future__ import annotations

import pytest

from legal_pipeline.cli.diagnosis import diagnose
from legal_pipeline.embedding.choice import Hardware, choices
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.server import Server
from legal_pipeline.settings import Settings

SERVER = Server("http://127.0.0.1:1/v1", "m")


def chosen(options: BackendOptions, hardware: Hardware | None = None) -> list[str]:
    return [f"{one.backend} {one.device} {one.precision}" for one in choices(options, hardware)]


@pytest.mark.parametrize("gpu", [None, "cuda", "mps"])
@pytest.mark.parametrize("bfloat16", [True, False])
def test_the_fastest_that_the_machine_has_comes_first_and_torch_in_float32_last(
    gpu: str | None, bfloat16: bool
) -> None:
    hardware = Hardware(gpu, "found", bfloat16)
    on_gpu = [f"torch {gpu} float16", f"torch {gpu} float32"] if gpu else []
    half = ["openvino cpu bfloat16"] if bfloat16 else []
    assert chosen(BackendOptions(), hardware) == [*on_gpu, *half, "openvino cpu float32", "torch cpu float32"]
    assert chosen(BackendOptions(device="cpu"), hardware) == [*half, "openvino cpu float32", "torch cpu float32"]


def test_what_is_asked_for_is_all_that_is_tried() -> None:
    assert chosen(BackendOptions("openvino", precision="float32")) == ["openvino cpu float32"]
    assert chosen(BackendOptions("torch", "cuda:1", "bfloat16")) == ["torch cuda:1 bfloat16"]
    assert chosen(BackendOptions(server=SERVER)) == ["http server float32"]
    assert "http" not in " ".join(chosen(BackendOptions("openvino", server=SERVER)))


@pytest.mark.parametrize(("measure", "expected"), [(False, "openvino on cpu in"), (True, "texts/s")])
def test_doctor_says_what_was_chosen_and_why_and_measures_it(settings: Settings, measure: bool, expected: str) -> None:
    (found,) = [finding for finding in diagnose(settings, measure) if finding.part == "embedding model"]
    assert found.ok, found.detail
    assert expected in found.detail
    assert ("no GPU was found" in found.detail) is not measure


def test_doctor_names_each_model_and_the_languages_that_it_reads(settings: Settings) -> None:
    table = settings.model_copy(update={"embedding_model": "eng=all-MiniLM-L6-v2,*=multilingual-e5-small"})
    (found,) = [finding for finding in diagnose(table) if finding.part == "embedding model"]
    assert found.ok, found.detail
    first, second = found.detail.split("; ")
    assert (first.startswith("all-MiniLM-L6-v2@"), first.endswith(" for eng")) == (True, True)
    assert (second.startswith("multilingual-e5-small@"), second.endswith(" for all others")) == (True, True)
