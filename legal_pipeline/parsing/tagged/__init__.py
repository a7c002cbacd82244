"""Notes whose paragraphs carry the number of the judgment paragraph that they report. Not here: their chunking."""
