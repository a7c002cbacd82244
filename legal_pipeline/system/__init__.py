"""The environment of a process: terminal output, signals, URLs that may contain a password, retries.

Not here: documents, and the output of the commands (`cli`).
"""
