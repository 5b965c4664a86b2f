// A short explanation of this type of layer, which stays open during flips.

import { helpLink } from "../page/menu.js";
import { button } from "./help.js";

export class Kind {
  open = false;
  explained = "";
  said = document.createTextNode("");
  more = helpLink("layers", "");

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

  // Runs at every change of layer: it sets a text and measures nothing.
  /** @type {(type: string, kinds: Readonly<Record<string, string>>, words: Words) => void} */
  draw(type, kinds, words) {
    this.explained = kinds[type] ?? "";
    if (this.button.textContent !== words.kind_ask) {
      this.button.textContent = words.kind_ask;
      this.button.title = words.kind_ask_title;
      this.more.textContent = words.help_more;
    }
    if (this.open) this.write();
  }

  // The link stays where it is: it may have the keyboard's focus.
  write() {
    this.said.data = `${this.explained} `;
    if (!this.more.isConnected) this.text.replaceChildren(this.said, this.more);
  }

  toggle() {
    this.open = !this.open;
    this.text.hidden = !this.open;
    if (this.open) this.write();
    else this.text.replaceChildren();
    this.button.setAttribute("aria-expanded", String(this.open));
    this.toggled();
  }
}
