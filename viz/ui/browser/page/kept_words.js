// The words of the page in the visitor's language. The browser keeps them: messages name their file alone.

import { untilDone } from "./asking.js";

const GONE = 404; // the server is of another version by now, and sends another message
/** @type {Map<string, Promise<?Words>>} */
const known = new Map();
/** @type {Promise<unknown>} */
let before = Promise.resolve();

/**
 * Take what Python sent once its words are here, in the order in which it was sent.
 * @template {{words: Words}} Sent
 * @param {Sent} sent
 * @param {(sent: Sent) => void} take
 */
export function withWords(sent, take) {
  const turn = Promise.all([worded(sent), before]).then(([whole]) => whole);
  turn.then((whole) => { if (whole) take(whole); });
  before = turn; // and not what is taken, which may fail
}

/**
 * What Python sent, with its words in place of the name of their file; null if there is no such file.
 * @template {{words: Words}} Sent
 * @param {Sent} sent
 * @returns {Promise<?Sent>}
 */
export async function worded(sent) {
  const { file } = sent.words;
  if (!file) return sent;
  if (!known.has(file)) known.set(file, untilDone(() => fetched(file)));
  const words = await known.get(file);
  if (!words) known.delete(file);
  return words ? { ...sent, words } : null;
}

/** @type {(file: string) => Promise<?Words>} */
async function fetched(file) {
  const answer = await fetch(new URL(`../words/${file}.json`, globalThis.layerglassRoot));
  if (answer.status === GONE) return null;
  if (!answer.ok) throw new Error("the server is busy");
  return answer.json();
}
