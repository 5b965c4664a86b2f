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
  const sentence = said(found, "error", words);
  return found.document ? withMore(sentence, found.document, words) : [sentence];
}

/** A sentence and a link to a document about it. @type {(sentence: string, name: string, words: Words) => (string | HTMLElement)[]} */
export function withMore(sentence, name, words) {
  return [`${sentence} `, helpLink(name, words.help_more)];
}

/** The same as a paragraph. @type {(found: Pick<Answer, "error" | "said" | "document">, words: Words, className?: string) => HTMLElement} */
export function refused(found, words, className = "lg-refused") {
  const paragraph = element("p", className);
  paragraph.append(...refusal(found, words));
  return paragraph;
}
