// Questions for the class on this page: requests to the server, and its answers. A player of lessons asks with `ask`,
// and takes the question away with `unask`.

import { Sender } from "../class_line/sender.js";
import { addressOf } from "../maps/addresses.js";
import { heard, isOpen, NOTHING, sizesOf } from "./asking_state.js";

/** A question; what is left out is filled in. @typedef {Pick<ClassQuestion, "kind" | "text"> & Partial<ClassQuestion>} NewQuestion */

const TOO_OFTEN = 429;
const REFUSED = 400;

export class Asking {
  now = NOTHING;

  /** @type {?Answer} */
  refusal = null; // why the last answer was not taken

  hidden = true; // whether what comes in stays off the teacher's screen, which all see, until the answer is shown

  /** @type {(question: NewQuestion) => ClassQuestion} */
  complete = (question) => ({ choices: [], right: [], within: 0, explanation: "", layer: "", maps: 0, ...question });

  /** @param {import("./classroom.js").Classroom} classroom */
  constructor(classroom) {
    this.classroom = classroom;
    this.answers = new Sender((/** @type {StudentAnswers} */ said) => this.say(said));
  }

  // --- What the teacher does ---------------------------------------------------------------------------------------

  // Ask the class; what is wrong, if anything. Maps and shapes are those of the layer on screen, unless another is named;
  // what is right of a shape is known here.
  /** @type {(question: NewQuestion) => Promise<?Answer>} */
  async ask(question) {
    const { page } = this.classroom;
    const { layer } = page.store.get();
    const about = ["map", "shape"].includes(question.kind) ? { layer } : {};
    const asked = this.complete({ ...about, ...question });
    const right = asked.kind === "shape" && !asked.right.length ? sizesOf(page.rowOf(asked.layer)?.shape ?? "") ?? [] : asked.right;
    return this.told("class_ask.json", { ...asked, right });
  }

  // Ask it a question of the quiz.
  /** @type {(quiz: QuizOnScreen) => Promise<?Answer>} */
  askQuiz(quiz) {
    return this.told("class_quiz.json", quiz);
  }

  // Show everybody what is right, and how many gave which answer.
  reveal() {
    return this.order({ do: "reveal" });
  }

  // Take the question away.
  unask() {
    return this.order({ do: "close" });
  }

  /** @type {(order: {do: AskingOrder["do"], student?: number}) => Promise<?Answer>} */
  order(order) {
    return this.told("class_asking.json", order);
  }

  /** @param {boolean} hidden */
  hide(hidden) {
    this.hidden = hidden;
    this.classroom.saidSo();
  }

  // Address of the table of the class's answers.
  get results() {
    const { subject, words } = this.classroom.page.mine;
    return addressOf(subject, "class_results.csv", `lang=${words.language_code}`);
  }

  // True if the class is asked a question of the quiz, whose card is in place of one's own quiz.
  get asksQuiz() {
    return Boolean(this.now.question?.quiz);
  }

  // --- What a student does -----------------------------------------------------------------------------------------

  /** @param {Value} value */
  answer(value) {
    const { question } = this.now;
    if (!question || !isOpen(this.now) || this.classroom.now.role !== "student") return;
    this.refusal = null;
    this.happened(heard(this.now, { type: "answered", asked: question.asked, value }));
    this.answers.send({ asked: question.asked, value });
  }

  // A key chooses; whether there is something to choose.
  /** @param {number} place */
  choose(place) {
    const { question } = this.now;
    if (question?.kind !== "choice" || !isOpen(this.now) || this.classroom.now.role !== "student" || place >= question.choices.length) return false;
    this.answer([place]);
    return true;
  }

  /** @param {string} nickname */
  async callMe(nickname) {
    const found = await this.classroom.post("class_name.json", { nickname });
    if ("nickname" in found) this.happened({ ...this.now, nickname: found.nickname });
    return "error" in found ? found : null;
  }

  // --- What the server tells ---------------------------------------------------------------------------------------

  /** @param {ClassroomAsking} told */
  asked(told) {
    if (told.question?.asked !== this.now.question?.asked) Object.assign(this, { refusal: null, hidden: true });
    this.happened(heard(this.now, { type: "question", told }));
  }

  /** @param {ClassroomAnswers} told */
  given(told) {
    this.happened(heard(this.now, { type: "answers", told }));
  }

  out() {
    this.answers.drop();
    this.refusal = null;
    this.happened(heard(this.now, { type: "out" }));
  }

  /** @param {import("./asking_state.js").Asked} next */
  happened(next) {
    if (next === this.now) return;
    this.now = next;
    this.classroom.saidSo();
  }

  /** @type {(question: "class_ask.json" | "class_quiz.json" | "class_asking.json", told: object) => Promise<?Answer>} */
  async told(question, told) {
    const found = await this.classroom.post(question, told);
    return "error" in found ? found : null;
  }

  // Say an answer; false if it has to be said again, because the server was not reached or is asked too often.
  /** @param {StudentAnswers} said */
  async say(said) {
    if (this.classroom.now.role !== "student" || said.asked !== this.now.question?.asked) return true;
    try {
      const answer = await this.classroom.posted("class_answer.json", said);
      if (answer.status === TOO_OFTEN || answer.status >= 500) return false;
      if (answer.status >= REFUSED) {
        this.refusal = await answer.json();
        this.classroom.saidSo();
      } else if (!this.answers.waiting) { // the line may have come back meanwhile, before the server knew this answer
        this.happened(heard(this.now, { type: "answered", ...said }));
      }
      return true;
    } catch {
      return false;
    }
  }
}
