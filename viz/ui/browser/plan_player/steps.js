// The list of a lesson's steps, to go to one of them.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";
import { closeBeside } from "../page/dialog.js";

export class StepList {
  /**
   * @param {HTMLElement} parent
   * @param {import("./player.js").Player} player
   */
  constructor(parent, player) {
    this.player = player;
    this.dialog = element("dialog", "lg-class-dialog lg-plan-dialog lg-plan-all");
    this.title = element("h2");
    this.title.id = "lg-plan-all-title";
    this.dialog.setAttribute("aria-labelledby", this.title.id);
    this.shut = button("lg-help-close", "", () => this.dialog.close());
    this.list = element("ol");
    const head = element("header"), inside = element("div", "lg-help-page");
    head.append(this.title, this.shut);
    inside.append(head, this.list);
    this.dialog.append(inside);
    closeBeside(this.dialog);
    parent.append(this.dialog);
  }

  open() {
    this.dialog.showModal();
    this.show(this.player.page.data.words);
    /** @type {?HTMLElement} */
    const now = this.dialog.querySelector("[aria-current]");
    now?.focus();
  }

  /** @param {Words} words */
  show(words) {
    const { plan, clock } = this.player;
    if (!this.dialog.open) return;
    if (!plan) return void this.dialog.close();
    this.title.textContent = plan.title;
    this.shut.textContent = words.close;
    this.list.replaceChildren(...plan.steps.map(({ title, minutes }, at) => {
      const item = element("li"), made = button("", "", () => {
        this.dialog.close();
        this.player.go(at);
      });
      made.append(element("span", "", title), element("small", "", filled(words.plan_minutes, { minutes })));
      if (at === clock.at) made.setAttribute("aria-current", "step");
      item.append(made);
      return item;
    }));
  }

  close() {
    this.dialog.remove();
  }
}
