// Answers jobs in lines of JSON with the browser's own modules, for the tests that compare them.
import { createInterface } from "node:readline";
import { resultsOf } from "../../brainkit/widgets/js/answer/results.js";
import { compareCall } from "../../brainkit/widgets/js/answer/code.js";
import { compared, resultAt, side, summary } from "../../brainkit/widgets/js/answer/compare.js";
import { fixed, general, ordinal } from "../../brainkit/widgets/js/answer/format.js";
import { crossings, heightAt } from "../../brainkit/widgets/js/answer/crossings.js";
import { ndcg } from "../../brainkit/widgets/js/evaluation/dcg.js";
import { best, differences, mean, sets, tally } from "../../brainkit/widgets/js/evaluation/model.js";
import { fuse } from "../../brainkit/widgets/js/fuse/fuse.js";
import { unpacked } from "../../brainkit/widgets/js/report/unpack.js";
import { shown } from "../../brainkit/widgets/js/dom/el.js";
import { excerpt } from "../../brainkit/widgets/js/dom/marked.js";

const jobs = {
  fuse: ({ lists, raw, settings }) => {
    const scores = Object.entries(raw).map(([name, side]) => [name, new Map(Object.entries(side).map(([id, v]) => [Number(id), v]))]);
    return fuse(lists, Object.fromEntries(scores), settings).map((one) => [one.id, one.score, one.parts]);
  },
  results: ({ trace, request }) => {
    const answer = resultsOf(trace, request);
    return {
      candidates: answer.candidates,
      notices: answer.notices,
      results: answer.results.map((result) => ({
        rank: result.rank,
        chunk_id: result.candidate.chunk_id,
        score: result.score,
        vector_score: result.vector_score,
        bm25_score: result.bm25_score,
        graph_score: result.graph_score,
        rerank_score: result.rerank_score,
        collapsed: result.collapsed.map((one) => one.chunk_id),
        explanation: result.explanation,
      })),
    };
  },
  compare: ({ trace, requests }) => {
    const sides = requests.map((one) => side(trace, one, resultsOf(trace, one).results));
    const rows = compared(...sides);
    return {
      summary: summary(rows, ...sides),
      rows: rows.map((row) => ({
        chunk_id: row.id,
        where: row.where,
        move: row.move,
        ranks: row.ranks,
        why: requests.map((one, at) => resultAt(trace, one, row.id, sides[at])?.explanation.sentence ?? null),
      })),
    };
  },
  compareCall: (requests) => compareCall(...requests),
  numbers: (values) => values.map((x) => [fixed(x, 2), fixed(x, 3), fixed(x, 4), fixed(x, 6), general(x)]),
  ordinals: (numbers) => numbers.map(ordinal),
  crossings: (lines) => crossings(lines).map((one) => [one.alpha, one.up.id, one.down.id, heightAt(one.up, one.alpha), heightAt(one.down, one.alpha)]),
  ndcg: ({ grades, judged, depth, gain }) => ndcg(grades, judged, depth, gain),
  against: ({ values, base }) => {
    const gains = differences(values, base);
    return { mean: mean(gains), tally: tally(gains) };
  },
  best: (values) => [...best(values)],
  sets: ({ view, depth }) => sets(view, depth),
  unpacked: ({ packed, shared }) => unpacked(packed, shared),
  shown: (texts) => texts.map(shown),
  excerpt: ({ text, marks, lines }) => excerpt(text, marks, lines),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, job] = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(jobs[name](job))}\n`);
}
