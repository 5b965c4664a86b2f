// The phone's sheet from below, with the panel of a tapped map. It is the channel's panel itself, in another place
// while the sheet is open, with the number that is taken apart. A swipe goes to the next map, or puts the sheet away.

import { element } from "../maps/mosaic.js";
import { afterFrame } from "../page/after_frame.js";
import { closeBeside } from "../page/dialog.js";
import { isPhone } from "./phone.js";

const SWIPE = 48; // pixels
const STRAIGHT = 1.6; // how much further a finger goes along than across

/**
 * The view whose channel a sheet shows.
 * @typedef {Object} Sheeted
 * @property {{root: HTMLElement, panel: HTMLElement, number: HTMLElement, study: HTMLElement}} parts
 * @property {Words} words
 * @property {Look} look
 * @property {(by: number) => void} stepChannel
 * @property {() => void} redrawChannel
 */

/** @typedef {{x: number, y: number, top: boolean}} Touched */

export class Sheet {
  /** @type {readonly (readonly [Comment, HTMLElement])[]} */
  homes = []; // where what the sheet shows belongs

  /** @type {?Touched} */
  touched = null;

  /** @type {?{address: string, look: Look}} */
  entry = null; // of the browser's history, that was made for the sheet alone

  /** @param {Sheeted} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.root = element("dialog", "lg-sheet");
    this.place = element("div", "lg-sheet-place");
    const before = sheetButton("‹", () => viewer.stepChannel(-1));
    const after = sheetButton("›", () => viewer.stepChannel(1));
    const close = sheetButton("×", () => this.close());
    this.buttons = [before, after, close];
    this.title = element("span", "lg-sheet-title");
    this.title.id = "lg-sheet-title";
    this.root.setAttribute("aria-labelledby", this.title.id);
    close.autofocus = true;
    const head = element("header", "lg-sheet-head");
    head.append(before, this.title, after, close);
    this.root.append(head, this.place);
    viewer.parts.root.append(this.root);
    closeBeside(this.root);
    this.hearing = new AbortController();
    this.listen(this.hearing.signal);
  }

  /** @param {AbortSignal} signal */
  listen(signal) {
    this.root.addEventListener("close", () => {
      this.putBack();
      this.takeBack();
    }, { signal });
    this.root.addEventListener("touchstart", (event) => this.touch(event), { signal, passive: true });
    this.root.addEventListener("touchend", (event) => this.lift(event), { signal, passive: true });
    window.addEventListener("layerglass:returned", () => {
      this.entry = null; // the visitor has left it
      this.close();
    }, { signal });
    window.addEventListener("resize", () => { if (!isPhone()) this.close(); }, { signal });
  }

  /** @param {string} layer @param {boolean} again - whether the look is what it was, so that Back has no entry yet */
  open(layer, again) {
    if (!isPhone() || this.root.open) return;
    const { parts: { root, panel, number, study }, words } = this.viewer;
    [words.previous_map, words.next_map, words.close].forEach((name, n) => this.buttons[n].setAttribute("aria-label", name));
    this.title.textContent = layer;
    this.homes = [panel, number, study].map((part) => {
      const home = document.createComment("");
      part.replaceWith(home);
      this.place.append(part);
      return /** @type {const} */ ([home, part]);
    });
    root.focus({ preventScroll: true }); // where the focus comes back to
    this.root.showModal();
    if (again) this.enter();
    afterFrame(() => this.viewer.redrawChannel());
  }

  enter() {
    const { href: address } = window.location;
    window.history.pushState(window.history.state, "", address);
    this.entry = { address, look: this.viewer.look };
  }

  // Without the sheet its entry leads nowhere; what was looked at since is behind it, and keeps it.
  takeBack() {
    const { entry, viewer } = this;
    this.entry = null;
    if (entry?.address === window.location.href && entry.look === viewer.look) window.history.back();
  }

  close() {
    if (this.root.open) this.root.close();
  }

  putBack() {
    for (const [home, part] of this.homes) home.replaceWith(part);
    this.homes = [];
  }

  end() {
    this.hearing.abort();
    this.close();
    this.putBack();
  }

  /** @param {TouchEvent} event */
  touch({ touches, target }) {
    const moves = target instanceof Element && target.closest("input, select, textarea, [data-zoomed]") !== null;
    this.touched = moves || touches.length !== 1 ? null : { x: touches[0].clientX, y: touches[0].clientY, top: this.root.scrollTop <= 0 };
  }

  /** @param {TouchEvent} event */
  lift({ changedTouches: [touch], touches }) {
    const { touched } = this;
    this.touched = null;
    if (!touched || touches.length) return;
    const across = touch.clientX - touched.x;
    const down = touch.clientY - touched.y;
    if (Math.abs(across) > SWIPE && Math.abs(across) > STRAIGHT * Math.abs(down)) this.viewer.stepChannel(across < 0 ? 1 : -1);
    else if (touched.top && down > SWIPE && down > STRAIGHT * Math.abs(across)) this.close();
  }
}

/** @type {(sign: string, act: () => void) => HTMLButtonElement} */
function sheetButton(sign, act) {
  const button = element("button", "lg-sheet-button", sign);
  button.type = "button";
  button.onclick = act;
  return button;
}
