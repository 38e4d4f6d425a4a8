"""A widget in Python and its view on a page, joined without Jupyter: messages carried by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# As Backbone's model does: a value that equals the one before is no change.
_MODEL = """
async (code, state) => {
  const heard = new Map(), same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  const tell = (event, value) => [...(heard.get(event) ?? [])].forEach(f => f(value));
  let unsaved = {};
  window.outbox = [];
  window.model = {
    get: name => state[name],
    set(name, value) {
      if (same(state[name], value)) return;
      state[name] = unsaved[name] = value;
      tell(`change:${name}`, value);
    },
    save_changes() { outbox.push({ method: "update", state: unsaved }); unsaved = {}; },
    send: content => outbox.push({ method: "custom", content }),
    on: (event, f) => heard.set(event, (heard.get(event) ?? new Set()).add(f)),
    off: (event, f) => heard.get(event)?.delete(f),
  };
  window.lose = () => tell("comm_live_update");
  window.deliver = messages => {
    for (const { method, state: now, content } of messages) {
      if (method === "custom") tell("msg:custom", content);
      if (method !== "update") continue;
      const names = Object.keys(now).filter(name => !same(state[name], now[name]));
      Object.assign(state, now);
      for (const name of names) tell(`change:${name}`, state[name]);
    }
  };
  const module = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  window.draw = (await import(module)).default.render;
  window.here = document.getElementById("here");
  window.stop = draw({ model, el: here });
}
"""


class Bridge:
    """One widget drawn on one page. ``carry`` until nothing is left to say on either side."""

    def __init__(self, page: Any, widget: Any, file: Path, *, head: str = "") -> None:
        self.page, self.widget = page, widget
        self._sent: list[dict[str, Any]] = []
        widget.comm.publish_msg = self._keep
        file.write_text(f'<!doctype html><meta charset="utf-8">{head}<div id="here"></div>')
        page.open(file)
        state = {name: value for name, value in widget.get_state().items() if name != "layout"}
        page.run(_MODEL, state.pop("_esm"), json.loads(json.dumps(state)))
        self.carry()

    def carry(self) -> None:
        """Carry messages both ways until there are none."""
        while True:
            said = self.page.value("outbox.splice(0)")
            for message in said:
                self.widget._handle_msg({"content": {"data": message}, "buffers": []})
            if wait := getattr(self.widget, "wait", None):
                assert wait(20)
            sent, self._sent = self._sent, []
            if sent:
                self.page.run("async messages => deliver(messages)", sent)
            elif not said:
                return

    def _keep(self, kind: str, data: Any = None, **_: Any) -> None:
        if kind == "comm_msg":
            self._sent.append(json.loads(json.dumps(data)))
