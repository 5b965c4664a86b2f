// The layer's choice in the sidebar: a box and a tree of the same rows.

import { element, filled } from "../maps/mosaic.js";
import { tell, withMore } from "../maps/said.js";
import { Combobox } from "../page/combobox.js";
import { helpLink, withHelp } from "../page/menu.js";
import { onceRemoved } from "../page/removed.js";
import { closeSidebar } from "../phone/phone.js";
import { Tree } from "../tree/tree.js";
import { page } from "./page.js";

/** @type {WeakMap<HTMLElement, Side>} */
const sides = new WeakMap();

class Side {
  /** @type {readonly LayerRow[]} */
  rows = [];

  /** @type {readonly import("../page/combobox.js").Choice<string>[]} */
  options = [];

  /** @type {{of: readonly LayerRow[], rows: readonly LayerRow[]}} */
  veiled = { of: [], rows: [] };

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = element("section", "lg-side-stage");
    const place = element("div", "lg-layer-box");
    this.operations = new OperationsSwitch((shown) => page.showOperations(shown));
    this.box = new Combobox(place, { part: "layer", chosen: choose, marked: expect });
    this.root.append(this.operations.root, place);
    this.note = element("p", "lg-side-note");
    this.root.append(this.note);
    this.tree = new Tree(this.root, { chosen: choose, marked: expect });
    parent.append(this.root);
    this.stop = page.listen((look) => this.show(look));
  }

  /** @param {Look} look */
  show({ layer, view }) {
    const { words, subject, rows: all } = page.data;
    const { layers } = page;
    const isAsking = view === "quiz";
    const isVeiled = isAsking || page.veiled;
    const rows = isVeiled ? this.withoutShapes(page.rows) : page.rows;
    const asked = isVeiled ? words.asking_hides : page.hidden && words.asking_hides_figures;
    const note = isAsking ? [words.quiz_hides] : withMore(asked, "plan-a-lesson#why-are-sizes-hidden", words);
    this.note.hidden = !note.length;
    tell(this.note, note);
    this.root.dataset.subject = subject;
    this.operations.show(all.length - layers.length, page.operations, words);
    if (rows !== this.rows) this.options = rows.map(({ name, type, shape, reason }) => ({ value: name, label: name, about: reason || !shape ? type : `${type} ${shape}` }));
    this.rows = rows;
    this.box.show(this.options, layer, { label: words.layer, words, hint: words.search_hint });
    this.tree.show(rows, layer, words);
  }

  // The quiz asks for shapes: beside it the tree and the box would give its answers away.
  /** @param {readonly LayerRow[]} rows */
  withoutShapes(rows) {
    if (this.veiled.of !== rows) this.veiled = { of: rows, rows: rows.map((row) => ({ ...row, shape: "" })) };
    return this.veiled.rows;
  }

  close() {
    this.stop();
    this.root.remove();
  }
}

/** @param {string} layer */
function choose(layer) {
  page.store.dispatch({ type: "layer", layer });
  closeSidebar();
}

/** @param {string} layer */
function expect(layer) {
  page.expect(layer);
}

class OperationsSwitch {
  about = ""; // what the sign beside it is about

  /** @param {(shown: boolean) => void} changed */
  constructor(changed) {
    this.root = element("div");
    this.label = element("label", "lg-operations");
    this.box = element("input");
    this.name = element("span");
    this.box.type = "checkbox";
    this.box.setAttribute("role", "switch");
    this.box.dataset.part = "operations";
    this.box.onchange = () => changed(this.box.checked);
    this.label.append(this.box, this.name);
  }

  /** @type {(count: number, shown: boolean, words: Words) => void} */
  show(count, shown, words) {
    this.root.hidden = !count;
    this.box.checked = shown;
    const name = this.name.textContent = filled(words.operations, { count });
    const about = filled(words.more_about, { name });
    if (about === this.about) return;
    this.about = about;
    this.root.replaceChildren(withHelp(this.label, about, words.operations_help, helpLink("calls", words.help_more)));
  }
}

// Streamlit starts it where the model has been chosen; its contents come with the stage.
/** @param {PartGiven<PartFacts>} given */
export default function ({ parentElement }) {
  if (!sides.has(parentElement)) sides.set(parentElement, new Side(parentElement));
  return onceRemoved(parentElement, () => {
    sides.get(parentElement)?.close();
    sides.delete(parentElement);
  });
}
