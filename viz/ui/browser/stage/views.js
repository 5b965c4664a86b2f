// The switch of views, with one button each.

import { VIEWS } from "../look/fields.js";
import { element } from "../maps/mosaic.js";

/** @type {Readonly<Record<string, number>>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class ViewSwitch {
  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("div", "lg-switch");
    this.root.setAttribute("role", "radiogroup");
    this.root.dataset.part = "view";
    const views = /** @type {Look["view"][]} */ (Object.keys(VIEWS)).filter((view) => !VIEWS[view].within);
    this.buttons = new Map(views.map((view) => [view, viewButton(view, () => page.store.dispatch({ type: "view", view }))]));
    this.root.append(...this.buttons.values());
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    root.append(this.root);
  }

  /** @param {Look} look */
  show(look) {
    const view = VIEWS[look.view].within || look.view;
    const { words } = this.page.data;
    this.root.setAttribute("aria-label", words.view);
    for (const [each, button] of this.buttons) {
      button.textContent = words[`view_${each}`];
      button.setAttribute("aria-checked", String(each === view));
      button.tabIndex = each === view ? 0 : -1;
    }
    const chosen = this.buttons.get(view);
    if (chosen) this.root.scrollLeft = chosen.offsetLeft - (this.root.clientWidth - chosen.offsetWidth) / 2; // where they are one row
  }

  // Arrow keys go to the neighbour and choose it, as in any group of radio buttons.
  /** @param {KeyboardEvent} event */
  pressed(event) {
    const by = STEPS[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const buttons = [...this.buttons.values()];
    const at = buttons.findIndex((button) => button === event.target);
    const next = buttons[(at + by + buttons.length) % buttons.length];
    next.click();
    next.focus();
  }
}

/** @type {(view: string, chosen: () => void) => HTMLButtonElement} */
function viewButton(view, chosen) {
  const button = element("button");
  button.type = "button";
  button.dataset.value = view;
  button.setAttribute("role", "radio");
  button.onclick = chosen;
  return button;
}
