"""Solutions of lesson 04. Each is what the learner would write in place of the dots."""

prediction = "c"  # first on neither side, bad on neither

answer_1 = 0.25 * 0.28 / 0.96 + 0.75 * 0.9304 / 1.2718

answer_2 = (0 - 1) / ((0.6250 - 1) + (0 - 1))

answer_3 = 6  # five crossings inside, since a is ahead of b on both sides

answer_4 = min(
    step / 100
    for step in range(101)
    if real.refuse(alpha=step / 100).results[0].chunk_id == real.refuse(alpha=1).results[0].chunk_id
)
