// A question of the quiz for the class, drawn by the quiz. It is answered like any other.

import { choiceButtons, answeredChoices, shownWith } from "../learning/quiz_choices.js";
import { remark, textIn } from "../learning/making.js";
import { addressOf } from "../maps/addresses.js";
import { element } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { answerOf } from "../page/asking.js";

export class QuizPart {
  /** @type {readonly string[]} */
  texts = []; // of the choices
  /** @type {?HTMLElement} */
  choices = null;
  /** @type {Value} */
  mine = [];

  /**
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {AskedQuestion} question
   * @param {(value: Value) => void} answered
   * @param {() => void} drawn - is told once the question is on screen
   */
  constructor(classroom, question, answered, drawn) {
    this.classroom = classroom;
    this.question = question;
    this.answered = answered;
    this.root = element("div", "lg-quiz lg-learning lg-asked-quiz");
    this.draw(drawn);
  }

  get wanted() {
    return () => this.classroom.asking.now.question?.asked === this.question.asked;
  }

  /** @param {Record<string, string>} [more] */
  query(more = {}) {
    const { words } = this.classroom.page.data;
    const { seed, level, number } = this.question.quiz ?? { seed: 0, level: "climb", number: 0 };
    return new URLSearchParams({ seed: String(seed), ...(level === "climb" ? {} : { level }), question: String(number), ...more, lang: words.language_code }).toString();
  }

  /** @param {() => void} drawn */
  async draw(drawn) {
    const { page, now } = this.classroom;
    const { words, subject } = page.data;
    const found = await answerOf(addressOf(subject, "quiz.json", this.query()), this.wanted);
    if (!found) return;
    if (found.error) return void this.root.replaceChildren(refused(found, words));
    this.texts = found.choices.map(({ text }) => text);
    const play = element("div", "lg-quiz-play");
    const { revealed } = this.question;
    const teaches = now.role === "teacher";
    if (revealed) play.append(...shownWith(found), answeredChoices(found.choices, { answer: revealed.right[0], choice: this.mine[0] ?? -1 }, words));
    else {
      this.choices = choiceButtons(found.choices, words, (place) => this.answered([place]));
      if (teaches) for (const each of this.choices.querySelectorAll("button")) each.disabled = true;
      play.append(...shownWith(found), this.choices);
    }
    const text = textIn("p", found.text);
    text.className = "lg-quiz-text";
    this.root.replaceChildren(text, play);
    if (revealed) await this.explain();
    this.show(this.mine);
    drawn();
  }

  async explain() {
    const { words, subject } = this.classroom.page.data;
    const found = await answerOf(addressOf(subject, "quiz_answer.json", this.query({ choice: String(this.mine[0] ?? 0) })), this.wanted);
    if (!found || found.error) return;
    const why = element("div", "lg-quiz-why");
    why.append(remark(words.asking_why, found.why));
    this.root.append(why);
  }

  /** @param {Value} mine */
  show(mine) {
    this.mine = mine;
    [...(this.choices?.children ?? [])].forEach((each, place) => {
      each.setAttribute("aria-pressed", String(place === mine[0]));
      each.removeAttribute("aria-disabled");
      each.classList.toggle("lg-given", place === mine[0]);
    });
  }
}
