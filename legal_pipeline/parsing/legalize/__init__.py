"""Consolidated statutes of civil-law countries in the "legalize" markdown: YAML front matter, headings, articles.

A country is the section `legalize` of its data. Not here: markdown of publishers that have rules of their own.
"""
