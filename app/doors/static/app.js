// The page's behaviour: ask, upload, look at sources. It talks to this app's own routes only.
import { WORDS, detect } from "./words.js";
import { cite, el, markdown, place, sources, trace, where } from "./render.js";

const $ = (id) => document.getElementById(id);
const root = new URL("..", location.href).pathname;
const kept = sessionStorage;
let tongue = localStorage.getItem("tuwen.language") || detect();
let collection = "default";
let thread = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2);
let running = null;
let chosen = false;
const words = () => WORDS[tongue];

function headers(more = {}) {
  const key = kept.getItem("tuwen.key");
  return key ? { Authorization: `Bearer ${key}`, ...more } : more;
}

async function call(path, options = {}) {
  const answer = await fetch(root + path, { ...options, headers: headers(options.headers) });
  if (answer.ok) return answer;
  if (answer.status === 401) $("key-row").hidden = false;
  const body = await answer.json().catch(() => ({}));
  throw new Error(typeof body.detail === "string" ? body.detail : `HTTP ${answer.status}`);
}

async function* events(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const line = part.split("\n").find((text) => text.startsWith("data: "));
      if (line) yield JSON.parse(line.slice(6));
    }
  }
}

function speak() {
  document.documentElement.lang = tongue;
  for (const node of document.querySelectorAll("[data-word]")) node.textContent = words()[node.dataset.word];
  $("language").textContent = words().language;
  $("send").textContent = running ? words().stop : words().send;
  $("fresh").textContent = words().fresh;
  $("question").placeholder = words().ask;
}

async function refresh() {
  const found = await (await call("collections")).json();
  const full = found.collections.filter((item) => item.documents).sort((a, b) => b.documents - a.documents);
  if (!chosen && full.length && !full.some((item) => item.name === collection)) choose(full[0].name);
  const names = [...new Set(["default", ...found.collections.map((item) => item.name)])];
  $("collections").replaceChildren(...names.map((name) => {
    const info = found.collections.find((item) => item.name === name);
    const button = el("button", { type: "button", className: name === collection ? "chosen" : "" },
      el("span", { text: (info?.private ? "🔒 " : "") + name }), el("small", { text: info ? info.documents : 0 }));
    button.addEventListener("click", () => { chosen = true; choose(name); $("reports").replaceChildren(); menu(false); refresh().catch(complain); });
    return el("li", {}, button);
  }));
  const listed = await (await call("documents?collection=" + encodeURIComponent(collection))).json();
  $("documents").replaceChildren(...listed.documents.map((item) => {
    const drop = el("button", { type: "button", className: "remove", title: words().remove, text: "✕" });
    drop.addEventListener("click", () => remove(item));
    const pages = item.pages ? words().page.replace("{n}", `1–${item.pages}`) : "";
    return el("li", { title: item.name }, el("span", { text: item.title }), el("small", { text: pages }), drop);
  }));
}

function choose(name) {
  collection = name;
  $("into").value = name;
  $("where").textContent = name;
}

function menu(open) {
  document.body.classList.toggle("menu", open);
  $("menu").setAttribute("aria-expanded", String(open));
}

async function remove(item) {
  if (!confirm(words().sure.replace("{n}", item.title))) return;
  await call("documents/" + encodeURIComponent(item.doc_id), { method: "DELETE" }).catch(complain);
  await refresh().catch(complain);
}

function complain(error) {
  $("talk").append(el("p", { className: "problem", text: words().failed + error.message }));
}

function open(source) {
  $("viewer-title").textContent = source.doc + where(source, words());
  $("viewer-quote").textContent = source.quote;
  const picture = $("viewer-picture");
  $("viewer-problem").hidden = Boolean(source.page_url);
  picture.hidden = !source.page_url;
  picture.onerror = () => { picture.hidden = true; $("viewer-problem").hidden = false; };
  if (source.page_url) {
    picture.src = here(source.page_url);
    picture.alt = source.quote;
    $("viewer-link").href = here(source.page_url);
  }
  $("viewer").hidden = false;
}

// Addresses are shown from where the page is, whatever name the server gives itself.
function here(url) {
  const parsed = new URL(url, location.href);
  return root + parsed.pathname.replace(/^.*?\/(images|documents)\//, "$1/") + parsed.search;
}

function show(turn, finish, ran) {
  const list = finish.sources;
  const body = el("div", { className: "text" });
  body.append(markdown(finish.answer));
  cite(body, new Map(list.map((source) => [String(source.n), source])), open);
  place(body, finish.images.map((image) => ({ ...image, url: image.url && here(image.url) })), words());
  turn.replaceChildren(body);
  const verdict = words().verdict[finish.verdict];
  if (verdict) turn.append(el("p", { className: "verdict " + finish.verdict, text: verdict }));
  for (const notice of finish.notices) turn.append(el("p", { className: "notice", text: notice.text }));
  if (list.length) turn.append(sources(list, words(), open));
  if (ran && ran.hits.length) turn.append(trace(ran, words()));
}

async function ask(question) {
  $("welcome").hidden = true;
  const turn = el("article", { className: "answer" }, el("p", { className: "dim", text: words().thinking.analysed }));
  $("talk").append(el("article", { className: "question", text: question }), turn);
  turn.scrollIntoView({ block: "end" });
  running = new AbortController();
  speak();
  let text = "";
  let ran = null;
  try {
    const answer = await call("chat/stream", {
      method: "POST", signal: running.signal, headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ question, collection, thread, ask_back: true }),
    });
    for await (const event of events(answer)) {
      if (event.type === "token") {
        text += event.text;
        turn.replaceChildren(el("div", { className: "text" }, markdown(text)));
      } else if (event.type === "trace") ran = event;
      else if (event.type === "finish") { show(turn, event, ran); turn.dataset.done = "yes"; }
      else if (event.type === "error") throw new Error(event.text);
      else if (!text && words().thinking[event.type]) turn.firstChild.textContent = words().thinking[event.type];
    }
  } catch (error) {
    if (error.name !== "AbortError") turn.append(el("p", { className: "problem", text: words().failed + error.message }));
  } finally {
    running = null;
    speak();
    turn.scrollIntoView({ block: "nearest" });
  }
}

async function upload(files) {
  const form = new FormData();
  for (const file of files) form.append("files", file);
  form.append("collection", $("into").value.trim() || "default");
  const bar = $("progress");
  bar.hidden = false;
  bar.removeAttribute("value");
  $("reports").replaceChildren();
  try {
    const answer = await call("documents", { method: "POST", body: form, headers: { Accept: "text/event-stream" } });
    for await (const event of events(answer)) {
      if (event.type === "ingest.file") {
        bar.max = event.total;
        if (event.stage === "done") bar.value = event.index;
        $("reports").replaceChildren(el("li", { text: `${event.index}/${event.total} ${event.path} · ${words().stage[event.stage]}` }));
      } else if (event.type === "report") {
        $("reports").replaceChildren(...event.files.map((file) => el("li", {
          className: file.state, text: `${file.path} · ${words().upload[file.state]}${file.error ? ": " + file.error : ""}`,
        })));
      } else if (event.type === "error") throw new Error(event.text);
    }
  } catch (error) {
    $("reports").replaceChildren(el("li", { className: "failed", text: words().failed + error.message }));
  }
  bar.hidden = true;
  chosen = true;
  choose($("into").value.trim() || "default");
  await refresh().catch(complain);
}

$("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  if (running) { running.abort(); return; }
  const question = $("question").value.trim();
  if (!question) return;
  $("question").value = "";
  ask(question);
});
$("question").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); $("ask").requestSubmit(); }
});
$("fresh").addEventListener("click", () => {
  thread = crypto.randomUUID ? crypto.randomUUID() : String(Math.random()).slice(2);
  $("talk").replaceChildren($("welcome"));
  $("welcome").hidden = false;
});
$("language").addEventListener("click", () => {
  tongue = tongue === "zh" ? "en" : "zh";
  localStorage.setItem("tuwen.language", tongue);
  speak();
  refresh().catch(complain);
});
$("files").addEventListener("change", () => { const files = [...$("files").files];
  $("files").value = "";
  if (files.length) upload(files);
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  $("drop").addEventListener(kind, (event) => {
    event.preventDefault();
    $("drop").classList.toggle("over", kind === "dragover");
    if (kind === "drop") upload([...event.dataTransfer.files]);
  });
}
$("key").addEventListener("change", () => { kept.setItem("tuwen.key", $("key").value); refresh().catch(complain); });
$("close").addEventListener("click", () => { $("viewer").hidden = true; });
$("menu").addEventListener("click", () => menu(!document.body.classList.contains("menu")));
$("talk").addEventListener("click", () => menu(false));
document.addEventListener("keydown", (event) => { if (event.key === "Escape") { menu(false); $("viewer").hidden = true; } });
choose(collection);
speak();
refresh().catch(complain);
