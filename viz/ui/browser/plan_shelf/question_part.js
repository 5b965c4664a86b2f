// The question of a step in one's own lesson, with buttons or as a form.

import { ASKING, QuestionForm } from "../class_questions/question_form.js";
import { sizesOf } from "../classroom/asking_state.js";
import { button } from "../layer/help.js";
import { lookFromQuery } from "../look/look.js";
import { element, filled } from "../maps/mosaic.js";
import { withMore } from "../maps/said.js";
import { placeIn } from "./own.js";
import { BLANK, questionFrom, typedFrom } from "./own_question.js";

/** @typedef {import("./own.js").PlanStep} PlanStep */
/** @typedef {import("../plan/question.js").PlanQuestion} PlanQuestion */

export class QuestionPart {
  /** Those that are open, by the places of their steps: what is typed in one stays. @type {Map<number, QuestionForm>} */
  forms = new Map();

  /** @param {import("./shelf.js").PlanShelf} shelf */
  constructor(shelf) {
    this.shelf = shelf;
  }

  /** @type {(step: PlanStep, place: number) => HTMLElement} */
  draw(step, place) {
    const root = element("div", "lg-plan-question-part");
    const form = this.forms.get(place);
    root.append(...(form ? [this.spoken(form, step, place).root] : this.row(step, place)));
    return root;
  }

  /** @type {(step: PlanStep, place: number) => HTMLElement[]} */
  row(step, place) {
    const { words } = this.shelf, { question, title } = step, doing = element("div", "lg-plan-asking");
    const named = filled(words.plan_step_named, { step: place + 1, title });
    const open = part("open", question ? words.plan_question_change : words.plan_question_add, named, () => this.open(step, place));
    doing.append(open, ...(question ? [part("remove", words.plan_question_remove, named, () => this.remove(place))] : []));
    return [...(question ? [element("p", "lg-plan-asks", filled(words.plan_step_asks, question))] : []), doing];
  }

  // Steps may have moved since: each form goes with its own.
  /** @param {import("./own.js").Plan} before */
  follow({ steps }) {
    const { plan } = this.shelf.own;
    this.forms = new Map([...this.forms].map(([place, form]) => /** @type {const} */ ([placeIn(plan, steps[place], place), form])).filter(([place]) => place >= 0));
  }

  // The form in the language of the page.
  /** @type {(form: QuestionForm, step: PlanStep, place: number) => QuestionForm} */
  spoken(form, step, place) {
    if (form.words === this.shelf.words) return form;
    const made = this.form(step);
    made.fill(form.typed);
    this.forms.set(place, made);
    return made;
  }

  /** @param {PlanStep} step */
  form(step) {
    const { words } = this.shelf, doing = element("div", "lg-plan-asking");
    const form = new QuestionForm(words, { group: "lg-plan-kind", right: words.plan_question_right, isBounded: true, isOfLayer: () => this.sizes(step).length > 0 });
    const place = () => [...this.forms].find(([, each]) => each === form)?.[0] ?? 0;
    const wrong = element("p", "lg-class-wrong"), keep = element("button", "lg-primary", words.plan_question_keep);
    wrong.setAttribute("role", "alert");
    keep.type = "submit";
    keep.dataset.part = "question_keep";
    doing.append(keep, part("leave", words.plan_question_leave, "", () => this.leave(place())));
    form.root.append(doing, wrong);
    form.fill(step.question ? typedFrom(step.question) : BLANK);
    form.root.onsubmit = (event) => {
      event.preventDefault();
      const found = questionFrom(form.typed, step.question, this.sizes(step), words);
      if (typeof found === "string") wrong.replaceChildren(...withMore(found, ASKING, words));
      else this.keep(place(), found);
    };
    return form;
  }

  // Sizes of the step's layer, if its model is the one on screen; else none.
  /** @param {PlanStep} step */
  sizes(step) {
    const { page, own: { plan } } = this.shelf, net = step.net || plan.net;
    if (net && net !== page.data.address.model) return [];
    return sizesOf(page.rowOf(lookFromQuery(step.look).look.layer)?.shape ?? "") ?? [];
  }

  /** @type {(place: number, question: PlanQuestion) => void} */
  keep(place, question) {
    const { own, words } = this.shelf, { title } = own.plan.steps[place];
    this.ask(place, question);
    this.shelf.say(filled(words.plan_question_kept, { title }), true);
  }

  /** @param {number} place */
  remove(place) {
    const { own, words } = this.shelf, { title } = own.plan.steps[place];
    this.ask(place, null);
    this.shelf.say(filled(words.plan_question_removed, { title }), true);
  }

  /** @type {(place: number, question: ?PlanQuestion) => void} */
  ask(place, question) {
    this.shelf.own.ask(place, question);
    this.leave(place);
  }

  /** @type {(step: PlanStep, place: number) => void} */
  open(step, place) {
    this.forms.set(place, this.form(step));
    this.show(place, "textarea");
  }

  /** @param {number} place */
  leave(place) {
    this.forms.delete(place);
    this.show(place, '[data-part="question_open"]');
  }

  // Draw the lesson anew, and focus a part of a step's question.
  /** @type {(place: number, first: string) => void} */
  show(place, first) {
    this.shelf.draw();
    /** @type {?HTMLElement | undefined} */
    const found = this.shelf.dialog.querySelector(`[data-step="${place}"] .lg-plan-question-part`)?.querySelector(first);
    found?.focus();
  }
}

/** @type {(name: string, text: string, named: string, act: () => void) => HTMLButtonElement} */
function part(name, text, named, act) {
  const made = button("", text, act);
  made.dataset.part = `question_${name}`;
  if (named) made.setAttribute("aria-label", `${text}: ${named}`);
  return made;
}
