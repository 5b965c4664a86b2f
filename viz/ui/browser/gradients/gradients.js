// The view of gradients: target class, the layer's gradients, attribution map.

import { LayerView } from "../layer/viewer.js";
import { element } from "../maps/mosaic.js";
import { refusal, said, tell, withMore } from "../maps/said.js";
import { Attribution } from "./attribution.js";
import { classesOf } from "./classes.js";

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
    const none = found.error ? refusal(found, words) : withMore(said(found, "problem", words), "why-this-class#and-of-a-detector-a-segmentation-a-regression", words);
    tell(this.problem, found.classes.length ? [] : none);
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
