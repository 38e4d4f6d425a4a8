import { OWN_KEYS, attribute, h } from "../dom/el.js";

/**
 * Tabs, of which only the open one is drawn.
 *
 * @param {{name: string, title: string, node: HTMLElement, offered: () => boolean}[]} tabs
 * @param {(name: string) => void} opened
 */
export function tabs(tabs, opened) {
  let open = tabs[0]?.name ?? "";
  const buttons = tabs.map((tab) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        ...OWN_KEYS,
        on: { click: () => show(tab.name), keydown: (/** @type {KeyboardEvent} */ event) => step(event, tab.name) },
      },
      tab.title,
    ),
  );
  const panels = tabs.map((tab) => h("div", { role: "tabpanel", "aria-label": tab.title }, tab.node));
  const node = h("div", "tabs", h("div", { role: "tablist", "aria-label": "Views of this answer" }, ...buttons), ...panels);
  const update = () => {
    const offered = tabs.filter((tab) => tab.offered());
    if (!offered.some((tab) => tab.name === open)) open = offered[0]?.name ?? "";
    tabs.forEach((tab, i) => {
      const [button, panel] = [buttons[i], panels[i]];
      if (button === undefined || panel === undefined) return;
      button.hidden = !offered.includes(tab);
      panel.hidden = tab.name !== open;
      attribute(button, "aria-selected", String(tab.name === open));
      attribute(button, "tabindex", tab.name === open ? 0 : -1);
    });
  };
  /** @param {string} name */
  function show(name) {
    open = name;
    update();
    opened(name);
  }
  /** @param {KeyboardEvent} event @param {string} name */
  function step(event, name) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const offered = tabs.filter((tab) => tab.offered());
    const at = offered.findIndex((tab) => tab.name === name);
    const next = offered[(at + by + offered.length) % offered.length];
    if (next === undefined) return;
    show(next.name);
    buttons[tabs.indexOf(next)]?.focus();
    event.preventDefault();
  }
  update();
  return { node, update, isOpen: (/** @type {string} */ name) => open === name };
}
