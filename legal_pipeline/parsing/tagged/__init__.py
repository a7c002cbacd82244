"""Notes whose paragraphs are tagged with the number of the judgment paragraph that they report. Not here: their chunking."""
