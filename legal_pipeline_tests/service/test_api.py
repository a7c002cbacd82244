"""The HTTP API of a real server: answers, errors, conditional requests, keys, and what each key sees."""

from __future__ import annotations

import json
from datetime import date, timedelta

import httpx
import pytest
from lxml import etree

from legal_pipeline.building.source import SourceFile
from legal_pipeline.parsing.registry import parse
from legal_pipeline.reading.answers import LawChanges, Provision, QuoteCheck, SearchAnswer
from legal_pipeline_tests.indexed_laws import ARABIC, CITING, FIRST, LAW, NOTE, ROAD, THIRD, WITHHELD
from legal_pipeline_tests.service.conftest import Server

SECTION = f"{LAW}~sec_3"
ATOM = "{http://www.w3.org/2005/Atom}"
JUDGMENT = "in-judgment-judgment-keeper-v-lights-board"
YESTERDAY = (date.today() - timedelta(1)).isoformat()


def get(server: Server, path: str, reader: str | None = "stranger", **parameters: str) -> httpx.Response:
    with server.client(reader) as client:
        return client.get(path, params=parameters)


def test_a_search_answers_with_the_source_of_each_hit(server: Server) -> None:
    found = SearchAnswer.model_validate_json(get(server, "/v1/search", q="1 § lagen (2099:11)").content)
    first = found.hits[0]
    assert (first.provision_id, first.is_cited) == (f"{CITING}~sec_1", True)
    assert (first.origin.source_url, first.origin.licence) == ("https://laws.example/2099/11", "CC0")


def test_a_search_names_the_citations_that_no_hit_answers(server: Server) -> None:
    (missed,) = get(server, "/v1/search", q="99 § lagen (2099:10)").json()["unresolved"]
    assert (missed["kind"], missed["document_id"]) == ("no_such_provision", LAW)


@pytest.mark.parametrize(
    ("name", "value", "document"),
    [
        ("jurisdiction", "ae", ARABIC),
        ("type", "judgment", JUDGMENT),
        ("language", "ara", ARABIC),
        ("court", "Supreme Court of India", JUDGMENT),
        ("document", ROAD, ROAD),
    ],
)
def test_a_search_is_narrowed_by_each_of_its_parameters(server: Server, name: str, value: str, document: str) -> None:
    hits = get(server, "/v1/search", q="mistluren dimma", limit="30", **{name: value}).json()["hits"]
    assert {hit["origin"]["document_id"] for hit in hits} == {document}


def test_a_search_is_of_the_wordings_of_a_day_or_of_what_is_still_law_on_it(server: Server) -> None:
    def found(**day: str) -> dict[str, str]:
        hits = get(server, "/v1/search", q="mistluren dimma", document=LAW, passage_tokens="0", **day).json()["hits"]
        return {hit["provision_id"]: hit["text"] for hit in hits}

    assert found(as_of="2005-01-01")[SECTION] == f"3 § {FIRST}"
    assert SECTION not in found(in_force="2015-01-01")
    assert found(in_force="2021-01-01")[SECTION] == f"3 § {THIRD}"


def test_a_hit_has_the_provisions_beside_it_as_far_as_tokens_are_asked_for(server: Server) -> None:
    def neighbours(tokens: str) -> int:
        hits = get(server, "/v1/search", q="kap. fyren i skymningen", document=LAW, passage_tokens=tokens).json()[
            "hits"
        ]
        return sum(len(hit["neighbours"]) for hit in hits)

    assert neighbours("0") == 0
    assert neighbours("500") > 0


def test_documents_and_changes_are_narrowed_and_changes_come_in_pages(server: Server) -> None:
    for parameters, document in (({"jurisdiction": "ae"}, ARABIC), ({"type": "judgment"}, JUDGMENT)):
        assert [
            document["document_id"] for document in get(server, "/v1/documents", **parameters).json()["documents"]
        ] == [document]
    for path in ("/v1/changes", "/v1/changes.atom"):
        answer = get(server, path, since=YESTERDAY, jurisdiction="ae").text
        assert (ARABIC in answer, LAW in answer) == (True, False)
        first = get(server, path, since=YESTERDAY, limit="1").text
        cursor = get(server, "/v1/changes", since=YESTERDAY, limit="1").json()["next_cursor"]
        second = get(server, path, since=YESTERDAY, limit="1", cursor=cursor).text
        assert [LAW in page for page in (first, second)] == [True, False]


def test_the_days_of_a_difference_and_of_an_outline_are_those_asked_for(server: Server) -> None:
    days = {"from": "2025-01-01", "to": "2005-01-01"}
    whole = get(server, f"/v1/documents/{LAW}/diff", **days).json()
    assert [(change["before"], change["after"]) for change in whole["changes"]] == [(THIRD, FIRST)]
    one = get(server, f"/v1/provisions/{SECTION}/diff", **days).json()
    assert (one["before"]["text"], one["after"]["text"]) == (f"3 § {THIRD}", f"3 § {FIRST}")
    outline = get(server, f"/v1/documents/{LAW}/outline", as_of="2005-01-01").json()
    assert (outline["as_of"], outline["origin"]["as_of_date"]) == ("2005-01-01", "2001-01-01")


def test_citing_places_are_as_many_as_asked_for_and_say_how_many_more_there_are(server: Server) -> None:
    for path in (f"/v1/documents/{LAW}/cited-by", f"/v1/provisions/{SECTION}/cited-by"):
        found = get(server, path, "firm", limit="1").json()
        assert (len(found["places"]), found["more"]) == (1, 1)
        assert len(get(server, path, "firm").json()["places"]) == 2


def test_citations_are_read_as_the_lawyers_of_the_stated_countries_write_them(server: Server) -> None:
    with server.client("stranger") as client:
        for countries, number in ((["se"], 1), (["zm"], 0), ([], 1)):
            asked = {"text": "Se 3 § lagen (2099:10).", "jurisdictions": countries}
            assert len(client.post("/v1/citations/resolve", json=asked).json()["citations"]) == number


def test_a_provision_of_a_day_by_id_and_by_citation(server: Server) -> None:
    for id in (SECTION, "3 § lagen (2099:10)"):
        found = Provision.model_validate_json(get(server, f"/v1/provisions/{id}", as_of="2005-01-01").content)
        assert (found.id, found.text, found.interval.valid_to) == (SECTION, f"3 § {FIRST}", "2010-06-01")


def test_versions_difference_and_citing_places(server: Server) -> None:
    assert len(get(server, f"/v1/provisions/{SECTION}/versions").json()["versions"]) == 3
    changed = get(server, f"/v1/provisions/{SECTION}/diff", **{"from": "2005-01-01", "to": "2025-01-01"}).json()
    assert [span["second"] for span in changed["spans"] if span["kind"] == "insert"] == ["fyra gånger i minuten"]
    assert [place["document_id"] for place in get(server, f"/v1/provisions/{SECTION}/cited-by").json()["places"]] == [
        CITING
    ]


def test_documents_with_outline_and_pages(server: Server) -> None:
    ids: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = get(server, "/v1/documents", limit="2", **cursor).json()
        ids += [one["document_id"] for one in page["documents"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert LAW in ids
    assert ids == sorted(set(ids) - {NOTE})
    assert get(server, f"/v1/documents/{ROAD}").json()["pending_amendments"][0]["number"] == "SFS 2025:10"
    assert len(get(server, f"/v1/documents/{LAW}/outline").json()["nodes"]) == 3
    days = {"from": "2005-01-01", "to": "2025-01-01"}
    assert get(server, f"/v1/documents/{LAW}/diff", **days).json()["summary"] == "3 § ändrad"


def test_a_document_is_exported_as_akoma_ntoso_on_any_day(server: Server) -> None:
    for day, wording in ((None, THIRD), ("2005-01-01", FIRST)):
        answer = get(server, f"/v1/documents/{LAW}/export", **({"as_of": day} if day else {}))
        assert answer.headers["content-type"] == "application/akn+xml"
        document = parse(SourceFile("export.xml", answer.content))
        assert (document.format, document.document_id) == ("akn_xml", LAW)
        (third,) = [node for node in document.provisions() if node.eid == "sec_3"]
        assert document.text_of(third) == f"3 § {wording}"


def test_every_answer_says_where_its_texts_come_from(server: Server) -> None:
    source = {"source_url": "https://laws.example/2099/11", "licence": "CC0"}
    (citing,) = get(server, f"/v1/provisions/{SECTION}/cited-by").json()["places"]
    (listed,) = [
        one for one in get(server, "/v1/documents", limit="100").json()["documents"] if one["document_id"] == CITING
    ]
    (change,) = get(server, "/v1/changes", since=YESTERDAY, id=CITING).json()["changes"]
    with server.client("stranger") as client:
        (cited,) = client.post("/v1/citations/resolve", json={"text": "1 § lagen (2099:11)"}).json()["citations"]
    origins = [
        get(server, path).json()["origin"] for path in (f"/v1/documents/{CITING}", f"/v1/documents/{CITING}/outline")
    ]
    for answer in (citing, listed, change, cited, *origins):
        assert answer | source == answer
    for path in (f"/v1/documents/{ROAD}/outline", f"/v1/documents/{ROAD}", f"/v1/provisions/{ROAD}~sec_2/versions"):
        assert get(server, path).json()["pending_amendments"][0]["number"] == "SFS 2025:10"


def test_citations_are_resolved_and_quotes_verified(server: Server) -> None:
    with server.client("stranger") as client:
        text = "Se 3 § lagen (2099:10)."
        (found,) = client.post("/v1/citations/resolve", json={"text": text}).json()["citations"]
        assert (text[found["start"] : found["end"]], found["provision"]["id"]) == ("3 § lagen (2099:10)", SECTION)
        asked = {"quote": "mistluren ljuda tre gånger", "provision": "3 § lagen (2099:10)"}
        checked = QuoteCheck.model_validate_json(client.post("/v1/citations/verify", json=asked).content)
        assert (checked.verdict, checked.versions[0].interval.valid_to) == ("superseded", "2020-06-01")
        mistyped = client.post("/v1/citations/resolve", json={"text": text, "jurisdiction": ["se"]})
        assert (mistyped.status_code, mistyped.json()["errors"][0]["where"]) == (422, ["body", "jurisdiction"])


def test_changes_as_json_and_as_a_feed(server: Server) -> None:
    found = LawChanges.model_validate_json(get(server, "/v1/changes", since=YESTERDAY, id=LAW).content)
    assert [one.kind for one in found.changes] == ["changed", "changed", "added"]
    answer = get(server, "/v1/changes.atom", since=YESTERDAY, id=LAW)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = etree.fromstring(answer.content)
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}title") for entry in entries][:1] == ["Lag (2099:10) om fyrvakter: 3 § ändrad"]
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == 3


def test_what_the_client_has_already_is_not_sent_again(server: Server) -> None:
    with server.client("stranger") as client:
        first = client.get(f"/v1/provisions/{SECTION}")
        again = client.get(f"/v1/provisions/{SECTION}", headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
        assert (again.headers["vary"], again.headers["cache-control"]) == ("Authorization", "private, no-cache")
        for known in (f'"x", W/{first.headers["etag"]}', "*"):  # as a proxy between may write it
            assert client.get(f"/v1/provisions/{SECTION}", headers={"If-None-Match": known}).status_code == 304
        asked = {"quote": FIRST, "provision": SECTION}
        assert client.post("/v1/citations/verify", json=asked, headers={"If-None-Match": "*"}).status_code == 200
        other = client.get(f"/v1/provisions/{LAW}~sec_1", headers={"If-None-Match": first.headers["etag"]})
        assert other.status_code == 200


@pytest.mark.parametrize(
    ("path", "parameters", "status", "told"),
    [
        (f"/v1/provisions/{LAW}~sec_99", {}, 404, "no provision"),
        (f"/v1/provisions/{SECTION}", {"as_of": "1999-01-01"}, 404, "known wordings: sec_3 from 2001-01-01"),
        (f"/v1/provisions/{SECTION}", {"as_of": "tomorrow"}, 422, "query.as_of"),
        ("/v1/documents/nothing", {}, 404, "no document"),
        ("/v1/search", {}, 422, "query.q"),
        ("/v1/search", {"q": "fyr", "asof": "1999-01-01"}, 422, "query.asof: not a parameter of this endpoint; known are q, limit"),
        (f"/v1/provisions/{SECTION}", {"day": "1999-01-01"}, 422, "known are as_of"),
        ("/v1/coverage", {"limit": "1"}, 422, "known are none"),
        ("/v1/search", {"q": "fyr", "jurisdiction": "Sweden"}, 400, "country code"),
        ("/v1/search", {"q": "fyr\x00"}, 400, "NUL"),
        ("/v1/search", {"q": "x" * 4001}, 422, "4000"),
        ("/v1/changes", {"since": "2020-01-01", "cursor": "x"}, 400, "cursor"),
        ("/v1/nothing", {}, 404, ""),
    ],
)  # fmt: skip
def test_an_error_is_a_problem_detail(
    server: Server, path: str, parameters: dict[str, str], status: int, told: str
) -> None:
    answer = get(server, path, **parameters)
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (answer.status_code, problem["status"]) == (status, status)
    assert told in problem["detail"]
    assert problem["type"].startswith("urn:legal-pipeline:problem:")
    assert ("errors" in problem) == (status == 422)


def test_each_key_sees_its_own(server: Server) -> None:
    pages = {
        "search": ("/v1/search", {"q": "råd om mistluren", "limit": "20"}),
        "documents": ("/v1/documents", {"limit": "100"}),
        "changes": ("/v1/changes", {"since": YESTERDAY}),
        "feed": ("/v1/changes.atom", {"since": YESTERDAY}),
        "citing": (f"/v1/documents/{LAW}/cited-by", {}),
    }
    for reader, is_seen in (("stranger", False), ("firm", True), ("admin", True)):
        for path, parameters in pages.values():
            assert (NOTE in get(server, path, reader, **parameters).text) == is_seen, (reader, path)
        assert get(server, f"/v1/documents/{NOTE}", reader).status_code == (200 if is_seen else 404)
    counts = {reader: get(server, "/v1/coverage", reader).json()["documents"] for reader in ("stranger", "firm")}
    assert counts["firm"] == counts["stranger"] + 1


def test_a_text_that_must_not_be_handed_on_needs_the_scope_admin(server: Server) -> None:
    for reader, is_shown in (("firm", False), ("admin", True)):
        answer = get(server, "/v1/search", reader, q="handbok om mistlurar", document=WITHHELD)
        assert answer.json()["hits"][0]["text_withheld"] != is_shown
        assert ("talg" in answer.text) == is_shown
        exported = get(server, f"/v1/documents/{WITHHELD}/export", reader)
        assert (exported.status_code == 200, "talg" in exported.text) == (is_shown, is_shown)
    refused = get(server, f"/v1/documents/{WITHHELD}/export")
    assert (refused.status_code, "forbids" in refused.json()["detail"]) == (403, True)


def test_without_a_valid_key_nothing_is_answered(server: Server) -> None:
    assert get(server, "/v1/coverage", None).status_code == 401
    # before it is said what else is wrong
    assert get(server, "/v1/search", None).status_code == 401
    for wrong in ("nonsense", f"{server.keys['stranger'][:-1]}!", server.keys["stranger"][:-43] + "A" * 43, "\u00e5"):
        answer = httpx.get(f"{server.address}/v1/coverage", headers={"Authorization": f"Bearer {wrong}".encode()})
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")


def test_a_key_has_a_rate(server: Server) -> None:
    answers = [get(server, "/v1/coverage", "slow") for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 30


def test_figures_are_for_administrators_and_count_by_route(server: Server) -> None:
    get(server, f"/v1/documents/{LAW}")
    assert get(server, "/metrics").status_code == 403
    told = get(server, "/metrics", "admin").text
    assert 'legal_pipeline_http_requests_total{method="GET",route="/v1/documents/{id}",status="200"}' in told
    assert LAW not in told


def test_the_description_has_examples_and_the_answers_models(server: Server) -> None:
    described = httpx.get(f"{server.address}/openapi.json").json()
    assert described["paths"]["/v1/provisions/{id}"]["get"]["responses"]["200"]["content"]["application/json"][
        "schema"
    ] == {"$ref": "#/components/schemas/Provision"}
    assert described["components"]["schemas"]["Provision"]["properties"]["id"]["examples"]
    for path, operations in described["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert set(operation["responses"].get("503", {"content": ()})["content"]) <= {"application/problem+json"}, (
                path
            )
            for parameter in operation.get("parameters", ()):
                assert parameter.get("description"), (path, parameter["name"])
    assert "security" in json.dumps(described["paths"]["/v1/search"])


def test_the_latest_wording_is_served_beside_another_process(server: Server) -> None:
    """The server keeps the embedded store open, this process asks it too."""
    assert get(server, "/v1/search", q="3 § lagen (2099:10)").json()["hits"][0]["text"] == f"3 § {THIRD}"
