// What can be measured of how a page looks. Every function walks into shadow roots, where lists and tables are.
(() => {
  const app = () => document.querySelector(".stApp");

  function* all(root) {
    for (const node of root.querySelectorAll("*")) {
      yield node;
      if (node.shadowRoot) yield* all(node.shadowRoot);
    }
  }

  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function rgba(colour) {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  }

  function light([...channels]) {
    const linear = channels.slice(0, 3).map(v => v / 255).map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }

  function behind(node) {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] > 250) return colour;
    }
    return [255, 255, 255, 255];
  }

  // WCAG 2.2, 1.4.3: 4.5 for text, 3 for large text.
  function faint() {
    const found = [];
    for (const node of all(app())) {
      if (node.closest("[aria-hidden=true], button:disabled, [data-testid=stHeader]")) continue;
      const text = [...node.childNodes].filter(each => each.nodeType === 3).map(each => each.textContent).join("").trim();
      const box = node.getBoundingClientRect(), style = getComputedStyle(node);
      if (!text || !box.width || box.height < 4 || style.visibility === "hidden") continue;
      const ink = light(rgba(node.namespaceURI.endsWith("svg") ? style.fill : style.color)), page = light(behind(node));
      const ratio = (Math.max(ink, page) + 0.05) / (Math.min(ink, page) + 0.05), size = parseFloat(style.fontSize);
      const enough = size >= 24 || (size >= 18.66 && style.fontWeight >= 600) ? 3 : 4.5;
      if (ratio < enough) found.push(`${text.slice(0, 40)} ${ratio.toFixed(2)}`);
    }
    return found;
  }

  function headings() {
    const found = [...all(app())].filter(node => /^H[1-6]$/.test(node.tagName) && node.getClientRects().length);
    return found.map(node => [node.getBoundingClientRect().top, Number(node.tagName[1])]).sort((a, b) => a[0] - b[0]).map(each => each[1]);
  }

  function nameless() {
    const found = [...all(app())].filter(node => node.matches("a[href], button, input:not([type=file]), [role=tab], [role=img]"));
    return found
      .filter(node => !node.closest("[data-testid=stHeader], [aria-hidden=true]"))
      .filter(node => !(node.ariaLabel || node.getAttribute("aria-labelledby") || node.textContent.trim() || node.title || node.labels?.length))
      .map(node => node.outerHTML.slice(0, 200));
  }

  function overflow() {
    const main = document.querySelector("[data-testid=stMain]");
    return main.scrollWidth - main.clientWidth;
  }

  return { faint: faint(), headings: headings(), nameless: nameless(), overflow: overflow() };
})()
