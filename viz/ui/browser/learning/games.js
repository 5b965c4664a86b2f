// Quizzes, and the visitor's progress in each. The browser keeps the last ones over a reload, the server none. The
// question on screen is the look's.

const NEW_SEEDS = 10_000; // short enough to be read out
const KEPT = "layerglass.quizzes";
const MOST = 20; // quizzes that are kept
const CHOICES = 4;
export const QUESTIONS = 8; // of a quiz, as viz/quiz makes them

/** @typedef {{choice: number, right?: boolean}} Given */
/**
 * @typedef {Object} Game
 * @property {number} number - the question that was on screen last, from 0; as many as there are for the result
 * @property {(?Given)[]} given - the answers, with null for a question that was passed over
 */

/** The name of a quiz: its level and its seed. @typedef {Pick<Look, "level"> & {seed: number}} Quizzed */

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
  const game = { number: 0, given: [] };
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
 * The games in a stored text; anything that is no game is left out.
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
  if (!isCount(game?.number, QUESTIONS + 1)) return false;
  const { given } = game;
  return Array.isArray(given) && given.length <= QUESTIONS && given.every((each) => each === null || isGiven(each));
}

/** @param {any} given */
function isGiven(given) {
  return isCount(given?.choice, CHOICES) && ["boolean", "undefined"].includes(typeof given.right);
}

/** @type {(value: unknown, end: number) => boolean} */
function isCount(value, end) {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < end;
}

/** @param {Quizzed} quiz */
function nameOf({ seed, level }) {
  return `${seed} ${level}`;
}

/**
 * Write down the choice that was given to a question; what comes before it and has no answer is passed over.
 * @type {(game: Pick<Game, "given">, number: number, choice: number) => void}
 */
export function give({ given }, number, choice) {
  while (given.length < number) given.push(null);
  given[number] = { choice };
}

/** @param {Pick<Game, "given">} game */
export function rightIn({ given }) {
  return given.filter((each) => each?.right).length;
}

/** The numbers of the questions that have no answer. @param {Pick<Game, "given">} game */
export function openIn({ given }) {
  return Array.from({ length: QUESTIONS }, (_, number) => number).filter((number) => !given[number]);
}

/**
 * Number of right answers at the end, without a wrong one in between.
 * @param {Pick<Game, "given">} game
 */
export function streakIn({ given }) {
  const wrong = given.findLastIndex((each) => each?.right === false);
  return rightIn({ given: given.slice(wrong + 1) });
}

/** The longest streak in a quiz. @param {Pick<Game, "given">} game */
export function longestStreak({ given }) {
  return Math.max(0, ...given.map((_, last) => streakIn({ given: given.slice(0, last + 1) })));
}

/** The numbers of the questions that were not answered rightly. @param {Pick<Game, "given">} game */
export function wrongIn({ given }) {
  return given.flatMap((each, number) => (each?.right === false ? [number] : []));
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
