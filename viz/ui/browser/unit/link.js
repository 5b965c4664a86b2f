// The link to the page of a unit, beside the map of its channel.

import { button } from "../layer/help.js";

const WITHOUT_UNITS = ["attention", "scalar", "table"]; // layouts whose maps are no channels

export class UnitLink {
  /**
   * @param {HTMLElement} head
   * @param {() => void} open
   */
  constructor(head, open) {
    this.root = button("lg-unit-open", "", open);
    head.append(this.root);
  }

  /** @type {(page: DrawnPage, words: Words) => void} */
  show({ facts, live }, words) {
    this.root.hidden = Boolean(live) || !facts.leaf.startsWith("output") || WITHOUT_UNITS.includes(facts.kind);
    this.root.textContent = words.unit_open;
    this.root.title = words.unit_open_title;
  }
}
