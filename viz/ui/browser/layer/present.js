// Presentation mode: the maps fill the screen, without controls and sidebar. The picture and the predictions take one
// line; a channel appears beside the maps on demand. A page in a frame of another one is presented so for good.

import { queryWith } from "../look/address.js";
import { place } from "../look/place.js";
import { element } from "../maps/mosaic.js";
import { rem } from "../page/text_size.js";
import { Seen } from "../side/seen.js";

const PRESENTING = "lg-presenting";
const EMBEDDED = "lg-embedded";
const WITH_CHANNEL = "lg-with-channel";
const CORNERS = `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="M1 5V1h4M11 1h4v4M15 11v4h-4M5 15H1v-4" fill="none" stroke="currentColor" stroke-width="1.6"/></svg>`;

export class Presentation {
  on = false;
  opened = false;

  /** @type {?Seen} */
  seen = null;

  /**
   * @param {HTMLElement} seen - the place of the picture and the predictions
   * @param {HTMLElement} button
   * @param {StagePage} page
   */
  constructor(seen, button, page) {
    this.place = seen;
    this.button = button;
    this.page = page;
    this.whole = /** @type {HTMLAnchorElement} */ (element("a", "lg-whole-page"));
    Object.assign(this.whole, { target: "_blank", rel: "noopener" });
    button.after(this.whole);
    this.button.onclick = () => this.toggle();
  }

  /** @type {(look: Look, words: Words) => void} */
  show(look, words) {
    const { present, embed } = look;
    this.classes.toggle(EMBEDDED, embed);
    if (embed) this.leadOut(look, words);
    this.set(present || embed);
    if (embed && !this.opened && look.channel !== null) this.opened = this.withChannel(true); // the address asks for it
    const name = present ? words.present_end : words.present;
    if (this.button.getAttribute("aria-label") === name) return;
    this.button.setAttribute("aria-label", name);
    if (present) this.button.textContent = name;
    else this.button.innerHTML = CORNERS;
    this.button.title = words.present_title;
  }

  // Lead to the whole page from one in a frame, which has no way out of its own.
  /** @type {(look: Look, words: Words) => void} */
  leadOut(look, words) {
    this.whole.textContent = words.embed_whole;
    this.whole.href = `${place.location.pathname}${queryWith(place.location.search, { ...look, embed: false })}`;
  }

  toggle() {
    if (this.embedded) return;
    this.page.store.dispatch({ type: "present", present: !this.on });
  }

  end() {
    if (!this.on || this.embedded) return false;
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

  get embedded() {
    return this.page.store.get().embed;
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
