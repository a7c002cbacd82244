"""One reader per format: bytes or text in, blocks (`parsing.blocks`) out. Not here: what the blocks mean (`parsing.recogniser`)."""
