// The documents' pages: search, copying of code.

import { signsCount } from "../page/signs.js";
import { best, inWords, prepared } from "./finding.js";
import { arrange } from "./tables.js";

/** @typedef {import("./finding.js").HelpPassage} HelpPassage */

const PHONE = 760; // pixels, as the style sheet has it
const FOUND = 12;
const BEFORE = 90, SHOWN = 270; // letters of a passage before what was found, and in all
const COPIED_MS = 1500;

/** @type {?Promise<ReturnType<typeof prepared>>} */
let passages = null;

const place = /** @type {HTMLElement} */ (document.querySelector(".search"));
const input = /** @type {HTMLInputElement} */ (place.querySelector("input"));
const list = /** @type {HTMLElement} */ (place.querySelector(".found"));
const told = /** @type {HTMLElement} */ (place.querySelector("[role=status]"));

place.hidden = false; // without this script there is no search
input.addEventListener("input", () => void search());
input.addEventListener("focus", () => void search());
place.addEventListener("focusout", ({ relatedTarget }) => { if (!(relatedTarget instanceof Node && place.contains(relatedTarget))) list.hidden = true; });
list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus: Safari gives none to a link that is clicked
list.addEventListener("click", () => { list.hidden = true; }); // it may lead to another place of this page
document.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "/" && signsCount() && event.target !== input && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.select();
    input.focus();
  } else if (event.key === "Escape" && !list.hidden) {
    input.focus();
    list.hidden = true;
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") walk(event);
  else if (event.key === "Enter" && event.target === input && !list.hidden) list.querySelector("a")?.click();
});
if (innerWidth <= PHONE) document.querySelector(".contents details")?.removeAttribute("open");
document.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest" });
for (const block of document.querySelectorAll("main pre")) {
  block.setAttribute("tabindex", "0"); // whoever has no mouse scrolls it by keys
  letCopy(block);
}
for (const table of document.querySelectorAll("main table")) arrange(/** @type {HTMLTableElement} */ (table));
const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  input.value = asked;
  void search();
}

async function search() {
  const words = input.value.trim();
  list.hidden = !words;
  if (!words) return;
  if (!passages) list.replaceChildren(note("Searching …"));
  passages ??= brought();
  try {
    const found = best(await passages, words, FOUND);
    if (input.value.trim() !== words) return;
    told.textContent = found.length === 1 ? "1 passage found" : `${found.length} passages found`;
    list.replaceChildren(...(found.length ? [rows(found, words)] : [note(`Nothing has the words "${words}". Try fewer, or others; the contents list every document.`)]));
  } catch {
    passages = null; // the next letter tries again
    list.replaceChildren(note("The search has not come: is the server still there?"));
  }
}

// A site of files has them in a script: no browser fetches files beside a file.
async function brought() {
  const { helpPassages } = /** @type {{helpPassages?: HelpPassage[]}} */ (globalThis);
  return prepared(helpPassages ?? await (await fetch("./search.json")).json());
}

/** @type {(found: readonly HelpPassage[], words: string) => HTMLElement} */
function rows(found, words) {
  const all = document.createElement("ul");
  for (const passage of found) {
    const link = document.createElement("a"), title = document.createElement("b"), below = document.createElement("span"), row = document.createElement("li");
    link.href = passage.address;
    title.textContent = passage.heading || passage.page;
    below.append(...marked(excerpt(passage.text, words), words));
    link.append(title, passage.heading ? ` · ${passage.page}` : "", below);
    row.append(link);
    all.append(row);
  }
  return all;
}

/** @type {(text: string, words: string) => string} */
function excerpt(text, words) {
  const first = inWords(words).map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = first.length ? Math.max(0, Math.min(...first) - BEFORE) : 0;
  const start = from ? text.indexOf(" ", from) + 1 : 0;
  const cut = text.slice(start, start + SHOWN);
  return `${start ? "… " : ""}${cut}${start + cut.length < text.length ? " …" : ""}`;
}

/** @type {(text: string, words: string) => (Node | string)[]} */
function marked(text, words) {
  const wanted = inWords(words);
  return text.split(/([\p{L}\p{N}_]+)/u).map((part) => {
    if (!wanted.some((word) => part.toLowerCase().startsWith(word))) return part;
    const mark = document.createElement("mark");
    mark.textContent = part;
    return mark;
  });
}

/** @type {(text: string) => HTMLElement} */
function note(text) {
  const said = document.createElement("p");
  said.textContent = text;
  return said;
}

/** @param {KeyboardEvent} event */
function walk(event) {
  const links = [input, ...list.querySelectorAll("a")];
  const at = links.indexOf(/** @type {HTMLInputElement} */ (document.activeElement));
  if (list.hidden || at < 0) return;
  event.preventDefault();
  links[Math.min(links.length - 1, Math.max(0, at + (event.key === "ArrowDown" ? 1 : -1)))]?.focus();
}

/** @param {Element} block */
function letCopy(block) {
  if (!navigator.clipboard) return; // as on a page without TLS
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, COPIED_MS);
  });
  const box = document.createElement("div");
  box.className = "code";
  block.replaceWith(box);
  box.append(block, button);
}
