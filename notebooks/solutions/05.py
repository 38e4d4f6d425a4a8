"""Solutions of lesson 05. Each is what the learner would write in place of the dots."""

prediction = "a"  # ranks 3 and 1 beat ranks 2 and 3

answer_1 = 1 / (60 + 4) + 1 / (60 + 2)

answer_2 = 11  # n < k + 2

# d has to pass a, from 32 on, and then c, which is second by vector: w/61 > w/62 + 1/63.
answer_3 = 61
