// Presentation mode: without controls and sidebar, the maps fill the screen; a channel appears beside them on demand.

const PRESENTING = "lg-presenting";
const WITH_CHANNEL = "lg-with-channel";

/**
 * The viewer that is presented.
 * @typedef {Object} Presented
 * @property {(action: Action) => void} choose
 * @property {() => void} resized
 * @property {() => void} redrawChannel
 */

export class Presentation {
  /** @type {Words} */
  words = {};

  on = false;

  /**
   * @param {Presented} viewer
   * @param {HTMLElement} button
   */
  constructor(viewer, button) {
    this.viewer = viewer;
    this.button = button;
    this.button.onclick = () => this.toggle();
  }

  /** @param {Words} words */
  name(words) {
    this.words = words;
    this.button.textContent = this.on ? words.present_end : words.present;
    this.button.title = words.present_title;
  }

  toggle() {
    this.viewer.choose({ type: "present", present: !this.on });
  }

  end() {
    if (this.on) this.toggle();
  }

  // Escape closes one thing at a time: first the channel, then the presentation.
  leave() {
    if (!this.on) return;
    if (this.page.contains(WITH_CHANNEL)) this.withChannel(false);
    else this.toggle();
  }

  /** @param {boolean} on */
  set(on) {
    if (on === this.on) return;
    this.on = on;
    this.page.toggle(PRESENTING, on);
    this.page.remove(WITH_CHANNEL);
    this.name(this.words);
    this.viewer.resized();
  }

  /** @param {boolean} wanted */
  withChannel(wanted) {
    if (!this.on || this.page.contains(WITH_CHANNEL) === wanted) return;
    this.page.toggle(WITH_CHANNEL, wanted);
    this.viewer.resized();
    this.viewer.redrawChannel();
  }

  close() {
    this.page.remove(PRESENTING, WITH_CHANNEL);
  }

  // The height below the maps: a line of text and, outside a presentation, the choices of drawing.
  get below() {
    return this.on ? 64 : 120;
  }

  get page() {
    return document.documentElement.classList;
  }
}
