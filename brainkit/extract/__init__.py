"""Entities and relations: the facts of one file, then what they mean together.

``facts_of`` (file by file, at ingest) -> Facts, stored as they are -> ``resolve`` (for each
generation, over all files) -> Graph.
"""
