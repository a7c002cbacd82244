"""What happens to files on their way: cut off, spliced, flipped, re-encoded, blown up. Values in, values out; hypothesis draws the places.

Not here: what parsers must do with it (`test_fuzz`).
"""

from __future__ import annotations

from hypothesis import strategies as st

#: Largest piece of a real file that is damaged: fuzzing looks for wrong turns, and these are in every part of an Act.
PIECE = 24_000

ENTITY_BOMB = (
    '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY a0 "boom">'
    + "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 12))
    + "]>"
)

#: Signs that steer parsers, to be put where they do not belong.
TOKENS = (
    b"<", b">", b"</div>", b"<section>", b"<p>", b"]]>", b"<!--",
    b"&#x110000;", b"&#0;", b"&nbsp;", b'"', b"{", b"}", b"[", b"]", b",",
    b"\n\n", b"\r", b"\t", b"\x0c", b"\x00", b"\xff", b"\xc3", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xef\xbf\xbd", b"\xcc\x88",
    "1 §".encode(), b"2 kap. ", b"(1)", b"(a)", b"(i)", b"(iv)", b"Provided that", b"Explanation.", b"SCHEDULE",
    "■".encode(), b"[Para 3]", b"---\n", b"# ", b"#### ", b"- ", b"|", b"^1[", b"1[", b"Article 1\n", b"\\u0000", b"\\ud800", b"1e999",
    b"NaN", b"null", b"-1", b"0", b"99999999999999999999999999", "Övergångsbestämmelser\n".encode(), b"2099:10\n", b"9999-99-99",
)  # fmt: skip

#: Kinds of damage by number in `damaged`; small wounds stand more often: a document that gets past the sniffing rule tests more.
KINDS = (0, 1, 2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6, 7, 8)


@st.composite
def damaged(draw: st.DrawFn, seeds: dict[str, bytes]) -> bytes:
    """One of `seeds` (name to bytes) with one to three kinds of damage."""
    names = sorted(seeds)
    data = _piece(draw, seeds[draw(st.sampled_from(names))])
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4)):
        start, end = sorted((draw(st.integers(0, len(data))), draw(st.integers(0, len(data)))))
        if kind == 0:
            data = data[:end]
        elif kind == 1:
            data = data[:start] + data[end:]
        elif kind == 2:
            data = data[:start] + _piece(draw, seeds[draw(st.sampled_from(names))])[end:]
        elif kind == 3:
            data = data[:start] + draw(st.binary(min_size=1, max_size=8)) + data[start + 1 :]
        elif kind == 4:
            data = data[:start] + b"".join(draw(st.lists(st.sampled_from(TOKENS), max_size=6))) + data[start:]
        elif kind == 5:
            piece = data[start : min(end, start + 200)]
            data = data[:start] + piece * draw(st.integers(2, 40)) + data[start:]
        elif kind == 6:
            data = data.replace(b"\n", b"\r\n")
        elif kind == 7:
            encoding = draw(st.sampled_from(["utf-16", "utf-8-sig", "cp1252", "latin-1", "utf-16-be", "utf-7"]))
            data = data.decode("utf-8", "replace").encode(encoding, "replace")
        else:
            data = data.decode("utf-8", "replace").encode("utf-8").decode("latin-1").encode("utf-8")
    return data


def _piece(draw: st.DrawFn, data: bytes) -> bytes:
    """The whole of a small file; of a large one its head, which tells the format, and a part of the rest."""
    if len(data) <= PIECE or not data[:5].isascii() or data.startswith((b"%PDF", b"PK")):
        return data
    start = draw(st.integers(PIECE // 2, len(data)))
    return data[: PIECE // 2] + data[start : start + PIECE // 2]


def nasty() -> dict[str, bytes]:
    """Whole documents made to hurt: each of one kind, some hundred kilobytes."""
    deep = 50_000
    return {
        "entity bomb": (ENTITY_BOMB + "<act>&a11;</act>").encode(),
        "entity bomb in Akoma Ntoso": (
            ENTITY_BOMB
            + '<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act name="act">&a11;</act></akomaNtoso>'
        ).encode(),
        "external entity": (
            '<?xml version="1.0"?><!DOCTYPE b [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
            '<DIV5 N="1" TYPE="PART"><HEAD>PART 1—&x;</HEAD><DIV8 N="1.1" TYPE="SECTION"><HEAD>§ 1.1 &x;</HEAD><P>&x;</P></DIV8></DIV5>'
        ).encode(),
        "deep XML": b'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0">'
        + b"<p>" * deep
        + b"x"
        + b"</p>" * deep,
        "deep HTML": b'<article class="legal-document" id="SFS2099-10">' + b"<div>" * deep + b"1 \xc2\xa7 Text",
        "deep HTML of a word processor": b"<html><body>" + b"<p><b>" * deep + b"ACT NO. 1 OF 2099",
        "deep JSON": b'{"id": "zw-2099-1", "provisions": ' + b"[" * deep,
        "deep JSON objects": b'{"beteckning": "2099:10", "fulltext": ' + b'{"a":' * deep + b"1" + b"}" * deep + b"}",
        "huge attribute": b'<section class="akn-section" data-eId="'
        + b"a" * 3_000_000
        + b'"><span class="akn-p">x</span></section>',
        "huge attribute in XML": b'<DIV5 N="' + b"9" * 3_000_000 + b'" TYPE="PART"><HEAD>x</HEAD></DIV5>',
        "one line of brackets": b"(a)(1)(i)" * 30_000,
        "one line of signs": "1 § 2 § 3 kap. 4 § ".encode() * 20_000,
        "headings only": b"# a\n" * 50_000,
        "deep markdown list": b"".join(b" " * (level % 400) + b"- x\n" for level in range(4_000)),
        "unclosed front matter": b"---\n" + b"a: [" * 20_000,
        "YAML aliases": b"---\na: &a [x,x,x,x,x,x,x,x,x]\n"
        + b"".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]\n".encode() for n in range(9))
        + b"---\n# T\n\ntext\n",
        "spaces": b"1 \xc2\xa7 " + b" " * 300_000 + b"x",
        "quotes": b'"' * 200_000,
        "numbers": b"1.\n" * 100_000,
        "numbered paragraphs": b"".join(b"%d.\n\nThe court held so.\n\n" % number for number in range(1, 6_000)),
        "capital letters": b"A " * 150_000,
        "combining accents": "e\u0301".encode() * 100_000 + b"a" + "\u0301".encode() * 100_000,
        "pipes": b"| a | b |\n|---|---|\n" + b"| " * 100_000,
        "provisos": b"## Section 1 - A.\n\n" + b"Provided that: " * 15_000,
        "tags of paragraphs": "■ x [Para 1] ".encode() * 15_000,
        "arrangement of sections": b"ARRANGEMENT OF SECTIONS\n"
        + b"".join(b"%d. Title.\n" % number for number in range(15_000)),
        "PDF head": b"%PDF-1.7\n" + b"1 0 obj <<" * 20_000,
        "zip head": b"PK\x03\x04" + b"\x00" * 1000 + b"word/document.xml" * 1000,
    }


def zip_bomb() -> bytes:
    """A Word file whose text is 300 MB of the same letter: 300 KB packed."""
    import io
    import zipfile

    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "[Content_Types].xml",
            '<?xml version="1.0"?>'
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
            '<Default Extension="rels" '
            'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" '
            'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            '<?xml version="1.0"?>'
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r1" '
            'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
            'Target="word/document.xml"/></Relationships>',
        )
        with archive.open("word/document.xml", "w") as stream:
            stream.write(
                b'<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>'
            )
            for _ in range(300):
                stream.write(b"a" * 1_000_000)
            stream.write(b"</w:t></w:r></w:p></w:body></w:document>")
    return held.getvalue()
