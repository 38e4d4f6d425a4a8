"""Solutions of lesson 08. Each is what the learner would write in place of the dots."""

prediction = "recall"  # all three relevant chunks, but the first of them in the second place

prediction_same = measured.compare()[0].tally.ties  # few, in the sample 7 of 64

answer_1 = (3 / log2(2) + 0 + 1 / log2(4)) / (3 / log2(2) + 1 / log2(3) + 1 / log2(4))

answer_2 = difference.index[-1]  # the last of the strip

# Shortest first, so that the first that holds is the answer.
best_first = (pairs["hybrid"] - pairs["words"]).sort_values(ascending=False)
answer_3 = next(n for n in range(len(best_first)) if best_first.iloc[n:].mean() <= 1e-9)

answer_4 = 2 / 2**6  # all heads or all tails
