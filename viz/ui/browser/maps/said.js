// A sentence from the server in the visitor's language. Facts hold it in English, and under `said` in each other one.

import { helpLink } from "../page/menu.js";
import { element } from "./mosaic.js";

/**
 * @template {string} Name
 * @param {{[name in Name]?: string} & Pick<Answer, "said">} found
 * @param {Name} name
 * @param {Words} words
 * @returns {string}
 */
export function said(found, name, words) {
  return found.said?.[words.language_code]?.[name] ?? found[name] ?? "";
}

// A refusal: the sentence, and where a document says more about it, a link to that.
/**
 * @param {Pick<Answer, "error" | "said" | "document">} found
 * @param {Words} words
 * @returns {(string | HTMLElement)[]}
 */
export function refusal(found, words) {
  return withMore(said(found, "error", words), found.document, words);
}

/** A sentence and, if there is one, a link to a document about it; nothing without a sentence. @type {(sentence: string, name: string | undefined, words: Words) => (string | HTMLElement)[]} */
export function withMore(sentence, name, words) {
  if (!sentence) return [];
  return name ? [`${sentence} `, helpLink(name, words.help_more)] : [sentence];
}

/** The reason of a layer that has no maps. @type {(reason: string, words: Words) => (string | HTMLElement)[]} */
export function withoutMaps(reason, words) {
  return withMore(reason, "find-a-layer#why-does-a-layer-show-nothing", words);
}

/** Put such parts in a place where others stand: a link under a finger keeps its click, and nobody hears a status twice. @type {(place: HTMLElement, parts: readonly (string | HTMLElement)[]) => void} */
export function tell(place, parts) {
  const made = paragraph(parts);
  if (made.innerHTML !== place.innerHTML) place.replaceChildren(...made.childNodes);
}

/** Several such in a line. @type {(sentences: readonly (string | readonly (string | HTMLElement)[])[]) => (string | HTMLElement)[]} */
export function joined(sentences) {
  return sentences.filter(({ length }) => length).flatMap((each, place) => [...(place ? [" · "] : []), ...(typeof each === "string" ? [each] : each)]);
}

/** Such parts as a paragraph. @type {(parts: readonly (string | HTMLElement)[], className?: string) => HTMLElement} */
export function paragraph(parts, className = "") {
  const made = element("p", className);
  made.append(...parts);
  return made;
}

/** A refusal as one. @type {(found: Pick<Answer, "error" | "said" | "document">, words: Words, className?: string) => HTMLElement} */
export function refused(found, words, className = "lg-refused") {
  return paragraph(refusal(found, words), className);
}

// Show notices, and what stands below them. What is there already stays: it would be read out again, and a link in it
// would lose the keyboard's focus.
/** @type {(root: HTMLElement, notices: readonly Notice[], words: Words, below?: readonly HTMLElement[]) => void} */
export function drawNotices(root, notices, words, below = []) {
  const paragraphs = notices.map(({ text, document }) => refused({ error: text, document }, words, "lg-notice"));
  const drawn = [...paragraphs, ...below], { children } = root;
  if (drawn.length !== children.length || drawn.some((each, place) => !each.isEqualNode(children[place]))) root.replaceChildren(...drawn);
}
