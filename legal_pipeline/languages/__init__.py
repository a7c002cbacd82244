"""What is known of each language, as data: `<iso639>.toml`, and the loader.

Not here: what differs between countries that share a language (`jurisdictions`).
"""
