"""One reader per format: converts bytes or text to blocks (`parsing.blocks`). Not here: the meaning of blocks (`parsing.recogniser`)."""
