// The card above the maps with the question of the class. Students answer on it, the teacher sees what has come in;
// once it is shown, everybody sees what is right, why, and how many gave which answer.

import { answerText, barsOf, isRight, tallied } from "../classroom/asking_state.js";
import { counts } from "../classroom/membership.js";
import { button } from "../layer/help.js";
import { QUESTIONS } from "../learning/games.js";
import { element, filled } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerForm } from "./answer_form.js";
import { NameForm } from "./name_form.js";
import { QuizPart } from "./quiz_part.js";
import { tallyOf } from "./tally.js";

/** @typedef {{root: HTMLElement, show: (mine: Value) => void}} Body */

export class AskedCard {
  drawn = ""; // which question the body was made for, in which state and language
  number = 0; // of the question that was on screen before

  /** @type {?Body} */
  body = null;

  /**
   * @param {HTMLElement} root
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {{open: () => void}} dialog - in which the teacher asks
   */
  constructor(root, classroom, dialog) {
    this.root = root;
    this.classroom = classroom;
    this.dialog = dialog;
    this.root.hidden = true;
    this.kicker = element("p", "lg-asked-kicker");
    this.text = element("h3", "lg-asked-text");
    this.text.id = "lg-asked-text";
    this.root.setAttribute("role", "region");
    this.root.setAttribute("aria-labelledby", this.text.id);
    this.place = element("div", "lg-asked-body");
    this.said = element("p", "lg-asked-said");
    this.said.setAttribute("role", "status");
    this.shown = element("div", "lg-asked-shown");
    this.doing = element("div", "lg-class-doing");
    this.list = element("details", "lg-asked-each");
    this.name = new NameForm(classroom.asking);
    const asks = element("div", "lg-asked-asks");
    asks.append(this.kicker, this.text, this.place, this.said, this.doing);
    this.asks = asks;
    this.root.append(asks, this.shown, this.list, this.name.root);
    this.stop = classroom.hear(() => this.show());
  }

  get words() {
    return this.classroom.page.data.words;
  }

  get teaches() {
    return this.classroom.now.role === "teacher";
  }

  show() {
    const { asking, now } = this.classroom;
    const { question, names } = asking.now;
    const named = names && now.role === "student";
    this.root.hidden = now.role === "none" || (!question && !named);
    document.documentElement.classList.toggle("lg-class-quiz", asking.asksQuiz);
    this.asks.hidden = this.shown.hidden = !question;
    this.name.show(named, this.words);
    this.list.hidden = !question || !this.teaches || !asking.now.answers.length || (asking.hidden && !question.revealed);
    if (this.root.hidden || !question) return this.forget();
    this.root.dataset.state = question.revealed ? "revealed" : asking.now.mine.length ? "answered" : "open";
    this.root.dataset.kind = question.kind;
    this.write(question);
    if (question.asked !== this.number) this.arrived();
    this.number = question.asked;
    return undefined;
  }

  forget() {
    Object.assign(this, { drawn: "", number: 0, body: null });
    this.place.replaceChildren();
    this.shown.replaceChildren();
  }

  /** @param {AskedQuestion} question */
  write(question) {
    const { words, teaches } = this;
    const { mine } = this.classroom.asking.now;
    const drawn = `${question.asked} ${Boolean(question.revealed)} ${words.language_code} ${teaches}`;
    if (drawn !== this.drawn) this.begin(question);
    this.drawn = drawn;
    this.body?.show(mine);
    this.say(this.status(question));
    this.showTally(question);
    if (teaches) this.showEach(question);
    this.offer(question);
  }

  // Build the parts that stay for as long as the question is the same, and as open.
  /** @param {AskedQuestion} question */
  begin(question) {
    const { words, teaches } = this;
    this.kicker.textContent = question.revealed ? words.asking_answer_is : words.asking_question;
    this.text.textContent = question.quiz ? filled(words.asking_quiz, { number: question.quiz.number + 1, seed: question.quiz.seed }) : question.text;
    const answered = (/** @type {Value} */ value) => this.classroom.asking.answer(value);
    if (question.quiz) this.body = new QuizPart(this.classroom, question, answered, () => this.show());
    else this.body = teaches || question.revealed ? null : answerForm(question, words, answered);
    this.place.replaceChildren(...(this.body ? [this.body.root] : []));
  }

  /** @param {AskedQuestion} question */
  status(question) {
    const { words, classroom: { asking, now } } = this;
    const { mine, answers } = asking.now;
    if (this.teaches) {
      const { following, alone } = counts(now.students);
      return filled(words.asking_given, { given: answers.length, all: Math.max(following + alone, answers.length) });
    }
    if (asking.refusal && !question.revealed) return said(asking.refusal, "error", words);
    const text = mine.length ? filled(words.asking_mine, { answer: answerText(this.named(question), mine, words) }) : "";
    if (!question.revealed) return text ? `${text} ${words.asking_may_change}` : question.kind === "map" ? this.howToClick(question) : "";
    const verdict = !question.revealed.right.length ? "" : isRight(question, mine) ? words.asking_was_right : mine.length ? words.asking_was_wrong : "";
    return [text || words.asking_none_given, verdict].filter(Boolean).join(" ");
  }

  /** @param {AskedQuestion} question */
  howToClick({ layer }) {
    const { page } = this.classroom;
    return layer && page.store.get().layer !== layer ? filled(this.words.asking_other_layer, { layer }) : window.matchMedia("(pointer: coarse)").matches ? this.words.asking_tap : this.words.asking_click;
  }

  // With the texts of the quiz in the page's language.
  /** @param {AskedQuestion} question */
  named(question) {
    const choices = this.body instanceof QuizPart ? this.body.texts : [];
    return choices.length ? { ...question, choices } : question;
  }

  /** @param {string} text */
  say(text) {
    if (this.said.textContent !== text) this.said.textContent = text;
  }

  /** @param {AskedQuestion} question */
  showTally(question) {
    const { words, teaches, classroom: { asking } } = this;
    const { mine, answers } = asking.now;
    const { revealed } = question;
    if (!revealed && (!teaches || asking.hidden)) return this.shown.replaceChildren();
    const tally = barsOf(this.named(question), revealed?.answers ?? tallied(answers), mine, words);
    const why = revealed?.explanation ? [element("p", "lg-asked-why", revealed.explanation)] : [];
    return this.shown.replaceChildren(...(revealed ? this.right(question) : []), ...why, tallyOf(tally, words));
  }

  /** @param {AskedQuestion} question */
  right(question) {
    const { words } = this;
    const right = question.revealed?.right ?? [];
    if (!right.length) return [];
    const text = filled(words.asking_right, { answer: answerText(this.named(question), right, words) });
    const within = question.revealed?.within ? ` ± ${question.revealed.within}` : "";
    return [element("p", "lg-asked-right", `✓ ${text}${within}`)];
  }

  // List each student's answer, by number, or by nickname if the teacher asks for these.
  /** @param {AskedQuestion} question */
  showEach(question) {
    const { words, classroom: { asking, now } } = this;
    if (!this.list.firstChild) this.list.append(element("summary"), element("ul"));
    const [summary, list] = this.list.children;
    summary.textContent = words.asking_each;
    list.replaceChildren(...asking.now.answers.map(({ number, value, right }) => {
      const item = element("li");
      const student = now.students.find((each) => each.number === number);
      const name = student?.nickname || filled(words.classroom_student, { number });
      const shown = element("b", "", name);
      shown.title = name;
      item.append(shown, element("span", "", answerText(this.named(question), value, words)));
      if (right !== null) item.append(element("span", "lg-asked-verdict", right ? "✓" : "✗"));
      return item;
    }));
  }

  // The buttons; those that are there already stay, and keep the focus.
  /** @param {AskedQuestion} question */
  offer(question) {
    const offers = this.teaches ? this.teachers(question) : this.students(question);
    const held = this.doing.contains(document.activeElement);
    const parts = offers.map(({ part }) => part).join(" ");
    if (this.doing.dataset.parts !== parts) {
      this.doing.replaceChildren(...offers.map(({ part, href }) => {
        const made = href ? element("a", "lg-class-button") : button("lg-class-button", "", () => {});
        made.dataset.part = part;
        return made;
      }));
      this.doing.dataset.parts = parts;
      if (held) /** @type {?HTMLElement} */ (this.doing.firstElementChild)?.focus({ preventScroll: true });
    }
    [...this.doing.children].forEach((made, place) => {
      const { text, act, href, first } = offers[place];
      if (made.textContent !== text) made.textContent = text;
      made.classList.toggle("lg-primary", Boolean(first));
      if (made instanceof HTMLAnchorElement) Object.assign(made, { href, download: "" });
      else if (made instanceof HTMLButtonElement) made.onclick = act ?? null;
    });
  }

  /** @param {AskedQuestion} question @returns {Offer[]} */
  teachers(question) {
    const { words, classroom: { asking } } = this;
    const close = { part: "asked_close", text: words.asking_close, act: () => void asking.unask() };
    const file = { part: "asked_results", text: words.asking_results, href: asking.results };
    if (question.revealed) return [{ part: "asked_next", text: words.asking_next, act: () => this.next(question), first: true }, close, file];
    return [
      { part: "asked_reveal", text: words.asking_reveal, act: () => void asking.reveal(), first: true },
      { part: "asked_hide", text: asking.hidden ? words.asking_unhide : words.asking_hide, act: () => asking.hide(!asking.hidden) }, close,
    ];
  }

  /** @param {AskedQuestion} question @returns {Offer[]} */
  students({ layer, revealed }) {
    const { words, classroom } = this;
    const away = layer && classroom.page.store.get().layer !== layer && !classroom.now.following && !revealed;
    return away ? [{ part: "asked_go", text: filled(words.asking_go, { layer }), act: () => classroom.page.store.dispatch({ type: "layer", layer, view: "layer" }) }] : [];
  }

  // Another question of the same quiz, or whatever the teacher asks.
  /** @param {AskedQuestion} question */
  next({ quiz }) {
    if (!quiz || quiz.number + 1 >= QUESTIONS) return this.dialog.open();
    const { asking, page: { store } } = this.classroom, { view, seed, level } = store.get();
    const number = quiz.number + 1;
    if (view === "quiz" && seed === quiz.seed && level === quiz.level) store.dispatch({ type: "quiz_question", quiz_question: number + 1 });
    return void asking.askQuiz({ ...quiz, number });
  }

  // A student who has scrolled on sees that there is a question.
  arrived() {
    if (!this.teaches) this.root.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.stop();
    document.documentElement.classList.remove("lg-class-quiz");
  }
}

/** @typedef {{part: string, text: string, act?: () => void, href?: string, first?: boolean}} Offer */
