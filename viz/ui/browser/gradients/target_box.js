// The select box for the target class, beside the switch of views.

import { VIEWS } from "../look/fields.js";
import { filled } from "../maps/mosaic.js";
import { Combobox } from "../page/combobox.js";
import { classesOf } from "./classes.js";

const TOP = null; // the most probable class of each picture; a number is that class for every picture

export class TargetBox {
  /** @type {readonly import("../page/combobox.js").Choice<?number>[]} */
  options = [];

  /** @type {?ClassesFacts} */
  found = null;

  /** @type {Words} */
  words = {};

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    /** @type {Combobox<?number>} */
    this.box = new Combobox(root, { part: "target", chosen: (target) => page.store.dispatch({ type: "target", target }) });
  }

  /** @param {Look} look */
  async show(look) {
    const { page } = this;
    const back = VIEWS[look.view].passes === "back";
    this.root.hidden = !back;
    if (!back) return;
    const found = await classesOf(page);
    if (look !== page.store.get()) return; // the visitor has gone on
    this.root.hidden = !found.classes.length;
    if (!found.classes.length) return;
    const { words } = page.data;
    if (this.found !== found || this.words !== words) {
      const top = { value: TOP, label: filled(words.target_top, { label: found.best }) };
      this.options = [top, ...found.classes.map((label, place) => ({ value: place, label: `${label} · ${place}` }))];
    }
    Object.assign(this, { found, words });
    this.box.show(this.options, look.target, { label: words.target, words, labelled: false });
  }
}
