// What every element that shows texts needs. Put before the element's own code; texts become text nodes only.

const WORD = /[\p{L}\p{N}]+/gu;

function el(tag, cls, text) {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  if (text != null) node.textContent = text;
  return node;
}

// Query terms are found in the raw text first and become <mark> nodes after; neighbours merge into one mark.
function marked(node, text, terms) {
  const spans = [];
  for (const hit of text.matchAll(WORD)) {
    if (!terms.has(hit[0].toLowerCase())) continue;
    const last = spans.at(-1), end = hit.index + hit[0].length;
    if (last && /^\s+$/.test(text.slice(last[1], hit.index))) last[1] = end;
    else spans.push([hit.index, end]);
  }
  let at = 0;
  for (const [start, end] of spans) {
    node.append(text.slice(at, start), el("mark", null, text.slice(start, end)));
    at = end;
  }
  node.append(text.slice(at));
  return node;
}
