import { h } from "../dom/el.js";
import { retrieversFor } from "../fuse/fuse.js";
import { choice, numberField } from "./slider.js";
import { picker } from "./picker.js";

/**
 * How far and along what the graph is walked; hidden where no graph is asked.
 *
 * @param {import("./state.js").State} state
 */
export function graphSettings(state) {
  const hops = numberField({
    name: "traversal_depth",
    hint: "How many relations are followed from what the question names.",
    min: 0,
    max: 4,
    step: 1,
    moved: (value) => state.change({ traversal_depth: value }),
  });
  const scorer = choice({
    name: "graph_scorer",
    hint: "How weight is passed on: halved with every hop, guided by the question, or by PageRank.",
    choices: [["hops", "hops"], ["guided", "guided"], ["pagerank", "PageRank"]],
    moved: (value) => state.change({ graph_scorer: value }),
  });
  const kinds = picker(state, "entity_types", "Follow only entities of these kinds.");
  const predicates = picker(state, "relationship_types", "Follow only these relations.");
  const node = h("div", "fields walked", hops.node, scorer.node, kinds, predicates);
  state.listen(() => {
    node.hidden = !retrieversFor(state.request).includes("graph");
    hops.update(state.request.traversal_depth);
    scorer.update(state.request.graph_scorer);
  });
  return node;
}
