// The writer of a lesson plan's text, which reading.js reads as the same plan.

/** @typedef {import("./reading.js").Plan} Plan */
/** @typedef {import("./reading.js").PlanStep} PlanStep */
/** @typedef {import("./question.js").PlanQuestion} PlanQuestion */

const MEANS = /^(?:[-?!>] |[?!>]$| {2}|#|```|\\)/; // how a line begins that is no sentence, or would be read as none

/** @param {Plan} plan */
export function planText({ title, about, net, picture, steps }) {
  const beginning = [`# ${title}`, ...headers({ about, net, picture })].join("\n");
  return `${[beginning, ...steps.map(stepText)].join("\n\n")}\n`;
}

/** @param {Readonly<PlanStep>} step */
function stepText({ title, look, minutes, net, picture, text, note, question, code }) {
  const asks = question ? askedIn(question) : {};
  const head = [`## ${title}`, ...headers({ look, minutes: String(minutes), net, picture, ...asks })].join("\n");
  const blocks = [
    head, ...text.map(sentence), ...note.map((each) => `> ${afterMark(each)}`), ...(code ? [`\`\`\`python\n${code}\n\`\`\``] : []),
    ...(question ? questionText(question) : []),
  ];
  return blocks.join("\n\n");
}

/** @type {(question: PlanQuestion) => Record<string, string>} */
function askedIn({ kind, guess, answer }) {
  const bounds = guess ? `${guess.least} to ${guess.most} within ${guess.within}${guess.unit ? ` ${guess.unit}` : ""}` : "";
  return { ask: kind === "map" || kind === "shape" ? kind : "", guess: bounds, answer };
}

/** @param {PlanQuestion} question */
function questionText({ text, choices, why }) {
  const lines = choices.map(({ value, words, why: reason }) => [`- ${value}${words === value ? "" : ` = ${words}`}`, ...(reason ? [`  ${reason}`] : [])].join("\n"));
  const [first, ...more] = why;
  return [[`? ${afterMark(text)}`, ...lines].join("\n"), `! ${afterMark(first)}`, ...more.map(sentence)];
}

/** @param {Record<string, string>} named */
function headers(named) {
  return Object.entries(named).filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`);
}

/** @param {string} text */
function sentence(text) {
  return MEANS.test(text) ? `\\${text}` : text;
}

/** @param {string} text */
function afterMark(text) {
  return text.startsWith("\\") ? `\\${text}` : text;
}
