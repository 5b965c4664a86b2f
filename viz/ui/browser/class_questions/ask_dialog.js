// The teacher's dialog for questions: three about the screen, and one of their own.

import { numberIn, sizesOf } from "../classroom/asking_state.js";
import { button } from "../layer/help.js";
import { QUESTIONS } from "../learning/games.js";
import { element } from "../maps/mosaic.js";
import { said, withMore } from "../maps/said.js";
import { closeBeside } from "../page/dialog.js";
import { ASKING, choicesIn, QuestionForm, rightIn } from "./question_form.js";
import { readyQuestions } from "./ready_questions.js";

/** @typedef {import("../classroom/asking.js").NewQuestion} NewQuestion */

export class AskDialog {
  /** @type {?QuestionForm} */
  own = null; // the form of a question of the teacher's own

  /**
   * @param {HTMLElement} parent
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {() => ?{pointable?: import("../class_screen/pointing.js").Pointable}} shown - the view
   */
  constructor(parent, classroom, shown) {
    this.classroom = classroom;
    this.shown = shown;
    this.dialog = element("dialog", "lg-class-dialog lg-ask");
    this.dialog.setAttribute("aria-labelledby", "lg-ask-title");
    closeBeside(this.dialog);
    this.wrong = element("p", "lg-class-wrong");
    this.wrong.setAttribute("role", "alert");
    parent.append(this.dialog);
  }

  open() {
    const { words } = this.classroom.page.data;
    this.wrong.textContent = "";
    const inside = element("div", "lg-help-page");
    const head = element("header");
    const title = element("h2", "", words.asking_title);
    title.id = "lg-ask-title";
    head.append(title, button("lg-help-close", words.close, () => this.dialog.close()));
    inside.append(head, this.ready(words), this.form(words), this.wrong);
    this.dialog.replaceChildren(inside);
    if (!this.dialog.open) this.dialog.showModal();
    /** @type {?HTMLElement} */
    const first = inside.querySelector("button[data-part]");
    first?.focus();
  }

  // Facts of the screen that questions can be about.
  get screen() {
    const { page } = this.classroom;
    const look = page.store.get();
    const { seed, level, quiz_question: asked } = look;
    const pointable = this.shown()?.pointable;
    const channel = Number(pointable?.chosen?.()?.replace("map ", "") ?? 0);
    const maps = pointable?.count?.() ?? 0;
    const number = asked === null || asked > QUESTIONS ? 0 : asked - 1;
    const quiz = look.view === "quiz" && seed !== null ? { seed, level, number } : null;
    return { look, channel, maps, quiz, sizes: sizesOf(page.rowOf(look.layer)?.shape ?? "") ?? [] };
  }

  /** @param {Words} words */
  ready(words) {
    const root = element("section", "lg-ask-ready");
    root.append(element("h3", "", words.asking_ready));
    root.append(...readyQuestions(this.screen, words).map((each) => {
      const made = button("", each.title, () => this.ask("quiz" in each ? this.classroom.asking.askQuiz(each.quiz) : this.classroom.ask(each.question)));
      made.dataset.part = "ask_ready";
      made.dataset.kind = "quiz" in each ? "quiz" : each.question.kind;
      return made;
    }));
    return root;
  }

  // --- A question of the teacher's own -----------------------------------------------------------------------------

  /** @param {Words} words */
  form(words) {
    const form = new QuestionForm(words, { group: "lg-ask-kind", right: words.asking_right_maybe, isOfLayer: () => this.screen.sizes.length > 0 });
    const send = element("button", "lg-primary", words.asking_send);
    send.type = "submit";
    send.dataset.part = "ask_send";
    form.root.prepend(element("h3", "", words.asking_own));
    form.root.append(send);
    form.root.onsubmit = (event) => {
      event.preventDefault();
      const question = this.read(form.typed, words);
      if (question) this.ask(this.classroom.ask(question), true);
    };
    if (this.own) form.fill(this.own.typed); // until it is sent
    this.own = form;
    return form.root;
  }

  // What was typed; null if its right answer cannot be read. What else is wrong with it, the server says.
  /** @type {(typed: import("./question_form.js").Typed, words: Words) => ?NewQuestion} */
  read({ kind, text, explanation, ...typed }, words) {
    const choices = kind === "choice" ? choicesIn(typed.choices) : [];
    const right = rightIn(kind, typed.right), within = numberIn(typed.within || "0");
    const isUnread = right === null || within === null || within < 0;
    this.wrong.replaceChildren(...isUnread ? withMore(words.asking_no_right, ASKING, words) : []);
    if (isUnread) return null;
    const { look, maps } = this.screen;
    const about = kind === "map" ? { layer: look.layer, maps } : kind === "shape" ? { layer: look.layer } : {};
    return { kind, text, choices, ...(right.length ? { right } : {}), within, explanation, ...about };
  }

  /** @type {(asked: Promise<?Answer>, isOwn?: boolean) => Promise<void>} */
  async ask(asked, isOwn = false) {
    const refusal = await asked, { words } = this.classroom.page.data;
    this.wrong.replaceChildren(...refusal ? withMore(said(refusal, "error", words), ASKING, words) : []);
    if (refusal) return;
    if (isOwn) this.own?.clear();
    this.dialog.close();
  }
}
