"""Right answers to every task of the pipeline, read out of the request alone. Not here: how they are sent, and any code of the pipeline."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from legal_pipeline_tests.enrichment.anthropic_server.bodies import data_blocks, said, task_of


def right_answer(body: dict[str, Any]) -> dict[str, Any]:
    """An answer that fits the request."""
    text = said(body)
    blocks = data_blocks(text)
    match task_of(body):
        case "prefixes":
            return {"prefixes": [{"chunk_id": row["chunk_id"], "prefix": a_prefix(row)} for row in rows_of(blocks[-1])]}
        case "summary":
            name = hashlib.sha256(text.encode()).hexdigest()[:6]
            return {"summary": f"The texts regulate {name} and name duties and rights."}
        case "questions":
            rows = rows_of(blocks[-1])
            return {"chunks": [{"chunk_id": row["chunk_id"], "questions": some_questions(row)} for row in rows]}
        case "definitions":
            return {"definitions": list(definitions_in(blocks[0], text))}
        case "chunk_plan":
            return a_plan(blocks[0], text)
        case "verdicts":
            reason = "it finds for the petitioner"
            rows = rows_of(blocks[0])
            return {"chunks": [{"chunk": row["chunk"], "denied": False, "reason": reason} for row in rows]}
        case _:
            listed = re.findall(r"^- ([^:\n]+):", text.rpartition("The list:")[2], re.M)
            return {"label": listed[0]}


def rows_of(block: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in block.split("\n")]


def a_prefix(row: dict[str, Any]) -> str:
    name = hashlib.sha256(row["preview"].encode()).hexdigest()[:4]
    return (
        f"This provision, marked {name}, lays down what an employer must do before work begins, who may inspect it, which records have to "
        "be kept and for how long, what happens when a deadline is missed, and how the person concerned can have the decision reviewed by "
        "a court, as part of the general rules of the law on duties."
    )


def some_questions(row: dict[str, Any]) -> list[str]:
    name = hashlib.sha256(row["text"].encode()).hexdigest()[:4]
    return [f"{word} must an employer do under rule {name}?" for word in ("What", "When", "Why", "How")]


def definitions_in(block: str, text: str) -> Iterator[dict[str, Any]]:
    section = json.loads(re.findall(r'^The section: (".*")$', text, re.M)[-1])
    title = json.loads(re.findall(r'^Document: (".*")$', text, re.M)[0])
    for line in block.split("\n"):
        number, _, said_there = line.partition("| ")
        if found := re.match(r'(?:\((\w+)\) )?"([^"]+)" means (.+)', said_there):
            yield {
                "term": found[2],
                "number": found[1],
                "first_line": int(number),
                "last_line": int(number),
                "text": f'Under {section} of the {title}, "{found[2]}" means {found[3]}',
            }


def a_plan(block: str, text: str) -> dict[str, Any]:
    appeal = "Document type: appeal_decision" in text
    tags = re.findall(r"^- (\w+):", text.rpartition("The criterion tags:")[2], re.M)
    chunks, excluded = [], []
    for line in block.split("\n"):
        number, _, said_there = line.partition("| ")
        if not said_there.strip():
            continue
        at = {"start_line": int(number), "end_line": int(number)}
        if appeal and "Director" in said_there:
            excluded.append({**at, "reason": "denied_argument"})
        else:
            chunks.append(
                {
                    **at,
                    "section": "Section A",
                    "level": None,
                    "criterion_tag": tags[0] if tags and appeal else None,
                    "legal_standard": None,
                    "is_winning_argument": appeal,
                }
            )
    return {"strategy": "One chunk per paragraph.", "chunk_plan": chunks, "excluded": excluded}
