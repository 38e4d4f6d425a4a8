"""What a source file defines: names, kinds, signatures and rows, for every language with a parser.

``parse`` in table.py is the way in. A language with a tree-sitter grammar is one row (a Grammar in
a file named after it) read by syntax.py; Pascal has a scanner of its own.
"""
