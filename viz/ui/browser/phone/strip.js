// The strip at the top of a phone: picture, best guess, layer. It opens the sidebar, where all three are chosen.

import { element } from "../maps/mosaic.js";
import { standing } from "../page/stands.js";
import { openSidebar } from "./phone.js";

export class Strip {
  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.button = element("button", "lg-phone-strip");
    this.button.type = "button";
    this.button.onclick = openSidebar;
    this.picture = element("img");
    this.about = element("span", "lg-unseen");
    this.guess = element("span", "lg-phone-guess");
    this.layer = element("span", "lg-phone-layer");
    const text = element("span", "lg-phone-text");
    this.picture.alt = "";
    text.append(this.about, this.guess, this.layer);
    this.button.append(this.picture, text);
    root.append(this.button);
    this.hear = () => this.drawGuess();
    window.addEventListener("layerglass:guess", this.hear);
  }

  /** @param {Look} look */
  show({ layer }) {
    this.about.textContent = `${this.page.data.words.strip} `;
    this.layer.textContent = layer;
    this.drawGuess();
  }

  // Draw the best guess from the sidebar; before that comes, and for a model that guesses nothing, the model's name.
  drawGuess() {
    const { guess, sent } = this.page;
    this.guess.textContent = guess?.text || sent?.model || "";
    standing().then(() => { if (guess === this.page.guess && guess && this.picture.getAttribute("src") !== guess.picture) this.picture.src = guess.picture; });
  }

  close() {
    window.removeEventListener("layerglass:guess", this.hear);
    this.button.remove();
  }
}
