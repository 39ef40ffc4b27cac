// Two ranked lists side by side, or one merged list where there is no room for two.
//
// Every text is untrusted and is set with textContent; nothing here parses markup. Streamlit calls the default export
// again on every change of data or theme, so it rebuilds from scratch and adds no listener outside its own element.

const SVG = "http://www.w3.org/2000/svg", NARROW = 680;

function toggle(open, label, shown, name, state, onChange) {
  const button = el("button", "more", label(open));
  button.type = "button";
  button.setAttribute("aria-expanded", String(open));
  button.setAttribute("aria-label", `${label(open)}: ${name}`);
  button.addEventListener("click", () => {
    const now = button.getAttribute("aria-expanded") !== "true";
    now ? state.add(shown) : state.delete(shown);
    button.setAttribute("aria-expanded", String(now));
    button.textContent = label(now);
    button.setAttribute("aria-label", `${label(now)}: ${name}`);
    onChange(now);
  });
  return button;
}

function chips(result) {
  const out = [];
  if (result.grade == null) {
    const judge = el("a", "more", "Judge it");
    judge.href = result.judge;
    judge.setAttribute("aria-label", `Judge it: ${result.title || result.name}`);
    out.push(el("span", "chip hole", "unjudged"), judge);
  } else out.push(el("span", "chip " + (result.relevant ? "relevant" : "judged"), `grade ${result.grade}`));
  if (result.tied) {
    const tied = el("span", "chip", "tied score");
    tied.title = "Another document of this list has the same score; their order rests on the tie rule.";
    out.push(tied);
  }
  return out;
}

// What happened to a document, in a word; blue and orange only where a person judged it relevant.
function move(result, side) {
  const { rank, other, relevant, otherShown } = result;
  const better = side === "b" ? (other == null || rank < other) : (other != null && other < rank);
  const cls = relevant && other !== rank ? (better ? " gain" : " harm") : "";
  if (other === rank) return el("span", "move", "same rank");
  if (side === "b") {
    if (other == null) return el("span", "move" + cls, "new");
    if (!otherShown) return el("span", "move" + cls, `new (${other} in A)`);
    return el("span", "move" + cls, `${rank < other ? "▲" : "▼"} ${Math.abs(rank - other)} (was ${other})`);
  }
  if (other == null) return el("span", "move" + cls, "lost");
  if (!otherShown) return el("span", "move" + cls, `lost (${other} in B)`);
  return el("span", "move" + cls, `${other < rank ? "▲" : "▼"} ${Math.abs(rank - other)} (now ${other})`);
}

function address(url) {
  try {
    const parsed = new URL(url);
    if (parsed.protocol !== "http:" && parsed.protocol !== "https:") throw new Error();
    const link = el("a", "url", parsed.host);
    link.href = parsed.href;
    link.target = "_blank";
    link.rel = "noopener noreferrer";
    return link;
  } catch {
    return el("span", "url", url);
  }
}

class View {
  constructor(data, root, state) {
    this.data = data;
    this.root = root;
    this.state = state;
    this.terms = new Set(data.terms);
    this.narrow = root.parentElement ? root.getBoundingClientRect().width < NARROW : false;
  }

  build() {
    const { data, root } = this;
    root.className = "root" + (this.narrow ? " narrow" : "");
    this.body = el("div", "body");
    root.replaceChildren(...(this.narrow ? [] : [this.header()]), this.body);
    if (this.narrow) this.merged();
    else this.sideBySide();
    this.measureTexts();
    this.connect();
  }

  header() {
    const head = el("div", "head");
    for (const side of ["a", "b"]) {
      const title = el("h2", side), list = this.data[side];
      title.append(el("b", null, side.toUpperCase()), el("bdi", "name", list.name), el("span", "role", list.role));
      head.append(title);
    }
    return head;
  }

  // One card. `ranks` are the labels in its margin: one where lists stand side by side, two where they are merged.
  card(result, side, ranks) {
    const { data, state, terms } = this;
    const card = el("article", `card ${side}`), inner = el("div", "inner"), meta = el("div", "meta");
    const name = result.title || result.name;
    card.dataset.doc = result.doc;
    card.dataset.side = side;
    card.dataset.rank = result.rank;
    card.setAttribute("aria-label", `${side.toUpperCase()}, rank ${result.rank}: ${name}`);
    if (result.other == null || !result.otherShown) card.classList.add("only");
    if (result.relevant) card.classList.add("is-relevant");
    inner.append(marked(el("h3", result.title ? null : "bare"), name, result.title ? terms : new Set()));
    const key = `${side}:${result.rank}`;
    const buttons = [];
    if (result.text) {
      const text = marked(el("p", "text" + (state.has("t" + key) ? " open" : "")), result.text, terms);
      inner.append(text);
      buttons.push(toggle(state.has("t" + key), open => open ? "Less" : "More", "t" + key, name, state, open => {
        text.classList.toggle("open", open);
        this.draw();
      }));
      buttons[0].classList.add("unclamp");
    }
    if (data.comparable) meta.append(move(result, side));
    meta.append(...chips(result));
    if (result.title) meta.append(el("code", "doc", result.name));
    if (result.score != null) meta.append(el("span", "score", `score ${result.score}`));
    if (result.url) meta.append(address(result.url));
    inner.append(meta);
    if (result.explanation) {
      const why = el("pre", "why", result.explanation);
      why.hidden = !state.has("w" + key);
      why.tabIndex = 0;
      buttons.push(toggle(state.has("w" + key), open => open ? "Hide explanation" : "Explain", "w" + key, name, state, open => {
        why.hidden = !open;
        this.draw();
      }));
      inner.append(why);
    }
    meta.append(...buttons);
    const margin = el("div", "ranks");
    for (const [cls, text] of ranks) margin.append(el("span", cls, text));
    card.append(margin, inner);
    return card;
  }

  // Ranks at which both lists show the same document, gathered into runs.
  runs() {
    const { a, b } = this.data, rows = Math.max(a.results.length, b.results.length), out = [];
    for (let i = 0; i < rows; i++) {
      const left = a.results[i], right = b.results[i];
      const same = !!left && !!right && left.doc === right.doc;
      const last = out.at(-1);
      if (same && last?.same) last.rows.push([left, right]);
      else out.push({ same, rows: [[left, right]] });
    }
    return out;
  }

  fold(rows, first) {
    const { state } = this, key = `f${first}`, last = first + rows.length - 1;
    const box = el("div", "fold"), button = el("button", "unfold");
    button.type = "button";
    const range = first === last ? String(first) : `${first}–${last}`;
    button.append(el("span", "range", range), el("span", "what", "same on both sides"),
      el("span", "peek", rows.map(([left]) => left.title || left.name).join("  ·  ")), el("span", "chevron", "›"));
    const list = el("div", "same");
    for (const [left, right] of rows) list.append(this.slim(left, right));
    const set = open => {
      button.setAttribute("aria-expanded", String(open));
      list.hidden = !open;
    };
    set(state.has(key));
    button.addEventListener("click", () => {
      const open = list.hidden;
      open ? state.add(key) : state.delete(key);
      set(open);
      this.measureTexts();
      this.draw();
    });
    box.append(button, list);
    return box;
  }

  slim(left, right) {
    const row = this.card({ ...right, title: right.title || left.title }, "b", [["r", right.rank]]);
    row.classList.add("slim");
    return row;
  }

  sideBySide() {
    const { data, body } = this;
    const notice = side => el("p", `notice ${side}`, data[side].notice);
    if (!data.a.results.length && !data.b.results.length) {
      const row = el("div", "row");
      row.append(notice("a"), notice("b"));
      body.append(row);
    }
    let rank = 1;
    for (const run of this.runs()) {
      if (run.same) body.append(this.fold(run.rows, rank));
      else for (const [left, right] of run.rows) {
        const row = el("div", "row");
        if (!left && data.a.notice && !body.querySelector(".notice.a")) row.append(notice("a"));
        if (!right && data.b.notice && !body.querySelector(".notice.b")) row.append(notice("b"));
        if (left) row.append(this.card(left, "a", [["r", left.rank]]));
        if (right) row.append(this.card(right, "b", [["r", right.rank]]));
        body.append(row);
      }
      rank += run.rows.length;
    }
  }

  merged() {
    const { data, body } = this;
    const heading = (side, text) => {
      const title = el("h2", "part");
      title.append(el("b", null, side.toUpperCase()), el("bdi", "name", data[side].name), el("span", "role", text));
      return title;
    };
    body.append(heading("b", `${data.b.role}, with the rank in A beside it`));
    if (data.b.notice) body.append(el("p", "notice", data.b.notice));
    let rank = 1;
    for (const run of this.runs()) {
      if (run.same) body.append(this.fold(run.rows, rank));
      else for (const [, right] of run.rows) {
        if (right) body.append(this.card(right, "b", [["r", right.rank], ["was", right.other == null ? "–" : right.other]]));
      }
      rank += run.rows.length;
    }
    const lost = data.a.results.filter(result => result.other == null || !result.otherShown);
    if (lost.length || data.a.notice) body.append(heading("a", data.a.role + (lost.length ? `: no longer among the first ${data.depth}` : "")));
    if (data.a.notice) body.append(el("p", "notice", data.a.notice));
    for (const result of lost) body.append(this.card(result, "a", [["r", result.rank]]));
  }

  // "More" only where something is cut off.
  measureTexts() {
    for (const button of this.body.querySelectorAll(".unclamp")) {
      const text = button.closest(".inner").querySelector(".text");
      if (!text.offsetParent) continue;
      button.hidden = button.getAttribute("aria-expanded") !== "true" && text.scrollHeight <= text.clientHeight + 1;
    }
  }

  connect() {
    const { body } = this;
    this.svg = null;
    if (this.narrow) return;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("aria-hidden", "true");
    body.append(this.svg);
    this.draw();
    const hot = doc => {
      body.classList.toggle("has-hot", doc != null);
      for (const node of body.querySelectorAll(".card, path")) node.classList.toggle("hot", doc != null && node.dataset.doc === doc);
    };
    const near = event => hot(event.target.closest(".row .card")?.dataset.doc ?? null);
    body.addEventListener("pointerover", near);
    body.addEventListener("focusin", near);
    body.addEventListener("pointerleave", () => hot(null));
    body.addEventListener("focusout", () => hot(null));
  }

  draw() {
    if (!this.svg) return;
    const { body, svg, data } = this, origin = body.getBoundingClientRect();
    const cards = new Map([...body.querySelectorAll(".row .card")].map(card => [`${card.dataset.side}:${card.dataset.rank}`, card]));
    svg.replaceChildren();
    for (const result of data.a.results) {
      if (result.other == null || !result.otherShown) continue;
      const from = cards.get(`a:${result.rank}`)?.getBoundingClientRect();
      const to = cards.get(`b:${result.other}`)?.getBoundingClientRect();
      if (!from || !to) continue;
      const x1 = from.right - origin.left, x2 = to.left - origin.left, bend = (x2 - x1) / 2;
      const y1 = from.top - origin.top + Math.min(from.height / 2, 26), y2 = to.top - origin.top + Math.min(to.height / 2, 26);
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`);
      path.setAttribute("class", !result.relevant || result.rank === result.other ? "plain" : result.other < result.rank ? "gain" : "harm");
      path.dataset.doc = result.doc;
      svg.append(path);
    }
  }

  resized(width) {
    const narrow = width < NARROW;
    if (narrow !== this.narrow) {
      this.narrow = narrow;
      this.build();
    } else {
      this.measureTexts();
      this.draw();
    }
  }
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".root");
  if (!root) {
    root = el("div", "root");
    parentElement.append(root);
  }
  root.observer?.disconnect();
  if (root.topic !== data.topic) root.open = new Set();          // what was unfolded belongs to one topic
  root.topic = data.topic;
  const view = new View(data, root, root.open);
  view.build();
  root.observer = new ResizeObserver(([entry]) => view.resized(entry.contentRect.width));
  root.observer.observe(root);
  return () => root.observer?.disconnect();
}
