import { OWN_KEYS, attribute, fill, h, say } from "../dom/el.js";
import { card } from "./card.js";
import { end } from "./end.js";
import { help } from "./help.js";
import { actionOf } from "./keys.js";

/** @typedef {import("./types.js").Shown} Shown */
/** @typedef {import("./types.js").Action} Action */
/** @typedef {(ask: string, content?: object) => Promise<unknown>} Ask */

const PATIENCE_MS = 1500;

/**
 * One chunk after the other, to be graded by keyboard or mouse. What was done is said only once the
 * kernel has answered that it is saved; until then no other key counts, so that nothing is graded
 * that was not seen.
 *
 * @param {Shown} first
 * @param {Ask} ask
 */
export function labelling(first, ask) {
  let [shown, busy, lost, problem] = [first, false, "", ""];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let slow;
  const item = card(first.grades);
  const last = end(first.grades, (action) => act(action));
  const picker = h("select", { "aria-label": "Question", on: { change: () => act({ do: "go", to: Number(picker.value) }) }, ...OWN_KEYS });
  const query = h("bdi");
  const meter = h("progress", { "aria-label": "Chunks of this question that are graded or skipped" });
  const count = h("span");
  const whole = h("span", { class: "dim" });
  const error = h("p", { class: "error", role: "alert" });
  const status = h("p", { class: "said", role: "status" });
  const nothing = h("p", { class: "empty" }, "No configuration finds anything for this question, so there is nothing to grade.");
  const grades = first.grades.map(([name, meaning], grade) =>
    button({ do: "grade", grade }, [h("kbd", {}, grade), h("span", {}, name)], String(grade), meaning),
  );
  const scale = h("div", { class: "scale", role: "group", "aria-label": "How relevant is this chunk to the question?" }, ...grades);
  const note = h("input", { type: "text", name: "note", maxlength: 2000, "aria-label": "Note", placeholder: "A note on this chunk", autocomplete: "off", dir: "auto", ...OWN_KEYS });
  const form = h("form", { class: "note" }, note, h("button", { type: "submit" }, "Save note"));
  const guide = help(first.grades);
  const helping = button({ do: "help" }, ["Help ", h("kbd", {}, "?")], "?");
  const back = button({ do: "go", to: "previous" }, ["← Previous"], "ArrowLeft");
  const onward = button({ do: "go", to: "next" }, ["Next →"], "ArrowRight");
  const skip = button({ do: "grade", grade: null }, ["Skip ", h("kbd", {}, "s")], "s");
  const noting = button({ do: "note" }, ["Note ", h("kbd", {}, "n")], "n");
  const undo = button({ do: "undo" }, ["Undo ", h("kbd", {}, "u")], "u");
  const heading = h("h3", { class: "query" }, query);
  const node = h(
    "section",
    { class: "labelling", tabindex: 0, role: "group", "aria-label": "Labelling: keys 0 to 3 grade, question mark for help" },
    h("header", {}, picker, whole),
    heading,
    h("div", { class: "going" }, meter, count),
    error,
    item.node,
    nothing,
    last.node,
    scale,
    h("div", { class: "acts" }, back, onward, skip, undo, noting, helping),
    form,
    h("p", { class: "keys-off hint" }, "Click here, or press Tab, to grade with the keys."),
    status,
    guide,
  );
  guide.hidden = form.hidden = true;

  /** @param {Action} action @param {(string | Node)[]} name @param {string} key @param {string} [title] */
  function button(action, name, key, title) {
    return h("button", { type: "button", title: title ?? null, "aria-keyshortcuts": key, on: { click: () => act(action) } }, ...name);
  }

  /** @param {Action} action */
  function act(action) {
    if (action.do === "help") {
      guide.hidden = !guide.hidden;
      attribute(helping, "aria-expanded", String(!guide.hidden));
    } else if (action.do === "scroll") {
      item.scroll(action.pages, action.lines);
    } else if (action.do === "go") {
      void tell("go", { to: action.to });
    } else if (action.do === "undo") {
      void tell("undo");
    } else if (shown.page.question !== null && shown.page.content !== null) {
      const { question, content } = shown.page;
      if (action.do === "note" && lost === "") {
        form.hidden = false;
        note.focus();
      } else if (action.do === "grade") {
        void tell("grade", { question, content, grade: action.grade, note: note.value });
      }
    }
  }

  /** @param {string} asked @param {object} [content] */
  async function tell(asked, content) {
    if (busy || lost !== "") return;
    [busy, problem] = [true, ""];
    draw();
    slow = setTimeout(() => say(status, "Not done yet: the kernel is busy."), PATIENCE_MS);
    try {
      await ask(asked, content);
    } catch (refused) {
      problem = refused instanceof Error ? refused.message : String(refused);
    }
    clearTimeout(slow);
    busy = false;
    draw();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { page } = shown;
    if (page.question === null || page.content === null) return;
    node.focus();
    void tell("note", { question: page.question, content: page.content, note: note.value });
  });
  node.addEventListener("keydown", (event) => {
    if (event.target === note && event.key === "Escape") {
      note.value = noted();
      form.hidden = note.value === "";
      node.focus();
      event.preventDefault();
    }
    const action = actionOf(event);
    if (action === null || (action.do === "scroll" && event.target !== node)) return;
    event.preventDefault();
    act(action);
  });

  const noted = () => ("note" in shown.page ? shown.page.note : "");
  let noteOf = "";

  function draw() {
    const { page, questions } = shown;
    const isItem = page.question !== null && page.content !== null;
    const root = node.getRootNode();
    const held = root instanceof ShadowRoot ? root.activeElement : null;
    if (picker.options.length !== questions.length + 1) {
      fill(picker, [...questions.map((_, n) => h("option", { value: n })), h("option", { value: -1, disabled: true }, "End")]);
    }
    questions.forEach(([text, seen, total], n) => {
      const option = picker.options[n];
      if (option) say(option, `${seen === total ? "✓" : "○"} ${n + 1}. ${text}`);
    });
    picker.value = String(page.question ?? -1);
    picker.hidden = questions.length === 1 && page.question !== null;
    const done = questions.filter(([, seen, total]) => seen === total).length;
    say(whole, `${done} of ${plural(questions.length, "question")} done · as ${shown.labeller}`);
    const [text, seen, total] = questions[page.question ?? -1] ?? ["", 0, 0];
    say(query, text);
    heading.hidden = page.question === null;
    attribute(meter, "max", Math.max(1, total));
    attribute(meter, "value", seen);
    meter.parentElement?.toggleAttribute("hidden", !isItem);
    const wrong = lost || problem || shown.error || "";
    error.hidden = wrong === "";
    say(error, wrong);
    item.node.hidden = scale.hidden = skip.hidden = noting.hidden = !isItem;
    nothing.hidden = page.question === null || page.content !== null;
    last.node.hidden = page.question !== null;
    onward.hidden = page.question === null;
    if (page.question === null) {
      last.update(page);
    } else if (page.content !== null) {
      item.update(page);
      say(count, `chunk ${page.number} of ${total} · ${seen} done`);
      grades.forEach((one, grade) => attribute(one, "aria-pressed", String(page.grade === grade)));
    }
    const here = isItem ? `${page.question} ${page.content} ${noted()}` : "";
    if (here !== noteOf) {
      noteOf = here;
      note.value = noted();
      form.hidden = note.value === "";
    }
    form.hidden ||= !isItem;
    say(status, busy ? "…" : wrong === "" ? shown.said : "");
    const off = String(busy || lost !== "");
    for (const one of [...grades, skip, undo, noting, back, onward]) attribute(one, "aria-disabled", off);
    attribute(node, "aria-busy", String(busy));
    // A control that goes away would leave the keys to the notebook.
    if (held !== null && !(held instanceof HTMLElement && held.checkVisibility())) node.focus({ preventScroll: true });
  }

  draw();
  return {
    node,
    /** @param {Shown} now */
    update: (now) => {
      shown = now;
      draw();
    },
    /** @param {string} why */
    lose: (why) => {
      lost = why;
      draw();
    },
    stop: () => {
      clearTimeout(slow);
      item.stop();
    },
  };
}

/** @param {number} n @param {string} word */
function plural(n, word) {
  return `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
}
