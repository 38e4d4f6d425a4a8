"""Solutions of lesson 02. Each is what the learner would write in place of the dots."""

prediction = "a"  # two different terms beat one that repeats

prediction_spam = "a"  # fifty times one term stays below 2.5 times its idf

answer_1 = log(1 + (4 - 1 + 0.5) / (1 + 0.5))

answer_2 = answer_1 * 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 2.5))

answer_3 = 0  # then the norm is k1 whatever the length

answer_4 = max(real.explain(1).parts, key=lambda part: part.value).name
