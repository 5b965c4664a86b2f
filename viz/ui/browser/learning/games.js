// Quizzes and how far the visitor has come in each. The browser keeps the last ones over a reload; the server none.

const NEW_SEEDS = 10_000; // short enough to be read out
const KEPT = "layerglass.quizzes";
const MOST = 20; // quizzes that are kept
const CHOICES = 4;
const LONGEST = 100; // questions of a quiz, in what was stored

/**
 * @typedef {Object} Game
 * @property {number} number - the question that is due, from 0; as many as there are once the quiz is over
 * @property {?number} questions - how many there are; null before the server has said it
 * @property {{choice: number, right?: boolean}[]} given - the answers
 */

/** What names a quiz. @typedef {Pick<Look, "level"> & {seed: number}} Quizzed */

/** @type {Map<string, Game>} */
let games = new Map();
let isRead = false;

/**
 * The quiz with this seed and level, as far as the visitor has come.
 * @param {Quizzed} quiz
 */
export function gameOf(quiz) {
  if (!isRead) games = gamesIn(stored());
  isRead = true;
  return games.get(nameOf(quiz)) ?? begun(quiz);
}

/**
 * The quiz from its first question on.
 * @param {Quizzed} quiz
 * @returns {Game}
 */
export function begun(quiz) {
  const game = { number: 0, questions: null, given: [] };
  games.delete(nameOf(quiz)); // the newest is the last one
  games.set(nameOf(quiz), game);
  return game;
}

// Write down how far the visitor has come, beside the quizzes of other tabs. Without storage it is known as long as the
// page is open.
export function keepGames() {
  const others = [...gamesIn(stored())].filter(([name]) => !games.has(name));
  const begunOnes = [...others, ...games].filter(([, { given }]) => given.length).slice(-MOST);
  try {
    localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(begunOnes)));
  } catch { /* see above */ }
}

function stored() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}

/**
 * What was written down; anything that is no game is left out.
 * @param {string} text
 * @returns {Map<string, Game>}
 */
export function gamesIn(text) {
  try {
    return new Map(Object.entries(JSON.parse(text)).filter(([, game]) => isGame(game)));
  } catch {
    return new Map();
  }
}

/** @param {any} game */
function isGame(game) {
  if (!isCount(game?.number, LONGEST + 1) || !(game.questions === null || isCount(game.questions, LONGEST + 1))) return false;
  const { given, number } = game;
  const isOver = number === game.questions;
  if (!Array.isArray(given) || given.length < number || given.length > number + (isOver ? 0 : 1)) return false;
  return given.every((each) => isCount(each?.choice, CHOICES) && ["boolean", "undefined"].includes(typeof each.right));
}

/** @type {(value: unknown, end: number) => boolean} */
function isCount(value, end) {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
}

/** @param {Quizzed} quiz */
function nameOf({ seed, level }) {
  return `${seed} ${level}`;
}

/** @param {Game} game */
export function rightIn({ given }) {
  return given.filter((each) => each.right).length;
}

/**
 * How many of the last answers were right, without one in between that was not.
 * @param {Pick<Game, "given">} game
 */
export function streakIn({ given }) {
  const wrong = given.findLastIndex(({ right }) => right === false);
  return given.slice(wrong + 1).filter(({ right }) => right).length;
}

/** The longest streak in a quiz. @param {Pick<Game, "given">} game */
export function longestStreak({ given }) {
  return Math.max(0, ...given.map((_, last) => streakIn({ given: given.slice(0, last + 1) })));
}

/** The numbers of the questions that were not answered rightly. @param {Pick<Game, "given">} game */
export function wrongIn({ given }) {
  return given.flatMap(({ right }, number) => (right === false ? [number] : []));
}

/**
 * The seed of a quiz drawn by chance; never the one before.
 * @param {?number} [before]
 * @param {() => number} [chance]
 */
export function newSeed(before, chance = Math.random) {
  const seed = Math.floor(chance() * NEW_SEEDS);
  return seed === before ? (seed + 1) % NEW_SEEDS : seed;
}

/**
 * The seed that was typed: one to six digits; null for anything else.
 * @param {string} text
 */
export function typedSeed(text) {
  const typed = text.trim();
  return /^[0-9]{1,6}$/.test(typed) ? Number(typed) : null;
}
