// The quiz: a question, its answers as buttons, the explanation, the score. A seed names a quiz; the look has it.

import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { goOn } from "./going_on.js";
import { begun, gameOf, newSeed, rightIn } from "./games.js";
import { buttonOf, pictureOf, placed, remark, textIn } from "./making.js";

/** @typedef {import("./games.js").Game} Game */
/** @typedef {{question?: QuizQuestionFacts, answer?: QuizAnswerFacts} & Pick<Answer, "error" | "said">} Due */

export class Quiz {
  due = ""; // the quiz and the language that are on screen, or asked for
  seed = 0;
  asking = {};
  goesOn = false; // whether the visitor asked for what comes next, so that the focus goes there

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-quiz lg-learning");
    root.append(this.root);
  }

  /** @param {Look} look */
  show(look) {
    const { data: { words }, store } = this.page;
    if (look.seed === null) store.settle({ type: "seed", seed: newSeed() });
    const seed = look.seed ?? store.get().seed ?? 0; // to dispatch may have shown it already
    const due = `${seed} ${words.language_code}`;
    if (due === this.due) return;
    Object.assign(this, { due, seed });
    this.turn();
  }

  close() {
    this.asking = {};
    this.root.remove();
  }

  /** What is due: the question, its answer, or the result. */
  async turn() {
    const { root, page: { data: { words } } } = this;
    const game = gameOf(this.seed);
    const asking = this.asking = {};
    const wanted = () => this.asking === asking;
    root.setAttribute("aria-busy", "true");
    if (!root.firstChild) root.append(quiet(words.quiz_loading));
    const found = game.number === game.questions ? {} : await this.asked(game, wanted);
    if (!found) return;
    root.removeAttribute("aria-busy");
    const place = this.draw(game, found);
    if (this.goesOn) goOn(place);
    this.goesOn = false;
  }

  /**
   * The question that is due, and its answer if one was given; null if nobody wants it any longer.
   * @param {Game} game
   * @param {() => boolean} wanted
   * @returns {Promise<?Due>}
   */
  async asked(game, wanted) {
    const question = await answerOf(this.address("quiz.json", game.number), wanted);
    if (!question || question.error) return question;
    game.questions = question.questions;
    const given = game.given[game.number];
    if (!given) return { question };
    const answer = await answerOf(this.address("quiz_answer.json", game.number, { choice: String(given.choice) }), wanted);
    if (!answer) return null;
    if (answer.error) return { error: answer.error, said: answer.said };
    given.right = answer.right;
    return { question, answer };
  }

  /**
   * @template {"quiz.json" | "quiz_answer.json"} Question
   * @param {Question} name
   * @param {number} question
   * @param {Record<string, string>} [more]
   */
  address(name, question, more = {}) {
    const { subject, words } = this.page.data;
    const query = { seed: String(this.seed), question: String(question), ...more, lang: words.language_code };
    return addressOf(subject, name, new URLSearchParams(query).toString());
  }

  /**
   * Draw what is due; where the visitor goes on is returned.
   * @param {Game} game
   * @param {Due} found
   * @returns {HTMLElement}
   */
  draw(game, found) {
    const { words } = this.page.data;
    if (found.error) return this.refuse(said(found, "error", words));
    if (!found.question) return this.drawResult(game);
    const { question, answer } = found;
    const progress = { number: game.number + 1, count: game.questions, right: rightIn(game) };
    const asked = placed("lg-quiz-asked", quiet(filled(words.quiz_progress, progress)), textIn("p", question.text));
    if (question.pictures.length) asked.append(placed("lg-quiz-pictures", ...question.pictures.map(pictureOf)));
    if (!answer) {
      this.root.replaceChildren(asked, this.choices(game, question), this.share());
      return asked;
    }
    const [list, reason, next] = this.answered(game, question, answer);
    this.root.replaceChildren(asked, list, reason, next, this.share());
    this.fetchNext(game);
    return reason;
  }

  /** @type {(game: Game, question: QuizQuestionFacts) => HTMLElement} */
  choices(game, { choices }) {
    const buttons = choices.map((choice, place) => buttonOf(choice, () => {
      game.given[game.number] = { choice: place };
      for (const button of buttons) button.setAttribute("aria-disabled", "true");
      this.goOn();
    }));
    return placed("lg-quiz-choices", ...buttons);
  }

  // The choices, with the right one and a wrongly chosen one marked; then the explanation.
  /** @type {(game: Game, question: QuizQuestionFacts, answer: QuizAnswerFacts) => HTMLElement[]} */
  answered(game, { choices }, { right, answer, why }) {
    const { words } = this.page.data;
    const { choice } = game.given[game.number];
    const list = element("ul", "lg-answers");
    list.append(...choices.map((text, place) => {
      if (place === answer) return element("li", "lg-answer", filled(words.quiz_mark_right, { choice: text }));
      if (place === choice) return element("li", "lg-chosen", filled(words.quiz_mark_wrong, { choice: text }));
      return element("li", "", filled(words.quiz_mark_none, { choice: text }));
    }));
    const verdict = right ? words.quiz_right : filled(words.quiz_wrong, { chosen: choices[choice] });
    const label = game.number + 1 === game.questions ? words.quiz_result : words.quiz_next;
    const next = buttonOf(label, () => {
      next.setAttribute("aria-disabled", "true");
      game.number += 1;
      this.goOn();
    }, "lg-primary");
    return [list, placed("lg-quiz-why", remark(verdict, why)), placed("lg-quiz-next", next)];
  }

  // While the visitor reads why, the next question is made, and the browser keeps it.
  /** @param {Game} game */
  fetchNext({ number, questions }) {
    if (number + 1 === questions) return;
    fetch(this.address("quiz.json", number + 1), { headers: { "x-layerglass-prefetch": "1" } }).catch(() => {});
  }

  /** @type {(game: Game) => HTMLElement} */
  drawResult(game) {
    const { data: { words }, store } = this.page;
    const done = filled(words.quiz_done, { right: rightIn(game), count: game.questions });
    const asked = placed("lg-quiz-asked", element("h2", "", done));
    const another = buttonOf(words.quiz_new, () => {
      this.goesOn = true;
      store.dispatch({ type: "seed", seed: newSeed(this.seed) });
    }, "lg-primary");
    const again = buttonOf(words.quiz_again, () => {
      begun(this.seed);
      this.goOn();
    });
    const row = element("div", "lg-buttons");
    row.append(placed("lg-quiz-new", another), placed("lg-quiz-again", again));
    this.root.replaceChildren(asked, row, this.share());
    return asked;
  }

  /** @param {string} error */
  refuse(error) {
    const note = element("p", "lg-refused", error);
    note.setAttribute("role", "alert");
    this.root.replaceChildren(note);
    return note;
  }

  goOn() {
    this.goesOn = true;
    this.turn();
  }

  share() {
    return quiet(filled(this.page.data.words.quiz_share, { seed: this.seed }));
  }
}

/** @param {string} text */
function quiet(text) {
  return element("p", "lg-quiet", text);
}
