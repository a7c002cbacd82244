"""The generated parts of the reference: settings, commands, the assets of the graph, the tables and the JSON schemas, each as Markdown.

Not here: the pages that they are written to (`documentation`) and the check that these are up to date (`test_documentation`).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import pyarrow as pa
import typer
from dagster import AssetKey, PartitionsDefinition
from pydantic_core import PydanticUndefined
from typer.cli import get_docs_for_click

from legal_pipeline.cli.app import app
from legal_pipeline.defs import partitions
from legal_pipeline.defs.graph import build_definitions
from legal_pipeline.model.tables import CHUNK_METADATA
from legal_pipeline.processing import expressions
from legal_pipeline.registry.database import Database
from legal_pipeline.settings import Settings, load_settings
from legal_pipeline.sources.sidecar import ENDING, Hints
from legal_pipeline.stages import pgvector_chunks, qdrant_chunks
from legal_pipeline.stores.registry import open_pgvector
from legal_pipeline.stores.store import INDEXED_FIELDS, ROW_HASH
from legal_pipeline.views.asset_tables import LOADERS, column_schema

LIBRARY = Path(__file__).resolve().parent.parent / "legal_pipeline"
PROGRAM = "legal-pipeline"
#: Table -> column -> what it holds; `any` has the columns of several tables.
MEANINGS: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "column_meanings.toml").read_text("utf-8"))
#: A struct with more fields is listed once, below the tables.
_FIELDS_IN_A_ROW = 10

#: Of the packaged English model.
_DIMENSION = 384

_COLUMNS = """
select table_name, column_name, coalesce(nullif(data_type, 'USER-DEFINED'), udt_name) as type, is_nullable = 'YES' as nullable,
    column_default
from information_schema.columns where table_schema = 'public' order by table_name, ordinal_position
"""


def configuration() -> str:
    """One row per setting."""
    rows = ["| variable | default | what it does |", "|---|---|---|"]
    for name, item in Settings.model_fields.items():
        rows.append(f"| `{Settings.environment_name(name)}` | {_default(item.default)} | {item.description} |")
    return "\n".join(rows)


def _default(value: object) -> str:
    """The default of a setting as it is written in the environment; nothing where there is none, or where the description states it."""
    if value in (None, "", PydanticUndefined):
        return ""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def commands() -> str:
    """Each command with its arguments and options, as `--help` shows them."""
    command = typer.main.get_command(app)
    text = get_docs_for_click(obj=command, ctx=click.Context(command, info_name=PROGRAM), name=PROGRAM)
    first = text.index(f"## `{PROGRAM} ")
    return re.sub(rf"^## `{PROGRAM} (.+)`$", r"## \1", text[first:], flags=re.MULTILINE).strip()


def assets() -> str:
    """The whole graph: assets, checks, jobs, schedules and sensors with their descriptions. Settings are the defaults."""
    definitions = build_definitions(settings=load_settings())
    graph = definitions.resolve_asset_graph()
    repository = definitions.get_repository_def()

    def named(keys: Iterable[AssetKey]) -> str:
        return ", ".join(f"`{key.to_user_string()}`" for key in sorted(keys))

    strategies = [key for key in graph.get_all_asset_keys() if len(key.path) > 1]
    rows = []
    for key in sorted(graph.get_all_asset_keys() - set(strategies)):
        node = graph.get(key)
        parents = named(node.parent_keys - set(strategies))
        rows.append((named([key]), node.group_name, _partition(node.partitions_def), parents, node.description))
    checks = sorted(graph.asset_check_keys)
    jobs = sorted((job for job in repository.get_all_jobs() if not job.name.startswith("__")), key=lambda job: job.name)
    schedules = sorted(repository.schedule_defs, key=lambda schedule: schedule.name)
    sensors = sorted(repository.sensor_defs, key=lambda sensor: sensor.name)
    return "\n".join([
        "## Assets\n",
        *markdown_table(("asset", "group", "a partition is", "inputs", "holds"), rows),
        f"\n`chunks` comes with one asset per strategy, which holds the chunks that the strategy made: {named(strategies)}.",
        "\n## Checks\n",
        *markdown_table(
            ("check", "asset", "asserts"),
            [(f"`{check.name}`", named([check.asset_key]), graph.get_check_spec(check).description) for check in checks],
        ),
        "\n## Jobs\n",
        *markdown_table(("job", "does"), [(f"`{job.name}`", job.description) for job in jobs]),
        "\n## Schedules\n",
        *markdown_table(
            ("schedule", "cron (UTC)", "job"),
            [(f"`{schedule.name}`", f"`{schedule.cron_schedule}`", f"`{schedule.job_name}`") for schedule in schedules],
        ),
        "\n## Sensors\n",
        *markdown_table(
            ("sensor", "by default", "does"),
            [(f"`{sensor.name}`", sensor.default_status.value.lower(), sensor.description) for sensor in sensors],
        ),
    ])  # fmt: skip


def _partition(definition: PartitionsDefinition[Any] | None) -> str:
    """What a partition is of an asset; empty of an asset of the whole corpus."""
    if definition is None:
        return ""
    return "a document" if getattr(definition, "name", None) == partitions.NAME else "a practice area"


def warehouse() -> str:
    """The columns of each asset that is a table of the warehouse, and the fields of `metadata`. Vectors are left out: their width is the
    model's."""
    parts = []
    for key in LOADERS:
        schema = column_schema(key)
        if schema is not None and len(key) == 1:
            parts.append(f"### `{key[0]}`\n\n" + "\n".join(_arrow(key[0], schema)))
    parts.append(
        "### `expression_index`\n\nAll texts of the document that were ever current, and those of earlier dates. "
        "The table is in the file below `canonical_documents/`.\n\n"
        + "\n".join(_arrow("expression_index", expressions.SCHEMA))
    )
    fields = [
        (f"`{field.name}`", f"`{_type(field.type)}`", MEANINGS["metadata"][field.name]) for field in CHUNK_METADATA
    ]
    table = "\n".join(markdown_table(("field", "type", "holds"), fields))
    return "\n\n".join([*parts, f"### Fields of `metadata`\n\nA field that a chunk does not have is null.\n\n{table}"])


def meaning(table: str, column: str) -> str:
    """What the column holds; empty where its name says it."""
    return MEANINGS.get(table, {}).get(column) or MEANINGS["any"].get(column, "")


def payload() -> str:
    """The fields of the payload of a point, and which of them the stores index for filters."""
    own = {
        "superseded": "`true` of a superseded wording; else absent",
        "subdivision": "part of the country (`us-dc`), from the URI of the work or the jurisdiction that its file states",
        ROW_HASH: "hash of the payload and the vector: whether the point is unchanged",
    }
    stored = [*qdrant_chunks.PAYLOAD_COLUMNS, *qdrant_chunks.HISTORY_COLUMNS, "child_ids", *own]
    rows = [
        (f"`{name}`", "yes" if name in INDEXED_FIELDS else "", own.get(name) or meaning("superseded_chunks", name))
        for name in stored
    ]
    fields = [field.name for field in CHUNK_METADATA]
    indexed = [f"`{name}`" for name in fields if name in INDEXED_FIELDS]
    others = [f"`{name}`" for name in fields if name not in INDEXED_FIELDS]
    return "\n".join([
        *markdown_table(("field", "indexed", "holds"), rows),
        f"\nand every field of [`metadata`](#fields-of-metadata) that is not null. Indexed are {', '.join(indexed)}; the others are "
        f"{', '.join(others)}.",
    ])  # fmt: skip


def postgres(settings: Settings) -> str:
    """The columns of the tables that an empty database gets: those of the registry, and the collection of chunks."""
    with Database.open(settings) as database:
        open_pgvector(settings, database).ensure_collection(pgvector_chunks.COLLECTION, _DIMENSION)
        with database.connection() as connection:
            columns = connection.execute(_COLUMNS.encode()).fetchall()
    parts = []
    for table in dict.fromkeys(column["table_name"] for column in columns):
        rows = [
            (
                f"`{column['column_name']}`",
                column["type"],
                "yes" if column["nullable"] else "",
                f"`{column['column_default']}`" if column["column_default"] else "",
                meaning(table, column["column_name"]),
            )
            for column in columns
            if column["table_name"] == table
        ]
        parts.append(
            "\n".join([f"### `{table}`\n", *markdown_table(("column", "type", "null", "default", "holds"), rows)])
        )
    return "\n\n".join(parts)


def schemas() -> str:
    """The schema of sidecar files with a table of their fields, and every JSON schema file of the package."""
    found = [("Sidecar file", f"`<file>{ENDING}`\n\n{sidecar_fields()}", Hints.model_json_schema())]
    for path in sorted(LIBRARY.rglob("*schema.json")):
        schema = json.loads(path.read_text("utf-8"))
        found.append((schema["title"], f"`{PROGRAM.replace('-', '_')}/{path.relative_to(LIBRARY).as_posix()}`", schema))
    return "\n\n".join(
        f"## {title}\n\n{about}\n\n```json\n{json.dumps(schema, ensure_ascii=False, indent=2)}\n```"
        for title, about, schema in found
    )


def sidecar_fields() -> str:
    """The fields of a sidecar file with their meaning and an example."""
    rows = [
        (f"`{name}`", field.description, f"`{json.dumps(field.examples[0])}`")
        for name, field in Hints.model_fields.items()
        if field.examples
    ]
    return "\n".join(markdown_table(("field", "meaning", "example"), rows))


def _arrow(table: str, schema: pa.Schema) -> Iterator[str]:
    rows = [
        (f"`{field.name}`", f"`{_type(field.type)}`", "yes" if field.nullable else "", meaning(table, field.name))
        for field in schema
    ]
    return iter(markdown_table(("column", "type", "null", "holds"), rows))


def _type(kind: pa.DataType) -> str:
    """The name of an Arrow type; of a struct only the names of its fields, if they are few."""
    if pa.types.is_struct(kind) and kind.num_fields > _FIELDS_IN_A_ROW:
        return "struct"
    if pa.types.is_struct(kind):
        return f"struct<{', '.join(field.name for field in kind)}>"
    if pa.types.is_list(kind):
        return f"list<{_type(kind.value_type)}>"
    return str(kind)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str | None]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(' '.join((cell or '').replace('|', chr(92) + '|').split()) for cell in row)} |"
