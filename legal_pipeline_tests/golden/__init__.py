"""What a change that moves code must leave as it is, over the whole corpus of real texts: chunks, identifiers, prefixes and hits.

`python -m legal_pipeline_tests.golden ../shared/corpus` compares, with `--write` it records anew. Not a test: it takes minutes.
"""
