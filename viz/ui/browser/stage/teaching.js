// The place of a class and a lesson. Their parts, which most first visits do without, are fetched once the page stands.

import { nameOpener, openerOf } from "../class_screen/opener.js";
import { codeIn, keptClass } from "../classroom/kept_class.js";
import { place } from "../look/place.js";
import { untilDone } from "../page/asking.js";
import { standing } from "../page/stands.js";
import { keptTaught } from "../plan/kept_plan.js";
import { TRY_AGAIN_MS } from "./features.js";

/**
 * @typedef {Object} Places
 * @property {HTMLElement} root - of the stage
 * @property {HTMLElement} feature - in which the view is
 * @property {Readonly<Record<"bar" | "plan" | "caption" | "asked", HTMLElement>>} rows - above the maps
 */

export class Teaching {
  /** @type {?import("./class_parts.js").ClassParts} */
  parts = null; // as soon as they have been fetched

  /** @type {?Promise<?import("./class_parts.js").ClassParts>} */
  fetching = null;

  closed = false;

  /**
   * @param {Places} places
   * @param {() => ?Feature} shown - the view
   * @param {() => void} arrived - the parts have been fetched
   */
  constructor(places, shown, arrived) {
    this.places = places;
    this.shown = shown;
    this.arrived = arrived;
    this.code = codeIn(place.location.search); // before the page writes its own address
    this.opener = openerOf(async () => {
      const parts = await this.fetch();
      if (!document.querySelector("dialog:modal")) parts?.board.show();
    });
    for (const row of Object.values(places.rows)) row.hidden = true;
    const goesOn = keptTaught() !== null;
    this.ready = goesOn ? this.fetch() : Promise.resolve(); // its questions hide figures from the first maps on
    if (this.code || keptClass()) this.fetch();
    else standing().then(() => this.fetch());
  }

  fetch() {
    const attempt = async () => (await import("./class_parts.js")).ClassParts;
    return this.fetching ??= untilDone(attempt, TRY_AGAIN_MS).then((ClassParts) => {
      if (this.closed) return null;
      this.parts = new ClassParts({ ...this.places, opener: this.opener }, this.shown, this.code);
      this.arrived();
      return this.parts;
    });
  }

  /** @param {Words} words */
  show(words) {
    nameOpener(this.opener, words);
    this.parts?.show();
  }

  close() {
    this.closed = true;
    this.parts?.close();
  }
}
