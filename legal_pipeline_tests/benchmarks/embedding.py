"""Texts per second of every backend that runs here, beside torch in float32, with cosines and memory.

`python -m legal_pipeline_tests.benchmarks.embedding ../shared/corpus [--texts 400] [--rounds 3] [--device cuda --peak-tflops 990]`. Each
backend runs in a process of its own and all take turns, so that whatever else the machine does falls on each. With `--device` torch is
measured on that device too, with its share of the peak that the maker names. Figures depend on the machine. Not a test.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

from legal_pipeline.embedding.admission import agreement
from legal_pipeline.embedding.options import BackendOptions
from legal_pipeline.embedding.registry import open_embedder
from legal_pipeline_tests.processes import start

#: Layers, width and feed-forward width of the packaged model: two operations per weight and token, and the attention.
_LAYERS, _WIDTH, _FORWARD = 6, 384, 1536

_FLAGS = ("avx2", "avx512f", "avx512_bf16", "avx512_vnni", "amx_bf16", "amx_tile")


def chunk_like_texts(corpus: Path, count: int) -> list[str]:
    """Paragraphs of real Acts, of 60 to 900 characters."""
    texts: list[str] = []
    with gzip.open(corpus / "se" / "bulk" / "sfs_body_dev_500.jsonl.gz", "rt", encoding="utf-8") as rows:
        for row in rows:
            texts += [part[:900] for part in json.loads(row)["body"].split("\n\n") if len(part) > 60]
            if len(texts) > 7 * count:
                break
    return texts[::7][:count]


def serve(options: BackendOptions, texts: list[str]) -> None:
    """Embed all of `texts` for each line of standard input; print a line of figures each time, the vectors at the end of the first."""
    embedder = open_embedder(options=options)
    begin = time.perf_counter()
    embedder.embed_passages(texts[:32])
    loading = time.perf_counter() - begin
    for line in sys.stdin:
        begin, busy = time.perf_counter(), time.process_time()
        made = embedder.embed_passages(texts)
        seconds, processor = time.perf_counter() - begin, time.process_time() - busy
        if line.strip():
            np.save(line.strip(), made.vectors)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
        figures = {
            "by": embedder.backend.description,
            "seconds": seconds,
            "processor": processor,
            "loading": loading,
            "megabytes": peak,
            "tokens": sum(made.total_tokens),
            "torch": "torch" in sys.modules,
        }
        print(json.dumps(figures), flush=True)


def operations(tokens: int, texts: int) -> float:
    """Floating-point operations for so many tokens in so many texts of one length."""
    weights = _LAYERS * (4 * _WIDTH**2 + 2 * _WIDTH * _FORWARD)
    attention = _LAYERS * 4 * _WIDTH * tokens / texts
    return tokens * (2 * weights + attention)


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        said = dict(line.split(":", 1) for line in lines if ":" in line)
    flags = next((value.split() for name, value in said.items() if name.strip() == "flags"), [])
    model = next((value.strip() for name, value in said.items() if name.strip() == "model name"), "?")
    return f"{model}, {os.cpu_count()} processors, {', '.join(flag for flag in _FLAGS if flag in flags)}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--texts", type=int, default=400)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--device", help="measure torch on this device too")
    options.add_argument("--peak-tflops", type=float, help="what the device's maker says it does in half precision")
    options.add_argument("--serve", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    texts = chunk_like_texts(chosen.corpus, chosen.texts)
    if chosen.serve:
        serve(BackendOptions(*json.loads(chosen.serve)), texts)
        return
    ways = [("torch", "cpu", "float32"), ("torch", "cpu", "bfloat16")]
    ways += [("openvino", "cpu", "float32"), ("openvino", "cpu", "bfloat16")]
    ways += [("torch", chosen.device, precision) for precision in ("float32", "float16") if chosen.device]
    print(f"{processor()}; load {os.getloadavg()[0]:.1f} before the start; {len(texts)} texts")
    command = [sys.executable, "-m", __spec__.name, str(chosen.corpus), "--texts", str(chosen.texts), "--serve"]
    processes = [
        start([*command, json.dumps(way)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for way in ways
    ]
    figures: list[list[dict[str, float]]] = [[] for _ in ways]
    files = [Path(f"embedding-{os.getpid()}-{number}.npy").absolute() for number in range(len(ways))]
    try:
        for turn in range(chosen.rounds):
            for number, process in enumerate(processes):
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write(f"{files[number] if turn == 0 else ''}\n")
                process.stdin.flush()
                figures[number].append(json.loads(process.stdout.readline()))
        vectors = [np.load(file) for file in files]
    finally:
        for process in processes:
            process.communicate()
        for file in files:
            file.unlink(missing_ok=True)
    base = min(found["seconds"] for found in figures[0])
    print("| backend | texts/s | beside torch float32 | processor time | least and mean cosine | load | memory |")
    print("|---|---|---|---|---|---|---|")
    for found, made in zip(figures, vectors, strict=True):
        best = min(found, key=lambda one: one["seconds"])
        agreed = agreement(made, vectors[0])
        ratio = min(one["processor"] for one in figures[0]) / max(min(one["processor"] for one in found), 1e-9)
        print(
            f"| {best['by']} | {len(texts) / best['seconds']:.0f} | {base / best['seconds']:.2f} x | {ratio:.2f} x | "
            f"{agreed.least:.5f} {agreed.mean:.5f} | {best['loading']:.1f} s | {best['megabytes']:.0f} MB |"
        )
        if chosen.peak_tflops and chosen.device and chosen.device in str(best["by"]):
            rate = operations(int(best["tokens"]), len(texts)) / best["seconds"] / 1e12
            print(f"  {rate:.1f} TFLOP/s, {rate / chosen.peak_tflops:.1%} of the device's peak")


if __name__ == "__main__":
    main()
