"""Solutions of lesson 01. Each is what the learner would write in place of the dots."""

prediction = 3  # cat, sat and mat; "the" and "on" are stop words

# Whole name, its parts with their endings cut, and the number; "is" is a stop word.
answer_1 = ["max_retries", "max", "retri", "4"]

answer_2 = "dog"  # or "dogs", "The Dog!"

answer_3 = 7  # the rows of the table: bird, cat, chase, dog, mat, sat, sing

answer_4 = brain.query(word, mode="bm25").trace.terms[0].documents
