// A text with a button that copies it, such as a caption.

import { toClipboard } from "../layer/copying.js";
import { button } from "../layer/help.js";
import { element } from "../maps/mosaic.js";

const CONFIRMED_MS = 2500;

export class CopiedText {
  text = "";

  /**
   * @param {"p" | "code"} kind
   * @param {StagePage} page
   */
  constructor(kind, page) {
    this.page = page;
    this.root = element("section", "lg-figure-text");
    this.head = element("h3");
    this.copy = button("lg-figure-copy", "", () => this.toClipboard());
    this.said = element(kind);
    this.root.append(this.head, this.said, this.copy);
  }

  /** @type {(head: string, text: string, copied?: boolean) => void} */
  show(head, text, copied = true) {
    const { words } = this.page.data;
    this.text = text;
    this.root.hidden = !text;
    this.head.textContent = head;
    this.said.textContent = text;
    this.copy.textContent = words.figure_copy;
    this.copy.hidden = !copied;
    this.copy.setAttribute("aria-label", `${words.figure_copy}: ${head}`);
  }

  async toClipboard() {
    const { words } = this.page.data;
    this.copy.textContent = (await toClipboard(this.text)) ? words.copied : words.copy_failed;
    setTimeout(() => { this.copy.textContent = words.figure_copy; }, CONFIRMED_MS);
  }
}
