"""What is known of each language, as data: `<iso639-3>.toml`, and the loader.

Sections of a file, each optional but `dates` and `provisions`: `dates` (months, every form of a month in one list, and their `order`),
`abbreviations` (written as in print, without the last full stop: `general` the next word decides; `binding` always followed by its number
or name, so no sentence ends there; `final` ends a sentence where a capitalised word follows), `changes` (the words for a change of the law;
a table of a type's name overrides `words`, for gender), `definitions` (patterns of defining sentences; see `chunking/definitions.toml`),
`forms` (prefixes and questions made without a language model; see `enrichment/forms.toml`), `queries` (the words of a question),
`provisions` (the words of headings and the ordinals; see `language`).

Not here: what differs between countries that share a language (`jurisdictions`).
"""
