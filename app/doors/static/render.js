// Answers as DOM. Text from documents and models only ever becomes text or sanitised Markdown.
const TAGS = ["p", "br", "strong", "em", "del", "code", "pre", "ul", "ol", "li", "blockquote", "hr",
  "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "sub", "sup", "a"];
const ATTRIBUTES = ["href", "colspan", "rowspan", "start"];

export function el(name, { text, className, ...rest } = {}, ...children) {
  const node = document.createElement(name);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  for (const [key, value] of Object.entries(rest)) node[key] = value;
  node.append(...children);
  return node;
}

function clean(html) {
  const part = DOMPurify.sanitize(html, {
    ALLOWED_TAGS: TAGS, ALLOWED_ATTR: ATTRIBUTES, ALLOWED_URI_REGEXP: /^https?:/i, RETURN_DOM_FRAGMENT: true,
  });
  for (const link of part.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer nofollow";
  }
  return part;
}

export function markdown(text) {
  return clean(marked.parse(text, { gfm: true, breaks: true, async: false }));
}

// Each [n] of a known source becomes a button.
export function cite(root, known, open) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const node of texts) {
    const parts = node.data.split(/(\[\d+\])/);
    if (parts.length === 1) continue;
    node.replaceWith(...parts.map((part) => {
      const source = known.get(part.slice(1, -1));
      if (!/^\[\d+\]$/.test(part) || !source) return document.createTextNode(part);
      const button = el("button", { type: "button", className: "cite", text: source.n, title: source.quote });
      button.addEventListener("click", () => open(source));
      return button;
    }));
  }
}

export function figure(image, words) {
  const box = el("figure", { className: "shown" });
  if (image.url) {
    const picture = el("img", { src: image.url, alt: image.caption || image.label, loading: "lazy" });
    box.append(el("a", { href: image.url, target: "_blank", rel: "noopener" }, picture));
  } else if (image.html) {
    box.append(clean(image.html));
  } else {
    box.append(el("p", { className: "dim", text: words.missing }));
  }
  const page = image.page ? " · " + words.page.replace("{n}", image.page) : "";
  box.append(el("figcaption", {}, el("strong", { text: image.caption || image.label || image.type }),
    el("span", { className: "dim", text: " — " + image.source + page })));
  return box;
}

// A figure stands after the block that names it, else at the end.
export function place(root, images, words) {
  const squeeze = (text) => text.replace(/\s+/g, "");
  for (const image of images) {
    const label = squeeze(image.label || "");
    const blocks = [...root.children].filter((block) => block.tagName !== "FIGURE");
    const home = label && blocks.find((block) => squeeze(block.textContent).includes(label));
    const shown = figure(image, words);
    if (home) home.after(shown); else root.append(shown);
  }
}

export function sources(list, words, open) {
  const items = list.map((source) => {
    const button = el("button", { type: "button", className: "source" },
      el("span", { className: "number " + source.verdict, text: source.n }),
      el("strong", { text: source.doc }),
      el("span", { className: "dim", text: where(source, words) }));
    button.addEventListener("click", () => open(source));
    return el("li", {}, button);
  });
  return el("div", { className: "sources" }, el("h3", { text: words.sources }), el("ol", {}, ...items));
}

export function where(source, words) {
  const { page_start: first, page_end: last } = source;
  const span = first == null ? "" : words.page.replace("{n}", last && last !== first ? `${first}–${last}` : first);
  return [span, source.section_path].filter(Boolean).map((part) => " · " + part).join("");
}

export function trace(data, words) {
  const rows = (data.hits || []).map((hit) => {
    const explain = hit.explain || {};
    const legs = Object.entries(explain.legs || {}).map(([leg, at]) => `${leg} ${at.rank}`).join(", ");
    const page = hit.page ? ` · ${words.page.replace("{n}", hit.page)}` : "";
    return el("tr", { className: explain.dropped ? "dropped" : "" },
      el("td", {}, el("strong", { text: (hit.doc || "") + page }), el("br"), el("span", { className: "dim", text: hit.text || hit.chunk_id })),
      el("td", { text: legs }), el("td", { text: hit.score.toFixed(3) }),
      el("td", { text: explain.dropped || words.kept }));
  });
  const head = [words.hit, words.legs, words.score, words.dropped].map((text) => el("th", { text }));
  const times = Object.entries(data.milliseconds || {}).map(([node, ms]) => `${node} ${Math.round(ms)}`).join(" · ");
  return el("details", { className: "trace" }, el("summary", { text: words.trace }),
    el("p", {}, el("strong", { text: words.queries + ": " }), (data.queries || []).join(" ｜ ")),
    el("p", {}, el("strong", { text: words.rounds + ": " }), String(data.rounds)),
    el("p", {}, el("strong", { text: words.times + ": " }), times),
    el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)));
}
