// A short explanation of this type of layer, which stays open during flips.

import { button } from "./help.js";

export class Kind {
  open = false;
  explained = "";

  // A listener sets `toggled`, called when the visitor opens or closes the explanation.
  toggled = () => {};

  /** @param {{kind: HTMLElement, sentence: HTMLElement}} parts */
  constructor(parts) {
    this.text = parts.kind;
    this.text.id = "lg-kind";
    this.button = button("lg-kind-ask", "", () => this.toggle());
    this.button.setAttribute("aria-expanded", "false");
    this.button.setAttribute("aria-controls", this.text.id);
    parts.sentence.after(this.button);
  }

  // Runs at every change of layer: it sets one text and measures nothing.
  /** @type {(type: string, kinds: Readonly<Record<string, string>>, words: Words) => void} */
  draw(type, kinds, words) {
    this.explained = kinds[type] ?? "";
    if (this.button.textContent !== words.kind_ask) {
      this.button.textContent = words.kind_ask;
      this.button.title = words.kind_ask_title;
    }
    if (this.open) this.text.textContent = this.explained;
  }

  toggle() {
    this.open = !this.open;
    this.text.hidden = !this.open;
    this.text.textContent = this.open ? this.explained : "";
    this.button.setAttribute("aria-expanded", String(this.open));
    this.toggled();
  }
}
