"""The elements of Akoma Ntoso by their role in a document, and the node types that they become.

Not here: the conversion of elements to nodes (`akn.reader`).
"""

from __future__ import annotations

#: Hierarchical elements and their node types.
HIERARCHY = {
    "part": "part", "chapter": "chapter", "subchapter": "subchapter", "subChapter": "subchapter", "title": "title", "subtitle": "title",
    "book": "book", "tome": "book", "subpart": "subpart", "subPart": "subpart", "division": "division", "subdivision": "division",
    "section": "section", "article": "article", "rule": "section", "subrule": "subsection", "subsection": "subsection",
    "paragraph": "paragraph", "subparagraph": "item", "clause": "paragraph", "subclause": "item", "point": "item", "indent": "item",
    "alinea": "paragraph", "level": "division", "item": "item", "proviso": "proviso", "transitional": "transitional",
    "recital": "recital",
    "crossheading": "heading",
}  # fmt: skip
#: Editorial text in paragraphs of its own; not an element of Akoma Ntoso.
REMARKS = "remarks"
#: Containers that are not part of the hierarchy.
CONTAINERS = {
    "coverPage": "header", "coverpage": "header", "preface": "header", "preamble": "preamble", "longTitle": "longtitle", "toc": "toc",
    "conclusions": "signature", "attachment": "schedule", "component": "schedule", "header": "header",
    "background": "background", "introduction": "background", "arguments": "arguments", "motivation": "motivation",
    "remedies": "decision", "decision": "decision",
    REMARKS: "remark",
}  # fmt: skip
QUOTATIONS = frozenset({"embeddedStructure", "quotedStructure"})
NOTES = frozenset({"authorialNote", "note", "popup"})
HEADS = frozenset({"num", "heading", "subheading"})
#: Elements that make their parent more than a line of text.
BLOCKS = frozenset(
    {"p", "table", "tr", "td", "th", "ul", "ol", "li", "blockList", "listIntroduction", "listWrapUp", "listConclusion", "content", "intro",
     "wrapUp", "block", "tblock", "container", "hcontainer", "body", "mainBody", "doc", "act", "attachments", "toc", "tocItem",
     "list", "div", "judgmentBody", "crossHeading", "formula", "recitals", "citations"}
) | HEADS | frozenset(HIERARCHY) | frozenset(CONTAINERS)  # fmt: skip
