// Requests from a page of a class to the server, repeated until they are answered.

import { addressOf } from "../maps/addresses.js";
import { GONE } from "../page/asking.js";

const REFUSED = 422; // a sentence says why
const TOO_OFTEN = 429;
const BUG = 500; // that, and whatever is above, as while a proxy waits for the server
const FIRST_MS = 1000, LONGEST_MS = 8000; // between two attempts

/**
 * Repeat `ask` after growing pauses until it finds something; null once nobody wants it.
 * @template Found
 * @param {() => Promise<?Found>} ask
 * @param {{wanted: () => boolean, failed: () => void, pause?: (milliseconds: number) => Promise<void>}} how
 * @returns {Promise<?Found>}
 */
export async function untilHeard(ask, { wanted, failed, pause = resting }) {
  for (let wait = FIRST_MS; wanted(); wait = Math.min(2 * wait, LONGEST_MS)) {
    const found = await ask();
    if (found !== null) return wanted() ? found : null;
    if (wanted()) failed();
    await pause(wait);
  }
  return null;
}

// A class whose network was gone does not come back at one moment.
/** @type {(milliseconds: number, wake?: (act: () => void) => void) => Promise<void>} */
export function resting(milliseconds, wake = () => {}) {
  return new Promise((go) => {
    wake(go);
    setTimeout(go, milliseconds * (0.5 + Math.random() / 2));
  });
}

export class ClassServer {
  /** @param {StagePage} page */
  constructor(page) {
    this.page = page;
  }

  // Say it; false if it has to be said again.
  /** @type {(question: "class_show.json" | "class_point.json" | "class_say.json", told: object) => Promise<boolean>} */
  async tell(question, told) {
    try {
      const { status } = await this.posted(question, told);
      return status !== TOO_OFTEN && status < BUG;
    } catch {
      return false;
    }
  }

  /**
   * The server's answer, also if it refuses; null if it has to be asked again: it was not reached, it is busy, or it
   * does not know the page any more, for which Python makes another subject then.
   * @template {keyof Answers} Question
   * @param {Question} question
   * @param {object} told
   * @returns {Promise<Answers[Question] | Answer | null>}
   */
  async heard(question, told) {
    try {
      const answer = await this.posted(question, told);
      if (answer.status === GONE) window.dispatchEvent(new CustomEvent("layerglass:gone", { detail: answer.url }));
      return answer.ok || answer.status === REFUSED ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  /**
   * Post to the server and return its answer; an error if there is none.
   * @template {keyof Answers} Question
   * @param {Question} question
   * @param {object} told
   * @returns {Promise<Answers[Question] | Answer>}
   */
  async post(question, told) {
    try {
      return await (await this.posted(question, told)).json();
    } catch {
      return { error: this.page.data.words.classroom_unreachable };
    }
  }

  /** @type {(question: keyof Answers, told: object) => Promise<Response>} */
  posted(question, told) {
    const { subject, words } = this.page.mine;
    const query = question === "class_quiz.json" && `lang=${words.language_code}`;
    return fetch(addressOf(subject, question, query), { method: "POST", body: JSON.stringify(told) });
  }
}
