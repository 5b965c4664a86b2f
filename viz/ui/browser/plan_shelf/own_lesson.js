// The teacher's own lesson in this browser, as its text. Undo puts what was deleted into the lesson of now.

import { keepOwn, keptOwn, UNREAD } from "../plan/kept_plan.js";
import { planFrom } from "../plan/reading.js";
import { planText } from "../plan/writing.js";
import { changed, moved, nothing, placeAfter, withStepAt, without } from "./own.js";

/** @typedef {import("../plan/reading.js").Plan} Plan */
/** @typedef {import("../plan/question.js").PlanQuestion} PlanQuestion */
/** @typedef {{place: number, back: (now: Plan, place: number) => Plan}} Undo - place: of the step */

export class OwnLesson {
  /** @type {?Undo} */
  undoing = null; // of what was done last

  kept = true; // whether the browser keeps it
  unread = ""; // a kept lesson that this page cannot read

  /** @param {() => string} untitled - what a lesson without a title is called */
  constructor(untitled) {
    this.untitled = untitled;
    this.plan = this.found();
  }

  found() {
    const text = keptOwn();
    this.unread = "";
    try {
      if (text) return planFrom(text);
    } catch {
      this.unread = text;
    }
    return nothing(this.untitled());
  }

  // Another tab of the same teacher may have added to it; true if it has.
  refresh() {
    if (!this.kept || this.text === keptOwn()) return false;
    Object.assign(this, { plan: this.found(), undoing: null });
    return true;
  }

  get text() {
    return this.plan.steps.length ? planText({ ...this.plan, title: this.plan.title || this.untitled() }) : "";
  }

  /** Lessons that cannot be read, as one text to correct; "" for none. */
  get lost() {
    return [keptOwn(UNREAD), this.unread].filter(Boolean).join("\n\n");
  }

  forgetLost() {
    keepOwn("", UNREAD);
    if (this.unread) this.kept = keepOwn("");
    this.unread = "";
  }

  /** Another lesson in place of this one, which undo brings back. @param {Plan} plan */
  change(plan) {
    const before = this.plan;
    if (plan !== before) this.act(plan, 0, () => before);
  }

  /** @param {number} place */
  remove(place) {
    const step = this.plan.steps[place];
    this.act(without(this.plan, place), place, (now, there) => withStepAt(now, there, step));
  }

  // The code of a plan makes its right answer: with another answer it is no longer true.
  /** @type {(place: number, question: ?PlanQuestion) => void} */
  ask(place, question) {
    const { question: before, code } = this.plan.steps[place];
    const isTrue = question !== null && question.answer === before?.answer;
    const next = changed(this.plan, place, { question, code: isTrue ? code : "" });
    this.act(next, place, (now, there) => changed(now, there, { question: before, code }));
  }

  /** Move a step; true if there is such a place. @type {(place: number, to: number) => boolean} */
  move(place, to) {
    const next = moved(this.plan, place, to), { undoing } = this;
    if (next === this.plan) return false;
    if (undoing) this.undoing = { ...undoing, place: placeAfter(undoing.place, place, to) };
    this.write(next);
    return true;
  }

  /** @type {(plan: Plan, place: number, back: Undo["back"]) => void} */
  act(plan, place, back) {
    this.undoing = { place, back };
    this.write(plan);
  }

  /** Keep a typed change; the fields have an undo of their own. @param {Plan} plan */
  write(plan) {
    this.plan = plan;
    this.kept = this.setAside() && keepOwn(this.text);
  }

  // Nothing takes the place of a lesson that only a newer page, or a person, can read.
  setAside() {
    if (this.unread && !keepOwn(this.lost, UNREAD)) return false;
    this.unread = "";
    return true;
  }

  undo() {
    const { undoing } = this;
    this.undoing = null;
    if (undoing) this.write(undoing.back(this.plan, undoing.place));
  }
}
