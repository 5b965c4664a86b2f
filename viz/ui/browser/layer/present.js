// Presentation mode: the maps fill the screen, without controls and sidebar. The picture and the predictions take one
// line; a channel appears beside the maps on demand.

import { rem } from "../page/text_size.js";
import { Seen } from "../side/seen.js";

const PRESENTING = "lg-presenting";
const WITH_CHANNEL = "lg-with-channel";
const CORNERS = `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>`;

export class Presentation {
  on = false;

  /** @type {?Seen} */
  seen = null;

  /**
   * @param {HTMLElement} place - of the picture and the predictions
   * @param {HTMLElement} button
   * @param {StagePage} page
   */
  constructor(place, button, page) {
    this.place = place;
    this.button = button;
    this.page = page;
    this.button.onclick = () => this.toggle();
  }

  /** @type {(look: Look, words: Words) => void} */
  show({ present }, words) {
    this.set(present);
    const name = present ? words.present_end : words.present;
    if (this.button.getAttribute("aria-label") === name) return;
    this.button.setAttribute("aria-label", name);
    if (present) this.button.textContent = name;
    else this.button.innerHTML = CORNERS;
    this.button.title = words.present_title;
  }

  toggle() {
    this.page.store.dispatch({ type: "present", present: !this.on });
  }

  end() {
    if (!this.on) return false;
    return this.toggle();
  }

  /** @param {boolean} on */
  set(on) {
    if (on === this.on) return;
    this.on = on;
    this.classes.toggle(PRESENTING, on);
    this.classes.remove(WITH_CHANNEL);
    this.seen?.close();
    this.seen = on ? new Seen(this.place) : null;
  }

  // Show or hide the channel; true if this has changed anything.
  /** @param {boolean} wanted */
  withChannel(wanted) {
    if (!this.on || this.hasChannel === wanted) return false;
    return this.classes.toggle(WITH_CHANNEL, wanted) === wanted;
  }

  get hasChannel() {
    return this.classes.contains(WITH_CHANNEL);
  }

  // The height below the maps: a line of text, buttons and, outside a presentation, the choices of drawing.
  get below() {
    return rem(this.on ? 4 : 9.375);
  }

  get classes() {
    return document.documentElement.classList;
  }
}
