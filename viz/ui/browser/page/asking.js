// Requests to the server, repeated while it is busy, and no longer than somebody waits.

export const ASK_AGAIN_MS = 400;
export const BUG = 500; // the answer is a sentence with the bug's number; whatever is above passes
export const GONE = 410; // the server does not know the visit, as after a restart
const MOVING = "x-layerglass-moving"; // another server answers for the visit's, which has fallen silent
let askedSoFar = 0;

// Like fetch; if the server does not know the visit any more, or soon will not, the page hears of it.
/**
 * @param {string} address
 * @param {RequestInit} [options]
 */
export async function asked(address, options) {
  const answer = await underWay(options, fetch(address, options));
  if (answer.status === GONE) window.dispatchEvent(new CustomEvent("layerglass:gone", { detail: address }));
  if (answer.headers.has(MOVING)) window.dispatchEvent(new CustomEvent("layerglass:moving", { detail: address }));
  return answer;
}

/**
 * A picture, once it has come. An image does not say why it did not, so the page asks: the visit may have gone, whatever
 * the browser has kept of it.
 * @param {string} address
 * @param {Promise<void>} coming
 * @param {RequestInit} [options]
 */
export async function pictured(address, coming, options) {
  try {
    await coming;
  } catch (failure) {
    await asked(address, options);
    throw failure;
  }
}

/**
 * What an attempt brings, after as many as it takes.
 * @template Brought
 * @param {() => Promise<Brought>} attempt
 */
export async function untilDone(attempt, pause = ASK_AGAIN_MS) {
  for (;;) {
    try {
      return await attempt();
    } catch {
      await new Promise((go) => { setTimeout(go, pause); });
    }
  }
}

// An answer that the visitor waits for: the page hears of it, and that it has come or will not.
/** @type {(options: RequestInit | undefined, coming: Promise<Response>) => Promise<Response>} */
async function underWay(options, coming) {
  if (new Headers(options?.headers).has("x-layerglass-prefetch")) return coming;
  const detail = askedSoFar += 1;
  window.dispatchEvent(new CustomEvent("layerglass:asked", { detail }));
  try {
    return await coming;
  } finally {
    window.dispatchEvent(new CustomEvent("layerglass:answered", { detail }));
  }
}

// The server's answer, asked for again while it is busy; null once it is no longer wanted.
/**
 * @template {keyof Answers} Question
 * @param {Address<Question>} address
 * @param {() => boolean} wanted
 * @param {RequestInit} [options]
 * @returns {Promise<?Answers[Question]>}
 */
export async function answerOf(address, wanted, options) {
  for (;;) {
    try {
      const answer = await asked(address, options);
      const found = await answer.json();
      if (!wanted()) return null;
      if (!found.superseded && answer.status <= BUG) return found;
    } catch { /* the connection is gone for a moment */ }
    await new Promise((go) => { setTimeout(go, ASK_AGAIN_MS); });
    if (!wanted()) return null;
  }
}

/**
 * Numbers questions whose answers replace each other: each gets a check whether none was asked after it.
 * @returns {() => () => boolean}
 */
export function newestOnly() {
  let asked = 0;
  return () => {
    const number = asked += 1;
    return () => number === asked;
  };
}
