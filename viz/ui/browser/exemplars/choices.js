// Segmented choices, such as the source of the pictures and their order.

import { element } from "../maps/mosaic.js";
import { segment } from "../page/segments.js";

let groups = 0; // of radio buttons, which need names of their own

export class Choices {
  /** @type {Map<string, HTMLInputElement>} */
  inputs = new Map();

  drawn = "";

  /** @param {(value: string) => void} chosen */
  constructor(chosen) {
    this.chosen = chosen;
    this.name = `lg-choices-${groups += 1}`;
    this.root = element("div", "lg-segments");
    this.root.setAttribute("role", "radiogroup");
  }

  // Drawn again only where the choices are others: the focus on one of them stays there.
  /** @type {(label: string, choices: readonly {value: string, text: string}[], value: string) => void} */
  show(label, choices, value) {
    const drawn = JSON.stringify([label, choices]);
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.root.setAttribute("aria-label", label);
      this.root.replaceChildren(...choices.map((each) => segment(this.name, each.value, each.text, () => this.chosen(each.value))));
      this.inputs = new Map([...this.root.querySelectorAll("input")].map((input) => [input.value, input]));
    }
    const input = this.inputs.get(value);
    if (input) input.checked = true;
  }
}

/**
 * The folder that the look means among those there are: the first, if it names none of them.
 * @param {readonly FolderFacts[]} folders
 * @param {Look["pictures"]} pictures
 */
export function folderOf(folders, pictures) {
  return folders.find(({ source }) => source === pictures) ?? folders[0];
}

/** The choice of pictures: the server's, the visitor's own or the samples; no choice where there is only one folder. */
export class SourceChoice extends Choices {
  /** @param {import("../look/store.js").Store} store */
  constructor(store) {
    super((source) => store.dispatch(/** @type {Action} */ ({ type: "pictures", pictures: source })));
  }

  /** @type {(folders: readonly FolderFacts[], source: string, words: Words) => void} */
  showFolders(folders, source, words) {
    this.root.hidden = folders.length < 2;
    this.show(words.exemplars_whose, folders.map((each) => ({ value: each.source, text: words[`exemplars_${each.source}`] })), source);
  }
}
