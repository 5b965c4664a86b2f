// Emphasis and code in a sentence, as elements: `code`, *emphasis*, **strong**. Nothing becomes HTML.

import { element } from "../maps/mosaic.js";

const MARKED = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s](?:[^*]*[^*\s])?)\*/g;

/** @typedef {{as: "text" | "code" | "strong" | "em", text: string}} Marked */

/** @type {(text: string) => Marked[]} */
export function markedIn(text) {
  /** @type {Marked[]} */
  const found = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    if (match.index > end) found.push({ as: "text", text: text.slice(end, match.index) });
    const [all, code, strong, em] = match;
    found.push(code ? { as: "code", text: code } : strong ? { as: "strong", text: strong } : { as: "em", text: em });
    end = match.index + all.length;
  }
  if (end < text.length) found.push({ as: "text", text: text.slice(end) });
  return found;
}

/** The words alone. @param {string} text */
export function unmarked(text) {
  return markedIn(text).map((each) => each.text).join("");
}

/** A paragraph with its emphasis. @type {(text: string, className?: string) => HTMLParagraphElement} */
export function paragraph(text, className) {
  const made = element("p", className);
  made.append(...markedIn(text).map(({ as, text: words }) => (as === "text" ? document.createTextNode(words) : element(as, "", words))));
  return made;
}
