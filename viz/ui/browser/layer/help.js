// The dialog of keys, closed by Escape, its button or another "?".

import { VIEWS } from "../look/fields.js";
import { element } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";
import { closeBeside } from "../page/dialog.js";
import { helpLink } from "../page/menu.js";
import { letSignsCount, signsCount } from "../page/signs.js";

/** @type {(words: Words) => [string[], string][]} */
const KEY_ROWS = (words) => [
  [["←", "→"], words.help_layers],
  [["↑", "↓"], words.help_channels],
  [["Home", "End"], words.help_ends],
  [["/"], words.help_search],
  [["i"], words.help_kind],
  [["u"], words.help_unit],
  [["o"], words.help_reduced],
  [["g"], words.help_figure],
  [["+", "−", "0"], words.help_zoom],
  [["p"], words.help_present],
  [["f"], words.help_class],
  [["PageUp", "PageDown"], words.help_plan],
  [["Space", "k"], words.help_play],
  [["x"], words.help_remove],
  [["1", "…", "6"], words.help_quiz],
  [["A", "…", "D", "1", "…", "9"], words.help_predict],
  [["Ctrl", "Enter"], words.help_check],
  [["Ctrl", "Z"], words.help_undo],
  [["Ctrl", "Shift", "Z"], words.help_redo],
  [["Tab"], words.help_tab],
  [["↑", "↓", "→", "←"], words.help_tree],
  [["↑", "↓", "→", "←"], words.help_cells],
  [["↑", "↓", "→", "←", "+", "−"], words.help_frame],
  [["Alt", "↑", "↓"], words.help_plan_step],
  [["?"], words.help_help],
];

export class Help {
  /** @type {Words} */
  words = {};

  /**
   * @param {HTMLElement} parent
   * @param {HTMLElement} opener
   * @param {() => Look["view"]} view - the one on screen
   */
  constructor(parent, opener, view) {
    this.view = view;
    this.dialog = element("dialog", "lg-help");
    this.dialog.setAttribute("aria-labelledby", "lg-help-title");
    parent.append(this.dialog);
    this.opener = opener;
    opener.onclick = () => this.toggle();
    this.dialog.addEventListener("keydown", (event) => {
      if (event.key !== "?") return;
      event.preventDefault(); // else the page, where the dialog is closed by now, would open it again
      this.toggle();
    });
    closeBeside(this.dialog);
  }

  /** @param {Words} words */
  name(words) {
    if (this.words === words) return;
    this.words = words;
    this.opener.textContent = "?";
    this.opener.title = words.help;
    this.opener.setAttribute("aria-label", words.help);
  }

  toggle() {
    if (this.dialog.open) return this.dialog.close();
    this.write(this.words);
    this.dialog.showModal();
  }

  /** @param {Words} words */
  write(words) {
    const title = element("h2", "", words.help_title);
    title.id = "lg-help-title";
    const close = button("lg-help-close", words.close, () => this.dialog.close());
    const head = element("header");
    head.append(title, close);
    const list = element("dl");
    for (const [keys, text] of KEY_ROWS(words)) list.append(keyNames(keys), element("dd", "", text));
    const page = element("div", "lg-help-page");
    const links = element("p", "lg-help-links");
    links.append(helpLink(VIEWS[this.view()].help ?? "", words.help_view), helpLink("", words.help_all));
    page.append(head, links, list, paragraph(withMore(words.colormap_rule, "colours#what-do-the-colours-mean", words)), element("p", "", words.help_note), signsSwitch(words));
    this.dialog.replaceChildren(page);
  }
}

/** @param {Words} words */
function signsSwitch(words) {
  const label = element("label", "lg-help-signs");
  const box = element("input");
  Object.assign(box, { type: "checkbox", checked: signsCount() });
  box.onchange = () => letSignsCount(box.checked);
  label.append(box, document.createTextNode(words.help_signs));
  return label;
}

/** @param {readonly string[]} keys */
function keyNames(keys) {
  const name = element("dt");
  name.append(...keys.map((key) => element("kbd", "", key)));
  return name;
}

/** @type {(className: string, text: string, act: () => void) => HTMLButtonElement} */
export function button(className, text, act) {
  const made = element("button", className, text);
  made.type = "button";
  made.onclick = act;
  return made;
}
