// A question of the class as plain values: typed answers, their names, their counts.

/** @typedef {Readonly<{names: boolean, nickname: string, question: ?AskedQuestion, mine: Value, answers: readonly AnswerEntry[], results: boolean}>} Asked */
/** @typedef {{value: Value, label: string, count: number, right: boolean, mine: boolean}} Bar */

const MOST_BARS = 8; // more of them are read by nobody
const LONGEST = 8; // sizes of a shape
const SIZES = /\d\s*[x×]\s*\d|\(\d+(?:, \d+)*,?\)/;

/** @type {Asked} */
export const NOTHING = Object.freeze({ names: false, nickname: "", question: null, mine: Object.freeze([]), answers: Object.freeze([]), results: false });

/**
 * The state of the question after the server's message, or after an answer of this page.
 * @type {(now: Asked, heard: {type: "question", told: ClassroomAsking} | {type: "answers", told: ClassroomAnswers} | {type: "answered", asked: number, value: Value} | {type: "out"}) => Asked}
 */
export function heard(now, heard) {
  switch (heard.type) {
    case "question": {
      const { names, nickname, question } = heard.told;
      const same = question !== null && question.asked === now.question?.asked;
      return Object.freeze({ names, nickname, question, mine: question?.mine ?? [], answers: same ? now.answers : [], results: now.results });
    }
    case "answers":
      return heard.told.asked === (now.question?.asked ?? 0) ? Object.freeze({ ...now, answers: heard.told.given, results: heard.told.results }) : now;
    case "answered":
      return isOpen(now) && heard.asked === now.question?.asked ? Object.freeze({ ...now, mine: heard.value }) : now;
    default:
      return NOTHING;
  }
}

/** True if answers are taken. @param {Asked} now */
export function isOpen({ question }) {
  return question !== null && question.revealed === null;
}

/** True if pages keep sizes to themselves, because the class is asked for one. @param {Asked} now */
export function hidesShapes(now) {
  return isOpen(now) && now.question !== null && asksForSizes(now.question);
}

/** True if a question is answered by sizes, such as 64×56×56 or (3, 3). @param {{kind: string, choices: readonly string[]}} question */
export function asksForSizes({ kind, choices }) {
  return kind === "shape" || choices.some((each) => SIZES.test(each));
}

/**
 * The typed answer; null if it is none.
 * @type {(question: Pick<AskedQuestion, "kind" | "maps" | "choices">, typed: string) => ?Value}
 */
export function typedAnswer(question, typed) {
  if (question.kind === "shape") return shapeIn(typed);
  const number = numberIn(typed);
  if (number === null || question.kind === "number") return number === null ? null : [number];
  const end = question.kind === "choice" ? question.choices.length : question.maps || Infinity;
  return Number.isInteger(number) && number >= 0 && number < end ? [number] : null;
}

/** A number as people type it: 0.5, 0,5 or −3. @param {string} typed */
export function numberIn(typed) {
  const text = typed.trim().replace(/[−–]/, "-").replace(",", ".");
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(text) ? Number(text) : null;
}

/**
 * A shape as people type it: 64×56×56, 64 x 56 x 56, (64, 56, 56), 64 56 56.
 * @type {(typed: string) => ?number[]}
 */
export function shapeIn(typed) {
  const parts = typed.replace(/torch\.Size/i, "").replace(/[()[\]]/g, " ").trim().split(/\s*[x×X*,;·]\s*|\s+/).filter(Boolean);
  const fits = parts.length > 0 && parts.length <= LONGEST && parts.every((part) => /^\d{1,9}$/.test(part));
  return fits ? parts.map(Number) : null;
}

/** The sizes that a layer's row names, without the batch of one; null if it names no single shape. @param {string} text */
export function sizesOf(text) {
  const sizes = /^[\d\s×]+$/.test(text) ? shapeIn(text) : null;
  return sizes && sizes.length > 1 && sizes[0] === 1 ? sizes.slice(1) : sizes;
}

/** @type {(question: Pick<AskedQuestion, "kind" | "choices">, value: Value, words: Words) => string} */
export function answerText({ kind, choices }, value, words) {
  if (kind === "choice") return choices[value[0]] ?? "";
  if (kind === "map") return value.map((each) => `${words.asking_map} ${each}`).join(", ");
  return value.map((each) => String(Number(each.toPrecision(10)))).join("\u00a0×\u00a0").replaceAll("-", "−");
}

/** Each different answer with how many gave it. @type {(answers: readonly Pick<AnswerEntry, "value">[]) => Tally[]} */
export function tallied(answers) {
  const counts = new Map(answers.map(({ value }) => [value.join(" "), { value, count: 0 }]));
  for (const { value } of answers) {
    const entry = counts.get(value.join(" "));
    if (entry) entry.count += 1;
  }
  return [...counts.values()];
}

/**
 * The answers as bars: of choices each in its place, of the rest those that most have given.
 * @type {(question: AskedQuestion, tallies: readonly Tally[], mine: Value, words: Words) => {bars: Bar[], others: number}}
 */
export function barsOf(question, tallies, mine, words) {
  const { revealed } = question;
  const all = question.kind === "choice" ? question.choices.map((_, place) => ({ value: [place], count: countOf(tallies, [place]) })) : sorted(tallies);
  if (revealed && question.kind !== "choice") all.push(...missing(question, all));
  const bars = all.map(({ value, count }) => ({
    value, count, label: answerText(question, value, words), right: isRight(question, value), mine: isSame(value, mine),
  }));
  if (question.kind === "choice" || bars.length <= MOST_BARS) return { bars, others: 0 };
  const shown = bars.filter((bar, place) => place < MOST_BARS - 1 || bar.right || bar.mine);
  return { bars: shown, others: bars.filter((bar) => !shown.includes(bar)).reduce((sum, { count }) => sum + count, 0) };
}

/** True if an answer is right; false until that is shown. @type {(question: Pick<AskedQuestion, "kind" | "revealed">, value: Value) => boolean} */
export function isRight({ kind, revealed }, value) {
  if (!revealed?.right.length || !value.length) return false;
  const { right, within } = revealed;
  if (kind === "map") return right.includes(value[0]);
  if (kind === "number") return Math.abs(value[0] - right[0]) <= within * (1 + 1e-9);
  return isSame(value, right);
}

/** @type {(one: Value, other: Value) => boolean} */
export function isSame(one, other) {
  return one.length === other.length && one.every((each, place) => each === other[place]);
}

/** @type {(tallies: readonly Tally[], value: Value) => number} */
function countOf(tallies, value) {
  return tallies.find((each) => isSame(each.value, value))?.count ?? 0;
}

/** @param {readonly Tally[]} tallies */
function sorted(tallies) {
  return [...tallies].sort((one, other) => other.count - one.count || one.value[0] - other.value[0]);
}

// The right answers that nobody has given.
/** @type {(question: AskedQuestion, all: readonly Tally[]) => Tally[]} */
function missing({ kind, revealed }, all) {
  const right = revealed?.right ?? [];
  const each = kind === "map" ? right.map((channel) => [channel]) : right.length ? [right] : [];
  const given = kind === "number" && all.some(({ value }) => isRight({ kind, revealed }, value));
  return given ? [] : each.filter((value) => !all.some((other) => isSame(other.value, value))).map((value) => ({ value, count: 0 }));
}
