"""Notes whose paragraphs carry the number of the judgment paragraph that they report (seed 003). Not here: their chunking."""
