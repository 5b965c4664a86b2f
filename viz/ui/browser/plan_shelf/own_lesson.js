// The teacher's own lesson in this browser, as its text, with undo.

import { keepOwn, keptOwn } from "../plan/kept_plan.js";
import { planFrom } from "../plan/reading.js";
import { planText } from "../plan/writing.js";
import { nothing } from "./own.js";

/** @typedef {import("../plan/reading.js").Plan} Plan */

export class OwnLesson {
  /** @type {Plan[]} */
  past = [];

  kept = true; // whether the browser keeps it

  /** @param {() => string} untitled - what a lesson without a title is called */
  constructor(untitled) {
    this.untitled = untitled;
    this.plan = this.found();
  }

  found() {
    try {
      return planFrom(keptOwn());
    } catch {
      return nothing(this.untitled());
    }
  }

  // Another tab of the same teacher may have added to it.
  refresh() {
    if (this.kept && this.text !== keptOwn()) Object.assign(this, { plan: this.found(), past: [] });
  }

  get text() {
    return this.plan.steps.length ? planText({ ...this.plan, title: this.plan.title || this.untitled() }) : "";
  }

  /** Another lesson in place of this one, which undo brings back. @param {Plan} plan */
  change(plan) {
    if (plan === this.plan) return;
    this.past.push(this.plan);
    this.write(plan);
  }

  /** Keep a typed change; the fields have an undo of their own. @param {Plan} plan */
  write(plan) {
    this.plan = plan;
    this.kept = keepOwn(this.text);
  }

  undo() {
    const before = this.past.pop();
    if (before) this.write(before);
  }
}
