// Effects of keys on the text of an answer, as replacements. The editor puts them into the field.

/**
 * The text to put between `start` and `end`, and where the selection is afterwards.
 * @typedef {{start: number, end: number, text: string, from: number, to: number}} Change
 */

const STEP = "    ";

/**
 * Tab: spaces up to the next step; with a selection of lines, each of them.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Change}
 */
export function indented(text, start, end) {
  if (!text.slice(start, end).includes("\n")) {
    const more = STEP.slice((start - lineStart(text, start)) % STEP.length);
    return { start, end, text: more, from: start + more.length, to: start + more.length };
  }
  return inEachLine(text, start, end, (line) => line && STEP + line);
}

/**
 * Shift+Tab: each line that is selected, or the one with the caret, begins a step further left.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Change}
 */
export function outdented(text, start, end) {
  return inEachLine(text, start, end, (line) => line.replace(/^ {1,4}/, ""));
}

/**
 * Enter: the next line begins where this one does, and a step further right after a colon.
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Change}
 */
export function broken(text, start, end) {
  const line = text.slice(lineStart(text, start), start);
  const spaces = /^ */.exec(line)?.[0] ?? "";
  const more = `\n${spaces}${/:\s*(#.*)?$/.test(line) ? STEP : ""}`;
  return { start, end, text: more, from: start + more.length, to: start + more.length };
}

/**
 * Start and end of a line, counted from 1; of the last one if there are fewer.
 * @param {string} text
 * @param {number} line
 */
export function lineAt(text, line) {
  const lines = text.split("\n");
  const place = Math.min(line, lines.length) - 1;
  const start = lines.slice(0, place).reduce((length, each) => length + each.length + 1, 0);
  return { start, end: start + lines[place].length };
}

/** @type {(text: string, at: number) => number} */
function lineStart(text, at) {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** @type {(text: string, start: number, end: number, changed: (line: string) => string) => Change} */
function inEachLine(text, start, end, changed) {
  const first = lineStart(text, start);
  const after = text.indexOf("\n", Math.max(first, end - (end > start ? 1 : 0)));
  const last = after < 0 ? text.length : after;
  const before = text.slice(first, last).split("\n");
  const lines = before.map(changed);
  const joined = lines.join("\n");
  const grown = joined.length - (last - first);
  const from = Math.max(first, start + lines[0].length - before[0].length);
  return { start: first, end: last, text: joined, from, to: Math.max(from, end + grown) };
}
