// The stage's half in the sidebar: which layer, from the box or from the tree, both fed by the same rows.

import { element, filled } from "../maps/mosaic.js";
import { Combobox } from "../page/combobox.js";
import { onceGone } from "../page/gone.js";
import { Tree } from "../tree/tree.js";
import { page } from "./page.js";

const sides = new WeakMap();

class Side {
  constructor(parent) {
    this.root = element("section", "lg-side-stage");
    this.operations = operationsSwitch((shown) => page.showOperations(shown));
    this.box = new Combobox(element("div", "lg-layer-box"), { part: "layer", chosen: choose });
    this.root.append(this.operations.root, this.box.root);
    this.tree = new Tree(this.root, choose);
    parent.append(this.root);
    this.stop = page.listen((look) => this.show(look));
  }

  show({ layer }) {
    const { words, subject, rows: all, layers } = page.data;
    const { rows } = page;
    this.root.dataset.subject = subject;
    this.operations.show(all.length - layers.length, page.operations, words);
    if (rows !== this.rows) this.options = rows.map(({ name, type, shape, reason }) => ({ value: name, label: name, about: reason ? type : `${type} ${shape}` }));
    this.rows = rows;
    this.box.show(this.options, layer, { label: words.layer, none: words.nothing_found });
    this.tree.show(rows, layer, words);
  }

  close() {
    this.stop();
    this.root.remove();
  }
}

function choose(layer) {
  page.store.dispatch({ type: "layer", layer });
}

function operationsSwitch(changed) {
  const root = element("label", "lg-operations");
  const box = element("input");
  const name = element("span");
  Object.assign(box, { type: "checkbox" });
  box.setAttribute("role", "switch");
  box.dataset.part = "operations";
  box.onchange = () => changed(box.checked);
  root.append(box, name);
  return {
    root,
    show(count, shown, words) {
      root.hidden = !count;
      box.checked = shown;
      name.textContent = filled(words.operations, { count });
      root.title = words.operations_help;
    },
  };
}

// Streamlit starts it where the model has been chosen; what it shows comes with the stage.
export default function ({ parentElement }) {
  if (!sides.has(parentElement)) sides.set(parentElement, new Side(parentElement));
  return onceGone(parentElement, () => {
    sides.get(parentElement)?.close();
    sides.delete(parentElement);
  });
}
