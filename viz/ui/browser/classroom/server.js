// What a page of a class says to the server.

import { addressOf } from "../maps/addresses.js";

const TOO_OFTEN = 429;

export class ClassServer {
  /** @param {StagePage} page */
  constructor(page) {
    this.page = page;
  }

  // Say it; false if it has to be said again.
  /** @type {(question: "class_show.json" | "class_point.json", told: object) => Promise<boolean>} */
  async tell(question, told) {
    try {
      const answer = await this.posted(question, told);
      return answer.status !== TOO_OFTEN;
    } catch {
      return false;
    }
  }

  /**
   * What the server answers to what is said; an error if it does not.
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
