// The switch of views, with one button each.

import { VIEWS } from "../look/look.js";
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
    this.buttons = new Map(VIEWS.filter((view) => view !== "unit").map((view) => [view, viewButton(view, () => page.store.dispatch({ type: "view", view }))]));
    this.root.append(...this.buttons.values());
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    root.append(this.root);
  }

  // The page of a unit is a closer look at one layer.
  /** @param {Look} look */
  show(look) {
    const view = look.view === "unit" ? "layer" : look.view;
    const { words } = this.page.data;
    const names = {
      layer: words.view_layer, layers: words.view_layers, gradients: words.view_gradients, compare: words.view_compare,
      hooks: words.view_hooks, lens: words.view_lens, course: words.view_course, quiz: words.view_quiz,
    };
    this.root.setAttribute("aria-label", words.view);
    for (const [each, button] of this.buttons) {
      button.textContent = names[each];
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
