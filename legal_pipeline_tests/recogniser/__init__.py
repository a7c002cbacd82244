"""How well the recogniser finds what the mark-up of a law says, when the mark-up is taken away.

`python -m legal_pipeline_tests.recogniser CORPUS` renders Acts of known structure without ids, classes and elements of law, reads them
again and counts. With `--bespoke` it reads the files of text formats with their own parsers and
with the recogniser. Not here: tests on samples of our own (`legal_pipeline_tests.parsing.recogniser`).
"""
