"""legal_pipeline: from Acts, regulations and judgments to a search index that stays right while the law changes."""

__version__ = "0.1.0"
