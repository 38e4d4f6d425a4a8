"""Solutions of lesson 07. Each is what the learner would write in place of the dots."""

prediction = 0  # the two best are a and b

answer_1 = 3  # c is third

answer_2 = 5 * 40 / 2000

answer_3 = 5 / (40 / 2000)

wanted_order = next(
    c.order for c in everything.trace.candidates if c.chunk_id == before.results[0].chunk_id
)
answer_4 = orders.index(wanted_order) + 1
