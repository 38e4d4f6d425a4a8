"""Solutions of lesson 03. Each is what the learner would write in place of the dots."""

prediction = "d"  # the shortest, and the one that points most the same way

answer_1 = 1 / (2**0.5 * 2**0.5)

answer_2 = (6, 8)  # twice (3, 4)

# The tenth-best similarity survives a threshold that the eleventh does not reach.
answer_3 = min(
    step / 100
    for step in range(101)
    if meaning.refuse(similarity_threshold=step / 100).response.candidates <= 10
)

answer_4 = "a kitten lay down on a rug"
