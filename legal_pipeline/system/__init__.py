"""What a process meets outside itself: the terminal and what may be shown there, signals, URLs that may hold a password, retries.

Not here: what a document is, and what the commands say (`cli`).
"""
