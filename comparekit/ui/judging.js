// Two lists without names, or one document, to be judged by key.
//
// It also guards the keys of the page: a held key, a key pressed before the next pair was seen, and a second key while
// the first is on its way do nothing. The buttons themselves are Streamlit's; this only decides which keys reach them.

const NARROW = 680, LOST = 4000;
const guard = { token: null, nonce: null, seen: Infinity, dwell: 350, keys: new Set(), busy: -Infinity, root: null };

const typing = node => !!node && (node.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(node.tagName));

function stop(event) {
  event.stopImmediatePropagation();
  event.preventDefault();
}

function blink(cls) {
  const { root } = guard;
  if (!root) return;
  root.classList.remove(cls);
  requestAnimationFrame(() => root.classList.add(cls));
}

function onKey(event) {
  const target = event.composedPath()[0], now = performance.now();
  if (!guard.root?.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector('[data-testid="stDialog"]')) return /^[0-9a-z]$/i.test(event.key) && !typing(target) && stop(event);
  if (typing(target)) {
    // Leaving the box hands the keys back to the answers; what was typed is sent on leaving.
    if (event.key === "Escape" || (event.key === "Enter" && !event.shiftKey)) setTimeout(() => target.blur(), 0);
    return;
  }
  const key = event.key.toLowerCase();
  if (!/^[0-9a-z]$/.test(key)) return;
  if (key === "e") {
    if (!event.repeat) guard.root.view?.whole();
    return stop(event);
  }
  if (!guard.keys.has(key)) return;
  if (event.repeat || now - guard.busy < LOST) return stop(event);
  if (now - guard.seen < guard.dwell || !hasButtons()) {
    blink("early");
    return stop(event);
  }
  guard.busy = now;
  delete guard.root.dataset.ready;
}

// The buttons of what is shown are drawn after it, and a key before that would go nowhere, or to the last ones.
function hasButtons() {
  return !!document.querySelector(`[class*="st-key-k-${CSS.escape(guard.token)}-"]`);
}

// Whoever drives this page without eyes waits for `data-ready`: from then on a key counts.
function ready(root) {
  const left = guard.dwell - (performance.now() - guard.seen);
  if (guard.busy > 0 || guard.root !== root) return;
  if (left > 0 || !hasButtons()) setTimeout(() => ready(root), Math.max(left, 20));
  else root.dataset.ready = "";
}

// The page is as the server last drew it: keys are taken again, and a new pair is seen from its first frame on.
function seen(data, root) {
  guard.root = root;
  guard.keys = new Set(data.keys);
  guard.dwell = data.dwell;
  if (guard.nonce !== data.nonce) guard.busy = -Infinity;
  guard.nonce = data.nonce;
  if (guard.token === data.token) return ready(root);
  guard.token = data.token;
  guard.seen = Infinity;
  delete root.dataset.ready;
  requestAnimationFrame(() => requestAnimationFrame(() => {
    guard.seen = performance.now();
    ready(root);
  }));
}

class Pair {
  constructor(data, root) {
    this.data = data;
    this.root = root;
    this.terms = new Set(data.terms);
    this.open = new Set();
    this.narrow = root.getBoundingClientRect().width < NARROW;
  }

  build() {
    const { data, root } = this;
    root.className = "root" + (this.narrow ? " narrow" : "") + (data.right ? "" : " alone");
    this.body = el("div", "body");
    if (data.right) {
      root.replaceChildren(this.header(), this.body);
      for (const [index, [left, right]] of this.rows().entries()) this.row(left, right, index + 1);
    } else {
      root.replaceChildren(this.body);
      this.body.append(this.card(data.left[0], "left", null));
    }
    this.measure();
    this.link();
  }

  header() {
    const head = el("div", "head");
    this.tabs = ["left", "right"].map(side => {
      const title = el("h2", side), name = side === "left" ? "Left" : "Right";
      if (!this.narrow) title.append(name);
      else {
        const button = el("button", "tab", name);
        button.type = "button";
        button.addEventListener("click", () => this.turn(side));
        title.append(button);
      }
      head.append(title);
      return title;
    });
    if (!this.narrow) {
      const more = el("button", "whole");
      more.type = "button";
      more.append("Whole texts ", el("kbd", null, "E"));
      more.setAttribute("aria-pressed", "false");
      more.addEventListener("click", () => this.whole());
      this.more = more;
      this.tabs[1].append(more);
    }
    return head;
  }

  rows() {
    const { left, right } = this.data;
    return Array.from({ length: Math.max(left.length, right.length) }, (_, i) => [left[i], right[i]]);
  }

  row(left, right, rank) {
    const { body, data } = this;
    if (data.fold && left && right && left.doc === right.doc) {
      body.append(this.slim(left, rank));
      return;
    }
    const row = el("div", "row");
    for (const [side, found] of [["left", left], ["right", right]]) {
      const ends = !found && !body.querySelector(`.gap.${side}`);
      row.append(found ? this.card(found, side, rank)
        : el("p", `${side}${ends ? " gap" : ""}`, ends ? (rank === 1 ? "This list is empty." : "This list ends here.") : ""));
    }
    body.append(row);
  }

  name(found) {
    return found.title || (found.text ? "" : "A document without a pinned text");
  }

  card(found, side, rank) {
    const { data, terms } = this;
    const card = el("article", `card ${side}`), inner = el("div", "inner");
    const label = this.name(found) || found.text.slice(0, 80);
    card.dataset.doc = found.doc;
    card.setAttribute("aria-label", rank == null ? label : `${side === "left" ? "Left" : "Right"} ${rank}: ${label}`);
    if (data.ranks && rank != null) card.append(el("span", "rank", rank));
    const top = el("div", "top");
    if (this.name(found)) top.append(marked(el(data.right ? "h3" : "h2", found.title ? null : "bare"), this.name(found), terms));
    inner.append(top);
    if (found.text) this.text(inner, top, found, `${side} ${rank}`, label);
    const meta = Object.entries(found.fields);
    if (meta.length) {
      const line = el("p", "meta");
      for (const [name, value] of meta) {
        const fact = el("span", null, value);
        fact.title = name;
        line.append(fact);
      }
      inner.append(line);
    }
    card.append(inner);
    return card;
  }

  text(inner, top, found, key, label) {
    const text = marked(el("p", "text"), found.text, this.terms);
    const more = el("button", "more", "More");
    more.type = "button";
    const set = open => {
      text.classList.toggle("open", open);
      more.textContent = open ? "Less" : "More";
      more.setAttribute("aria-expanded", String(open));
      more.setAttribute("aria-label", `${open ? "Less" : "More"}: ${label}`);
      open ? this.open.add(key) : this.open.delete(key);
    };
    more.set = set;
    set(this.data.right == null || this.open.has(key));
    more.addEventListener("click", () => set(more.getAttribute("aria-expanded") !== "true"));
    more.clamped = text;
    (top.firstChild ? top : inner).append(more);
    inner.append(text);
  }

  // Both lists have this document here: one line, its text on demand.
  slim(found, rank) {
    const box = el("details", "slim"), line = el("summary");
    box.dataset.doc = found.doc;
    if (this.data.ranks) line.append(el("span", "rank", rank));
    line.append(marked(el("span", "title"), this.name(found) || found.text.slice(0, 120), this.terms),
      el("span", "same", "same on both sides"));
    box.append(line);
    if (found.text) box.append(marked(el("p", "text open"), found.text, this.terms));
    return box;
  }

  // "More" only where something is cut off.
  measure() {
    for (const more of this.body.querySelectorAll(".more")) {
      const text = more.clamped;
      more.hidden = this.data.right == null ||
        (more.getAttribute("aria-expanded") !== "true" && text.scrollHeight <= text.clientHeight + 1);
    }
  }

  whole() {
    const all = [...this.body.querySelectorAll(".more")];
    const open = !all.every(more => more.hidden || more.getAttribute("aria-expanded") === "true");
    for (const more of all) if (!more.hidden) more.set(open);
    this.more?.setAttribute("aria-pressed", String(open));
    this.measure();
  }

  // The same document on the other side is marked while one is looked at.
  link() {
    const { body } = this;
    const hot = doc => {
      for (const node of body.querySelectorAll("[data-doc]")) node.classList.toggle("hot", doc != null && node.dataset.doc === doc);
    };
    const near = event => hot(event.target.closest("[data-doc]")?.dataset.doc ?? null);
    body.addEventListener("pointerover", near);
    body.addEventListener("focusin", near);
    body.addEventListener("pointerleave", () => hot(null));
    if (!this.narrow || !this.data.right) return;
    body.addEventListener("click", near);
    body.addEventListener("scroll", () => this.turned(), { passive: true });
    this.turned();
  }

  turn(side) {
    this.body.scrollTo({ left: side === "left" ? 0 : this.body.scrollWidth, behavior: "smooth" });
  }

  turned() {
    const right = this.body.scrollLeft > (this.body.scrollWidth - this.body.clientWidth) / 2;
    for (const [index, title] of this.tabs.entries()) {
      const on = (index === 1) === right;
      title.classList.toggle("on", on);
      title.querySelector("button").setAttribute("aria-pressed", String(on));
    }
  }

  resized(width) {
    const narrow = width < NARROW;
    if (narrow === this.narrow) return this.measure();
    this.narrow = narrow;
    this.build();
  }
}

function toTop(node) {
  const main = node.getRootNode().host?.closest('[data-testid="stMain"]');
  if (main) main.scrollTop = 0;
}

export default function ({ data, parentElement }) {
  let root = parentElement.querySelector(".root");
  if (!root) {
    root = el("div", "root");
    parentElement.append(root);
  }
  const fresh = root.view?.data.shown !== data.shown;
  const other = root.view?.data.token !== data.token;
  if (fresh) {
    root.observer?.disconnect();
    root.view = new Pair(data, root);
    root.view.build();
    root.observer = new ResizeObserver(([entry]) => root.view.resized(entry.contentRect.width));
    root.observer.observe(root);
  }
  if (other) toTop(root);
  seen(data, root);
  // The same function each time, so it is added once; it goes with the element.
  window.addEventListener("keydown", onKey, true);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    root.observer?.disconnect();
    guard.root = guard.token = null;
  };
}
