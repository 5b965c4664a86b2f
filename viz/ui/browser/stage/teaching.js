// The place of a class and a lesson. Their parts, which most first visits do without, are fetched once the page stands.

import { nameOpener, openerOf } from "../class_screen/opener.js";
import { codeIn, keptClass } from "../classroom/kept_class.js";
import { place } from "../look/place.js";
import { standing } from "../page/stands.js";
import { keptTaught } from "../plan/kept_plan.js";
import { fetched } from "./features.js";

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
   */
  constructor(places, shown) {
    this.places = places;
    this.shown = shown;
    this.code = codeIn(place.location.search); // before the page writes its own address
    this.opener = openerOf(async () => (await this.fetch())?.board.show());
    for (const row of Object.values(places.rows)) row.hidden = true;
    const goesOn = keptTaught() !== null;
    this.ready = goesOn ? this.fetch() : Promise.resolve(); // its questions hide figures from the first maps on
    if (this.code || keptClass()) this.fetch();
    else standing().then(() => this.fetch());
  }

  fetch() {
    return this.fetching ??= fetched(async () => (await import("./class_parts.js")).ClassParts).then((ClassParts) => {
      if (!this.closed) this.parts = new ClassParts({ ...this.places, opener: this.opener }, this.shown, this.code);
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
