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

/** A sentence and, if there is one, a link to a document about it. @type {(sentence: string, name: string | undefined, words: Words) => (string | HTMLElement)[]} */
export function withMore(sentence, name, words) {
  return name ? [`${sentence} `, helpLink(name, words.help_more)] : [sentence];
}

/** The same as a paragraph. @type {(found: Pick<Answer, "error" | "said" | "document">, words: Words, className?: string) => HTMLElement} */
export function refused(found, words, className = "lg-refused") {
  const paragraph = element("p", className);
  paragraph.append(...refusal(found, words));
  return paragraph;
}

// Show notices, and what stands below them. What is there already stays: it would be read out again, and a link in it
// would lose the keyboard's focus.
/** @type {(root: HTMLElement, notices: readonly Notice[], words: Words, below?: readonly HTMLElement[]) => void} */
export function drawNotices(root, notices, words, below = []) {
  const paragraphs = notices.map(({ text, document }) => refused({ error: text, document }, words, "lg-notice"));
  const drawn = [...paragraphs, ...below], { children } = root;
  if (drawn.length !== children.length || drawn.some((each, place) => !each.isEqualNode(children[place]))) root.replaceChildren(...drawn);
}
