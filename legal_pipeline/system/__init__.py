"""The surroundings of a process: terminal output, signals, URLs that may hold a password, retries.

Not here: what a document is, and what the commands say (`cli`).
"""
