// The words of the page in the visitor's language. The browser keeps them: messages name their file alone.

import { ASK_AGAIN_MS } from "./asking.js";

/** @type {Map<string, Promise<Words>>} */
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
  const turn = Promise.all([worded(sent), before]);
  turn.then(([whole]) => take(whole));
  before = turn; // and not what is taken, which may fail
}

/**
 * What Python sent, with its words in place of the name of their file.
 * @template {{words: Words}} Sent
 * @param {Sent} sent
 * @returns {Promise<Sent>}
 */
export async function worded(sent) {
  const { file } = sent.words;
  if (!file) return sent;
  if (!known.has(file)) known.set(file, fetched(file));
  return { ...sent, words: await known.get(file) };
}

/** @type {(file: string) => Promise<Words>} */
async function fetched(file) {
  for (;;) {
    try {
      const answer = await fetch(new URL(`../words/${file}.json`, globalThis.layerglassRoot));
      if (answer.ok) return await answer.json();
    } catch { /* the connection is gone for a moment */ }
    await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
  }
}
