// The view of gradients: the class that is looked back from, the layer's gradients, and where the class is seen.

import { LayerView } from "../layer/viewer.js";
import { addressOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { Pages } from "../maps/pages.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { Combobox } from "../page/combobox.js";
import { Attribution } from "./attribution.js";

const TOP = null; // the most probable class of each picture; a number is that class for every picture

export class Gradients {
  closed = false;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.problem = element("p", "lg-reason");
    this.problem.setAttribute("role", "status");
    this.body = element("div", "lg-gradients");
    const [aside, main] = [element("aside", "lg-gradients-aside"), element("div", "lg-gradients-main")];
    this.body.append(aside, main);
    root.append(this.problem, this.body);
    this.view = new LayerView(main, page);
    this.attribution = new Attribution(aside, (action) => page.store.dispatch(action));
  }

  get keyed() {
    return this.view.keyed;
  }

  /** @param {Look} look */
  async show(look) {
    const found = await classesOf(this.page);
    if (this.closed || look !== this.page.store.get()) return;
    const { words } = this.page.data;
    this.problem.textContent = found.classes.length ? "" : said(found, "error", words) || words.no_target;
    this.body.hidden = !found.classes.length;
    if (!found.classes.length) return;
    this.attribution.follow(look, this.page.data);
    this.view.show(look);
  }

  close() {
    this.closed = true;
    this.attribution.close();
    this.view.close();
  }
}

// The box in which the class is chosen, beside the switch of views.
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
    const back = look.view === "gradients" || look.view === "hooks";
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

/** Refusals are not kept, and of subjects only the last ones. @type {Pages<ClassesFacts>} */
const classes = new Pages(async ({ subject }) => (await answerOf(addressOf(subject, "classes.json"), () => true)) ?? { classes: [], best: "" });

// The classes of the subject's model, and the most probable one of its picture; none if its output names no classes, or
// if the server says why not.
/** @type {(page: StagePage) => Promise<ClassesFacts>} */
async function classesOf({ data: { subject } }) {
  const found = await classes.open({ subject, query: "" });
  return found.error ? { ...found, classes: [], best: "" } : found;
}
