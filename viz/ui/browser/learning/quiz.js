// The quiz: a question, its choices, the explanation, and at the end the review. The look has its number, its level and
// the question on screen; games.js has the answers.

import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refused } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { begun, gameOf, give, keepGames, newSeed, openIn, QUESTIONS, rightIn, streakIn, wrongIn } from "./games.js";
import { goOn } from "./going_on.js";
import { buttonOf, placed, remark, textIn } from "./making.js";
import { answeredChoices, choiceButtons, shownWith } from "./quiz_choices.js";
import { QuizHead, stepsOf, streakOf } from "./quiz_head.js";
import { lessonLink, reviewOf, scoreOf } from "./quiz_review.js";

/** @typedef {import("./games.js").Game} Game */
/** @typedef {{question?: QuizQuestionFacts, answer?: QuizAnswerFacts, missed?: import("./quiz_review.js").Missed[]} & Pick<Answer, "error" | "said" | "document">} Due */

const SIGNED = "button, a, input, select, textarea, summary, [role=button], [role=treeitem]"; // what Enter is for

export class Quiz {
  due = ""; // the question and the language that are on screen, or asked for
  /** @type {import("./games.js").Quizzed} */
  quiz = { seed: 0, level: "climb" };

  asking = {};
  goesOn = false; // whether the visitor asked for what comes next, so that the focus goes there

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-quiz lg-learning");
    this.head = new QuizHead(page);
    this.body = element("div", "lg-quiz-body");
    this.root.append(this.head.root, this.body);
    root.append(this.root);
    this.keyed = { answer: (/** @type {number} */ place) => this.press(`.lg-quiz-choices > :nth-child(${place + 1})`), goOn: () => this.enter() };
  }

  /** @param {Look} look */
  show(look) {
    const { data: { words }, store } = this.page;
    if (look.seed === null) store.settle({ type: "seed", seed: newSeed() });
    const { seed, level, quiz_question: asked } = store.get(); // to settle may have shown it already
    const quiz = { seed: seed ?? 0, level };
    this.head.show(quiz);
    const game = gameOf(quiz);
    if (asked === null) return store.settle({ type: "quiz_question", quiz_question: game.number + 1 });
    game.number = Math.min(asked - 1, QUESTIONS);
    const due = `${quiz.seed} ${level} ${game.number} ${words.language_code}`;
    if (due === this.due) return undefined;
    Object.assign(this, { due, quiz });
    return this.turn();
  }

  close() {
    this.asking = {};
    this.root.remove();
  }

  /** Draw the due part: the question, its answer, or the result. */
  async turn() {
    const { body, root, page: { data: { words } } } = this;
    const game = gameOf(this.quiz);
    const asking = this.asking = {};
    const wanted = () => this.asking === asking;
    root.setAttribute("aria-busy", "true");
    if (!body.firstChild) body.append(quiet(words.quiz_loading));
    const found = game.number === QUESTIONS ? await this.missed(game, wanted) : await this.asked(game, wanted);
    if (!found) return;
    root.removeAttribute("aria-busy");
    const place = this.draw(game, found);
    keepGames();
    if (this.goesOn) goOn(place);
    this.goesOn = false;
  }

  /**
   * The question on screen, and its answer if one was given; null if nobody wants it any longer.
   * @param {Game} game
   * @param {() => boolean} wanted
   * @returns {Promise<?Due>}
   */
  async asked(game, wanted) {
    const question = await answerOf(this.address("quiz.json", game.number), wanted);
    if (!question || question.error) return question;
    const given = game.given[game.number];
    if (!given) return { question };
    const answer = await this.answered(game.number, given, wanted);
    return answer?.error ? { error: answer.error, said: answer.said, document: answer.document } : answer && { question, answer };
  }

  /** @type {(number: number, given: import("./games.js").Given, wanted: () => boolean) => Promise<?QuizAnswerFacts>} */
  async answered(number, given, wanted) {
    const answer = await answerOf(this.address("quiz_answer.json", number, { choice: String(given.choice) }), wanted);
    if (answer && !answer.error) given.right = answer.right;
    return answer;
  }

  /**
   * The questions that were not answered rightly, with their answers.
   * @param {Game} game
   * @param {() => boolean} wanted
   * @returns {Promise<?Due>}
   */
  async missed(game, wanted) {
    const missed = [];
    for (const number of wrongIn(game)) {
      const question = await answerOf(this.address("quiz.json", number), wanted);
      const given = game.given[number];
      const answer = question && given && await this.answered(number, given, wanted);
      if (!question || !given || !answer) return null;
      if (!question.error && !answer.error) missed.push({ question, answer, choice: given.choice });
    }
    return { missed };
  }

  /**
   * @template {"quiz.json" | "quiz_answer.json"} Question
   * @param {Question} name
   * @param {number} question
   * @param {Record<string, string>} [more]
   */
  address(name, question, more = {}) {
    const { subject, words } = this.page.data;
    const { seed, level } = this.quiz;
    const query = { seed: String(seed), ...(level === "climb" ? {} : { level }), question: String(question), ...more, lang: words.language_code };
    return addressOf(subject, name, new URLSearchParams(query).toString());
  }

  /**
   * Draw the due part; returns the place where the visitor goes on.
   * @param {Game} game
   * @param {Due} found
   * @returns {HTMLElement}
   */
  draw(game, found) {
    const { words } = this.page.data;
    if (found.error) return this.refuse(found);
    const { question, answer } = found;
    if (!question) return this.drawResult(game, found.missed ?? []);
    const way = placed("lg-quiz-progress", this.steps(game), streakOf(game, words));
    const asked = this.drawQuestion(game, question);
    const shown = shownWith(question);
    const given = game.given[game.number];
    if (!answer || !given) {
      const choices = choiceButtons(question.choices, words, (place) => {
        give(game, game.number, place);
        this.goOn();
      });
      this.body.replaceChildren(way, asked, placed("lg-quiz-play", ...shown, choices), quiet(words.quiz_keys, "lg-quiz-keys"));
      return asked;
    }
    const reason = this.reason(game, question.choices[given.choice], answer);
    const list = answeredChoices(question.choices, { answer: answer.answer, choice: given.choice }, words);
    this.body.replaceChildren(way, asked, placed("lg-quiz-play", ...shown, list), reason, this.next(game));
    this.fetchNext(game);
    return reason;
  }

  /** @type {(game: Game, question: QuizQuestionFacts) => HTMLElement} */
  drawQuestion(game, { level, text }) {
    const { words } = this.page.data;
    const progress = quiet(`${filled(words.quiz_progress, { number: game.number + 1, count: QUESTIONS, right: rightIn(game) })} · ${level}`);
    const sentence = textIn("p", text);
    sentence.className = "lg-quiz-text";
    return placed("lg-quiz-asked", progress, sentence);
  }

  // The verdict on an answer and the reason; after a wrong one also a link to the lesson.
  /** @type {(game: Game, chosen: QuizChoice, answer: QuizAnswerFacts) => HTMLElement} */
  reason(game, chosen, answer) {
    const { words } = this.page.data;
    const count = streakIn(game);
    const praise = count > 1 ? `${words.quiz_right} ${filled(words.quiz_streak, { count })}.` : words.quiz_right;
    const missed = chosen.numbers ? words.quiz_not_quite : filled(words.quiz_wrong, { chosen: chosen.text });
    const verdict = answer.right ? `✓ ${praise}` : `✗ ${missed}`;
    const reason = placed(`lg-quiz-why ${answer.right ? "lg-right" : "lg-wrong"}`, remark(verdict, answer.why));
    if (!answer.right) reason.append(lessonLink(answer, words, (lesson) => this.teach(lesson)));
    return reason;
  }

  /** @param {Game} game */
  next(game) {
    const { words } = this.page.data;
    const label = game.number + 1 === QUESTIONS ? words.quiz_result : words.quiz_next;
    const next = buttonOf(label, () => {
      next.setAttribute("aria-disabled", "true");
      this.goTo(game.number + 1);
    }, "lg-primary");
    next.setAttribute("aria-keyshortcuts", "Enter");
    return placed("lg-quiz-next", next);
  }

  // While the visitor reads why, the next question is made, and the browser keeps it.
  /** @param {Game} game */
  fetchNext({ number }) {
    if (number + 1 === QUESTIONS) return;
    fetch(this.address("quiz.json", number + 1), { headers: { "x-layerglass-prefetch": "1" } }).catch(() => {});
  }

  /** @type {(game: Game, missed: import("./quiz_review.js").Missed[]) => HTMLElement} */
  drawResult(game, missed) {
    const { data: { words }, store } = this.page;
    const score = scoreOf(game, this.steps(game), words);
    const another = buttonOf(words.quiz_new, () => {
      this.goesOn = true;
      store.dispatch({ type: "seed", seed: newSeed(this.quiz.seed) });
    }, "lg-primary");
    const again = buttonOf(words.quiz_again, () => {
      begun(this.quiz);
      this.goTo(0);
    });
    const row = placed("lg-buttons", placed("lg-quiz-new", another), placed("lg-quiz-again", again));
    const share = quiet(filled(words.quiz_share, { seed: this.quiz.seed }));
    this.body.replaceChildren(score, row, reviewOf({ missed, open: openIn(game).length }, words, (lesson) => this.teach(lesson)), share);
    return score;
  }

  // The questions as signs, each of which leads there.
  /** @param {Game} game */
  steps(game) {
    return stepsOf(game, this.page.data.words, (number) => this.goTo(number));
  }

  // One step of the look, so that Back comes back to the quiz.
  /** @param {string} lesson */
  teach(lesson) {
    const { store } = this.page;
    store.dispatch({ type: "link", look: Object.freeze({ ...store.get(), view: "course", lesson, lesson_step: null }) });
  }

  /** @param {Answer} found */
  refuse(found) {
    const note = refused(found, this.page.data.words);
    note.setAttribute("role", "alert");
    this.body.replaceChildren(note);
    return note;
  }

  // Enter goes on once the answer is explained, unless what has the focus needs it.
  enter() {
    return !document.activeElement?.matches(SIGNED) && this.press(".lg-quiz-next button");
  }

  // Press a button of the quiz by a key; false if it is not there.
  /** @param {string} selector */
  press(selector) {
    if (this.page.classroom?.asking.asksQuiz) return false; // its card is in place of this
    /** @type {?HTMLElement} */
    const button = this.body.querySelector(selector);
    button?.click();
    return button !== null;
  }

  goOn() {
    this.goesOn = true;
    this.turn();
  }

  /** @param {number} number - of a question, from 0 */
  goTo(number) {
    this.goesOn = true;
    this.page.store.dispatch({ type: "quiz_question", quiz_question: number + 1 });
    this.page.address?.write(); // each question is an entry of the browser's history, however fast one is
  }
}

/** @type {(text: string, className?: string) => HTMLElement} */
function quiet(text, className = "") {
  return element("p", `lg-quiet ${className}`, text);
}
