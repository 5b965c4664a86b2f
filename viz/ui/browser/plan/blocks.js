// Blocks of a lesson plan's text: headings, headers, paragraphs, code. viz/course/blocks.py has the same.

/** @typedef {"lesson" | "step" | "header" | "code" | "question" | "choice" | "why" | "after" | "note" | "text"} Kind */
/** @typedef {{readonly kind: Kind, readonly text: string, readonly line: number, readonly name: string}} Block */
/** @typedef {{heading: Block, blocks: Block[]}} Part - the beginning of a plan, or one step */
/** @typedef {Readonly<Record<string, string | number>>} Values */

const FENCE = "```";
const HEADER = /^([a-z]+):(?:\s+(.*))?$/;
/** @type {Readonly<Record<string, Kind>>} */
const MARKS = Object.freeze({ "?": "question", "!": "after", ">": "note" });
const BEGINS = Object.freeze(["- ", "  ", "#", FENCE, ...Object.keys(MARKS).map((mark) => `${mark} `)]);

/** A fault of a plan: the line, and the sentence about it by its name among the page's words, after `plan_wrong_`. */
export class PlanError extends Error {
  /**
   * @param {number} line
   * @param {string} sentence
   * @param {Values} [values]
   */
  constructor(line, sentence, values = {}) {
    super(`${line}: ${sentence}`);
    this.line = line;
    this.sentence = sentence;
    this.values = values;
  }
}

/**
 * The blocks of a file.
 * @param {string} text
 * @returns {Block[]}
 */
export function blocks(text) {
  const rows = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  /** @type {Block[]} */
  const found = [];
  let heading = false;
  for (let place = 0; place < rows.length;) {
    const row = rows[place], line = place + 1, said = heading ? HEADER.exec(row.trim()) : null;
    if (!row.trim()) [place, heading] = [place + 1, false];
    else if (row.startsWith("#")) {
      found.push(headingOf(row, line));
      [place, heading] = [place + 1, true];
    } else if (said) {
      found.push({ kind: "header", text: (said[2] ?? "").trim(), line, name: said[1] });
      place += 1;
    } else {
      const [block, end] = row.startsWith(FENCE) ? codeOf(rows, place) : paragraphOf(rows, place);
      found.push(block);
      [place, heading] = [end, false];
    }
  }
  return found;
}

/** @type {(row: string, line: number) => Block} */
function headingOf(row, line) {
  const count = /^#+/.exec(row)?.[0].length ?? 0;
  if (count > 2) throw new PlanError(line, "marks", { count });
  const text = row.slice(count).trim();
  if (!text) throw new PlanError(line, "heading");
  return { kind: count === 1 ? "lesson" : "step", text, line, name: "" };
}

/** @type {(rows: readonly string[], place: number) => [Block, number]} */
function codeOf(rows, place) {
  const end = rows.findIndex((row, at) => at > place && row.startsWith(FENCE));
  if (end < 0) throw new PlanError(place + 1, "fence", { fence: FENCE });
  const text = rows.slice(place + 1, end).map((row) => row.trimEnd()).join("\n");
  return [{ kind: "code", text, line: place + 2, name: "" }, end + 1];
}

// One paragraph; a line that begins with - or is indented below one is a block of its own.
/** @type {(rows: readonly string[], place: number) => [Block, number]} */
function paragraphOf(rows, place) {
  const row = rows[place], line = place + 1;
  if (row.startsWith("- ")) return [{ kind: "choice", text: row.slice(2).trim(), line, name: "" }, place + 1];
  if (row.startsWith("  ")) return [{ kind: "why", text: row.trim(), line, name: "" }, place + 1];
  const mark = row.slice(0, 2).trimEnd() in MARKS ? row[0] : "";
  const parts = [row.slice(mark.length).trim()];
  let end = place + 1;
  while (end < rows.length && rows[end].trim() && !BEGINS.some((begin) => rows[end].startsWith(begin))) {
    parts.push(rows[end].trim());
    end += 1;
  }
  return [{ kind: mark ? MARKS[mark] : "text", text: joined(parts), line, name: "" }, end];
}

// Lines as one: Chinese is written without a space where a line ends.
/** @param {readonly string[]} parts */
function joined(parts) {
  return parts.reduce((text, part) => (!text || isWide(text.at(-1) ?? "") || isWide(part[0]) ? text + part : `${text} ${part}`), "");
}

/** @param {string} letter */
function isWide(letter) {
  return (letter >= "\u3000" && letter <= "\u9fff") || (letter >= "\uff00" && letter <= "\uffef");
}

/** The blocks of a kind. @type {(part: Part, kind: Kind) => Block[]} */
export function of(part, kind) {
  return part.blocks.filter((block) => block.kind === kind);
}

/** @type {(part: Part, name: string) => Block | undefined} */
export function headerOf(part, name) {
  return of(part, "header").find((block) => block.name === name);
}

/** A paragraph without the sign that kept its first letter from meaning something. @param {string} text */
export function plain(text) {
  return text.startsWith("\\") ? text.slice(1) : text;
}
