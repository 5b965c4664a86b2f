// Search in lists: parts of names in any order, types, shapes; matches are marked.

/** An entry to search: its name, and a text about it. @typedef {{label: string, about?: string}} Searched */

const SHAPE = /^\d+(?:×\d+)+$/;
const SHORT = /^([a-z]+)(\d+)$/; // "s2" for "stage2", "stages.2"

// The parts of what was typed, in lower case; a shape is one part, however it was written.
/** @param {string} text */
function partsOf(text) {
  const together = text.toLowerCase().replace(/(\d)\s*[×x*]\s*(?=\d)/g, "$1×");
  return together.split(/\s+/).filter(Boolean);
}

/** Patterns of a part: anywhere; as a whole word; as the short form of a longer one. @typedef {{exact: RegExp, whole: RegExp, short: ?RegExp}} Wanted */

/** @param {string} part */
function wanted(part) {
  const letters = part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("×", "\\s*[×x*]\\s*");
  const [, word, number] = SHORT.exec(part) ?? [];
  return {
    exact: new RegExp(SHAPE.test(part) ? `(?<!\\d)${letters}(?!\\d)` : letters, "giu"), // no number is cut in two
    whole: new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, "iu"),
    short: word ? new RegExp(`(?<![\\p{L}\\p{N}])${word}[a-z]*[._]?${number}(?!\\d)`, "giu") : null,
  };
}

/** @type {(pattern: ?RegExp, text: string) => boolean} */
function isIn(pattern, text) {
  return pattern !== null && text.search(pattern) >= 0;
}

// Rank of an option for a typed text, from 0, the best; infinite if a part of it is nowhere. Names come before texts
// about them, whole words before parts of words.
/** @type {(option: Searched, typed: string, looked: readonly Wanted[]) => number} */
function rank({ label, about = "" }, typed, looked) {
  if (label.toLowerCase() === typed) return 0;
  if (looked.every(({ whole }) => isIn(whole, label))) return 1;
  if (looked.every(({ exact }) => isIn(exact, label))) return label.toLowerCase().startsWith(typed) ? 2 : 3;
  if (looked.every(({ exact, short }) => isIn(exact, label) || isIn(short, label))) return 4;
  return looked.every(({ exact, short }) => [label, about].some((text) => isIn(exact, text)) || isIn(short, label)) ? 5 : Infinity;
}

// The options in which every part of a text is found, the best first.
/**
 * @template {Searched} Option
 * @param {readonly Option[]} options
 * @param {string} text
 * @returns {Option[]}
 */
export function searched(options, text) {
  const looked = partsOf(text).map(wanted);
  if (!looked.length) return [...options];
  const ranked = options.map((option) => ({ option, at: rank(option, text.trim().toLowerCase(), looked) }));
  return ranked.filter(({ at }) => at < Infinity).sort((one, other) => one.at - other.at).map(({ option }) => option);
}

// A text in pieces: every second one is a match. A short form counts where the part itself is not there.
/** @type {(text: string, query: string) => string[]} */
export function pieces(text, query) {
  const found = new Uint8Array(text.length);
  for (const { exact, short } of partsOf(query).map(wanted)) {
    const looked = isIn(exact, text) ? exact : short;
    for (const { 0: hit, index } of looked ? text.matchAll(looked) : []) found.fill(1, index, index + hit.length);
  }
  const cut = [""];
  for (let at = 0; at < text.length; at += 1) {
    if (found[at] === cut.length % 2) cut.push("");
    cut[cut.length - 1] += text[at];
  }
  return cut;
}
