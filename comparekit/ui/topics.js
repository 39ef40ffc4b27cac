// A table of topics. Every text is untrusted and is set with textContent; nothing here parses markup.

function cell(row, cls, ...children) {
  const node = el("td", cls);
  node.append(...children);
  row.append(node);
}

function delta(row) {
  const side = row.side > 0 ? "gain" : row.side < 0 ? "harm" : "even";
  const box = el("span", `delta ${side}`), track = el("span", "track"), bar = el("span", "bar");
  bar.classList.add(side);
  bar.style.width = `${Math.abs(row.share) * 50}%`;
  bar.style[row.share < 0 ? "right" : "left"] = "50%";
  track.append(bar);
  track.setAttribute("aria-hidden", "true");
  box.append(track, el("span", "value", row.delta));
  return box;
}

function line(row, open) {
  const node = el("tr"), link = el("a", "id", row.id), what = el("div", "what");
  link.href = row.href;
  link.addEventListener("click", event => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;      // a tab of its own
    event.preventDefault();
    event.stopPropagation();
    open(row.topic);
  });
  node.addEventListener("click", event => {
    if (getSelection()?.toString() || event.ctrlKey || event.metaKey) return;
    open(row.topic);
  });
  what.append(el("bdi", "text", row.text), el("span", "strata", row.strata.join(" · ")));
  const first = el("th", "topic");
  first.scope = "row";
  first.append(link);
  node.append(first);
  cell(node, "said", what);
  cell(node, "num a", row.a);
  cell(node, "num b", row.b);
  cell(node, "num change", delta(row));
  cell(node, "num rbo", row.unsure ? `≈ ${row.rbo}` : row.rbo);
  if (row.unsure) node.querySelector(".rbo").title = "What was not seen could still change this by more than 0.1.";
  cell(node, "story", row.story);
  return node;
}

function group(data, part, state, open) {
  const box = el("div", "group"), table = el("table"), head = el("tr"), body = el("tbody");
  const caption = el("caption", null, `${data.label}: ${part.label}`);
  for (const [name, cls] of [["Topic", ""], ["", "said"], ["A", "num a"], ["B", "num b"], [`Change in ${data.measure}`, "num change"], ["RBO", "num rbo"], ["What changed", "story"]]) {
    const title = el(name ? "th" : "td", cls, name);
    if (name) title.scope = "col";
    head.append(title);
  }
  const top = el("thead");
  top.append(head);
  table.append(caption, top, body);
  box.append(table);
  const key = part.label, all = state.has(key) || part.rows.length <= data.shown + 2;
  for (const row of part.rows.slice(0, all ? undefined : data.shown)) body.append(line(row, open));
  if (!part.rows.length) box.replaceChildren(el("p", "none", "None."));
  if (!all) {
    const more = el("button", "more", `Show ${part.rows.length - data.shown} more`);
    more.type = "button";
    more.addEventListener("click", () => {
      state.add(key);
      const at = body.children.length;
      for (const row of part.rows.slice(data.shown)) body.append(line(row, open));
      more.remove();
      body.children[at].querySelector("a").focus();
    });
    box.append(more);
  }
  if (part.more) box.append(el("p", "none", part.more));
  return box;
}

function tabs(data, state, draw) {
  const bar = el("div", "tabs");
  bar.setAttribute("role", "tablist");
  data.groups.forEach((part, at) => {
    const tab = el("button", "tab", part.label);
    tab.append(el("span", "count", part.whole.toLocaleString("en")));
    tab.type = "button";
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", String(at === state.at));
    tab.tabIndex = at === state.at ? 0 : -1;
    tab.addEventListener("click", () => draw(at));
    bar.append(tab);
  });
  bar.addEventListener("keydown", event => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) draw((state.at + step + data.groups.length) % data.groups.length, true);
  });
  return bar;
}

export default function ({ data, parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".root");
  if (!root) {
    root = el("div", "root");
    root.shown = new Set();
    root.at = 0;
    parentElement.append(root);
    root.addEventListener("keydown", event => {
      const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      const next = step && event.target.closest?.("tr")?.[step]?.querySelector("a");
      if (!next) return;
      event.preventDefault();
      next.focus();
    });
  }
  root.open = topic => setTriggerValue("open", topic);
  const open = topic => root.open(topic);
  const draw = (at, focus = false) => {
    root.at = Math.min(at, data.groups.length - 1);
    root.replaceChildren(
      ...(data.groups.length > 1 ? [tabs(data, root, draw)] : []),
      group(data, data.groups[root.at], root.shown, open),
    );
    if (focus) root.querySelector("[aria-selected=true]").focus();
  };
  draw(root.at);
}
