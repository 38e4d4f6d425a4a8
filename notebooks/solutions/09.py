"""Solutions of lesson 09. Each is what the learner would write in place of the dots."""

prediction = "a loss"  # cat falls to rank 2, and birds has nothing to gain

answer_1 = 0.6  # any from 0.4871 to 0.6457, the default among them

answer_2 = (1 + 1 + 0.5 + 1) / 4 - (0.5 + 1 + 1 + 1) / 4

on_own = tuned.means.max() - tuned.default_scores.mean()
answer_3 = on_own - tuned.held.gain.mean

answer_4 = 32 * (0.04 / 0.01) ** 2
