// The view of gradients: the class that is looked back from, the layer's gradients, and where the class is seen.

import { LayerView } from "../layer/viewer.js";
import { addressOf, queryOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { answerOf } from "../page/asking.js";
import { Combobox } from "../page/combobox.js";
import { Attribution } from "./attribution.js";

const TOP = null; // the most probable class of each picture; a number is that class for every picture

export class Gradients {
  constructor(root, page) {
    Object.assign(this, { root, page });
    this.problem = element("p", "lg-reason");
    this.problem.setAttribute("role", "status");
    this.body = element("div", "lg-gradients");
    const [aside, main] = [element("aside", "lg-gradients-aside"), element("div", "lg-gradients-main")];
    this.body.append(aside, main);
    root.append(this.problem, this.body);
    this.view = new LayerView(main, page);
    this.attribution = new Attribution(aside);
  }

  async show(look) {
    const found = await classesOf(this.page);
    if (this.closed || look !== this.page.store.get()) return;
    const { words } = this.page.data;
    this.problem.textContent = found.classes.length ? "" : words.no_target;
    this.body.hidden = !found.classes.length;
    if (!found.classes.length) return;
    this.attribution.follow(look, this.page.data);
    this.view.show(look);
  }

  close() {
    this.closed = true;
    this.view.close();
  }
}

// The box in which the class is chosen, beside the switch of views.
export class TargetBox {
  constructor(root, page) {
    Object.assign(this, { root, page });
    this.box = new Combobox(root, { part: "target", chosen: (target) => page.store.dispatch({ type: "target", target }) });
  }

  async show(look) {
    const { page } = this;
    const back = look.view === "gradients" || look.view === "hooks";
    this.root.hidden = !back;
    if (!back) return;
    const found = await classesOf(page);
    this.root.hidden = !found.classes.length;
    if (!found.classes.length) return;
    const { words } = page.data;
    if (this.found !== found || this.words !== words) {
      const top = { value: TOP, label: filled(words.target_top, { label: found.best }) };
      this.options = [top, ...found.classes.map((label, place) => ({ value: place, label: `${label} · ${place}` }))];
    }
    Object.assign(this, { found, words });
    this.box.show(this.options, page.store.get().target, { label: words.target, none: words.nothing_found, labelled: false });
  }
}

const known = new Map();

// The classes of the subject's model, and the most probable one of its picture; none if its output names no classes.
async function classesOf({ data: { subject } }) {
  if (!known.has(subject)) known.set(subject, answerOf(addressOf(subject, "classes.json", queryOf({}, [])), () => true));
  const found = await known.get(subject);
  return found.classes ? found : { classes: [], best: "" };
}
