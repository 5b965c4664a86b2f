// Python code in pieces for syntax colours: comments, texts, numbers, keywords.

import { element } from "../maps/mosaic.js";

/** @typedef {{kind: "" | "comment" | "text" | "number" | "word", text: string}} Piece */

const PIECES = /(?<comment>#.*)|(?<text>"[^"\n]*"?|'[^'\n]*'?)|(?<number>\b\d[\d_.]*\b)|(?<word>\b(?:def|class|return|if|elif|else|for|in|while|break|continue|pass|global|with|as|try|except|finally|lambda|and|or|not|is|None|True|False|import|from)\b)/g;

/** Their classes in the style sheet. */
const CLASSES = { comment: "lg-py-comment", text: "lg-py-text", number: "lg-py-number", word: "lg-py-word" };

/**
 * A text as nodes, in its colours.
 * @param {string} code
 */
export function coloured(code) {
  return pieces(code).map(({ kind, text }) => (kind ? element("span", CLASSES[kind], text) : document.createTextNode(text)));
}

/**
 * The pieces of a text, in their order; together they are the text.
 * @param {string} code
 * @returns {Piece[]}
 */
export function pieces(code) {
  /** @type {Piece[]} */
  const found = [];
  let at = 0;
  for (const match of code.matchAll(PIECES)) {
    if (match.index > at) found.push({ kind: "", text: code.slice(at, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? [""];
    found.push({ kind: /** @type {Piece["kind"]} */ (kind), text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < code.length) found.push({ kind: "", text: code.slice(at) });
  return found;
}
