"""Solutions of lesson 10. Each is what the learner would write in place of the dots."""

prediction = "a"  # c is in neither list of one

answer_1 = (0 - 1) / ((0.6250 - 1) + (0 - 1))

answer_2 = 2  # c is second by meaning

tenths = [step / 10 for step in range(11)]
right = [shown(everything, alpha) for alpha in tenths]
answer_3 = next(
    depth
    for depth in range(5, 1001)
    if [shown(everything.refuse(depth=depth), alpha) for alpha in tenths] == right
)

answer_4 = len(real.trace.candidates)
