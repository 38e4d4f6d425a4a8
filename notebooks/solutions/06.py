"""Solutions of lesson 06. Each is what the learner would write in place of the dots."""

prediction = 3  # the note about her, and those one and two hops away

answer_1 = 0.5 / (1 + 0.5)  # the Difference Engine is not reached

answer_2 = 3  # Ada Byron - Charles Babbage - Difference Engine - London

answer_3 = degrees.index[0]
