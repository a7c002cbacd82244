"""What a change that moves code must leave as it is, over the whole corpus of real texts: hashes of what is read, cut, published and found.

`python -m legal_pipeline_tests.golden ../shared/corpus` compares, with `--write` it records anew; it takes minutes. The tests compare files
up to `documents.SHORT` bytes and the index of `index`. Hits of the models' vectors are compared by the command alone: they differ from
processor to processor.
"""
