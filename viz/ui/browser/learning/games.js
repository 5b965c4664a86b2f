// Quizzes and how far the visitor has come in each; other ways of looking in between do not end them.

const NEW_SEEDS = 10_000; // short enough to be read out

/**
 * @typedef {Object} Game
 * @property {number} number - the question that is due, from 0
 * @property {?number} questions - how many there are; null before the server has said it
 * @property {{choice: number, right?: boolean}[]} given - the answers
 */

/** @type {Map<number, Game>} */
const games = new Map();

/**
 * The quiz with this seed, as far as the visitor has come.
 * @param {number} seed
 */
export function gameOf(seed) {
  return games.get(seed) ?? begun(seed);
}

/**
 * The quiz with this seed from its first question on.
 * @param {number} seed
 * @returns {Game}
 */
export function begun(seed) {
  const game = { number: 0, questions: null, given: [] };
  games.set(seed, game);
  return game;
}

/** @param {Game} game */
export function rightIn({ given }) {
  return given.filter((each) => each.right).length;
}

/**
 * The seed of a quiz drawn by chance; never the one before.
 * @param {number} [before]
 * @param {() => number} [chance]
 */
export function newSeed(before, chance = Math.random) {
  const seed = Math.floor(chance() * NEW_SEEDS);
  return seed === before ? (seed + 1) % NEW_SEEDS : seed;
}
