"""A brain on disk: immutable generations, each one DuckDB file and the indexes made from it."""
