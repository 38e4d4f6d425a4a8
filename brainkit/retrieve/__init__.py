"""Retrievers: a question in, a ranked list out. They know the stores, not each other."""
