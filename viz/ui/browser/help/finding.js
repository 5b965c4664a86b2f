// Search among the documents' passages: rare words count most, headings more than text, and endings do not matter.

/** @typedef {{page: string, heading: string, address: string, text: string, aside: boolean}} HelpPassage */
/** @typedef {{passage: HelpPassage, fields: {count: Map<string, number>, size: number, weight: number}[]}} Prepared */

const LITTLE = new Set("a an and are as at be by can could do does for from get has have how i if in into is it its let make me my not of on or should so that the there this to use want was we what when where which who why will with would you your".split(" "));
// Words of readers, and those of the documents.
const SAME = new Map(Object.entries({
  account: "password", activates: "excites", authentication: "password", bert: "text", center: "centre", color: "colour", colormap: "colour", colors: "colour", cuda: "card", docker: "container",
  dataloader: "batches", delete: "deleted", development: "contributing", finetuned: "trained", finetuning: "trained", gdpr: "sees", gpu: "card", gradcam: "grad", gray: "grey", grayscale: "grey", hotkeys: "keys", image: "picture", images: "picture", keyboard: "keys", llm: "text",
  login: "password", maximally: "excites", neuron: "channel", neurons: "channel", nlp: "text", license: "terms", mobile: "phone", oom: "memory", penultimate: "intermediate", prefix: "path", privacy: "sees", ram: "memory", reused: "several", setup: "install",
  shortcut: "keys", shortcuts: "keys", ssl: "tls", subpath: "path", tile: "map", users: "visitors", vit: "transformer",
}));
const ENDING = /(?:ings?|ed|es|s)$/u;
const IN_HEADING = 4, IN_TITLE = 1.5, IN_TEXT = 1, WHOLE = 1.5;
const ASIDE = 0.6; // of what is written for whoever looks something up, or works on the product
const LACKING = 0.5; // of what has none of a question's words, up to 1 for what has all
const SOON = 1.2, LONG = 0.6; // how soon a word's count says no more, and how much length takes away: BM25's k and b
const USUAL = 60; // words of a passage

// The words of a question that tell passages apart, without their endings; all of them if it has no others.
/** @type {(question: string) => string[]} */
export function inWords(question) {
  const all = inAllWords(question);
  const telling = all.filter((word) => !LITTLE.has(word));
  return [...new Set((telling.length ? telling : all).map((word) => stem(SAME.get(word) ?? word)))];
}

// Passages with their words counted once, for every search that comes.
/** @type {(passages: readonly HelpPassage[]) => Prepared[]} */
export function prepared(passages) {
  return passages.map((passage) => ({
    passage,
    fields: /** @type {const} */ ([[passage.heading || passage.page, IN_HEADING], [passage.page, IN_TITLE], [passage.text, IN_TEXT]]).map(([text, weight]) => {
      const all = inAllWords(text), count = new Map();
      for (const word of all) count.set(word, (count.get(word) ?? 0) + 1);
      return { count, size: all.length, weight };
    }),
  }));
}

// The passages that answer a question best, the best first.
/** @type {(passages: readonly Prepared[], question: string, most: number) => HelpPassage[]} */
export function best(passages, question, most) {
  const asked = inWords(question), points = new Map(passages.map((each) => [each, { sum: 0, had: 0 }]));
  for (const word of asked) {
    const gained = passages.map((each) => gain(each, word));
    const having = gained.filter((gains) => gains > 0).length;
    const rare = Math.log(1 + (passages.length - having + 0.5) / (having + 0.5));
    for (const [at, of] of [...points.values()].entries()) {
      of.sum += rare * (gained[at] ?? 0);
      of.had += Number((gained[at] ?? 0) > 0);
    }
  }
  const ranked = [...points].map(([each, { sum, had }]) => /** @type {const} */ ([each, sum * (LACKING + ((1 - LACKING) * had) / asked.length) * (each.passage.aside ? ASIDE : 1)])).filter(([, sum]) => sum > 0).sort(([, a], [, b]) => b - a);
  return ranked.slice(0, most).map(([{ passage }]) => passage);
}

// Robertson and Zaragoza, The probabilistic relevance framework: BM25 and beyond, 2009, with a weight for each field.
/** @type {(each: Prepared, word: string) => number} */
function gain({ fields }, word) {
  let sum = 0;
  for (const { count, size, weight } of fields) {
    const hits = hitsIn(count, word), room = weight > IN_TEXT ? 1 : 1 - LONG + (LONG * size) / USUAL;
    sum += (weight * hits * (SOON + 1)) / (hits + SOON * room);
  }
  return sum;
}

/** @type {(count: ReadonlyMap<string, number>, word: string) => number} */
function hitsIn(count, word) {
  let sum = 0;
  for (const [each, times] of count) if (each.startsWith(word)) sum += times * (stem(each) === word ? WHOLE : 0.5);
  return sum;
}

/** @type {(text: string) => string[]} */
function inAllWords(text) {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** @type {(word: string) => string} */
function stem(word) {
  const cut = word.replace(ENDING, "");
  return cut.length > 2 ? cut : word;
}
