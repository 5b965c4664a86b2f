// The server's facts of the other side. It is asked again when the look or the subject calls for it, and while the
// model is on its way.

import { addressOf, queryOf } from "../maps/addresses.js";
import { answerOf } from "../page/asking.js";

/** @typedef {OtherFacts & {wanted: string}} Told - `wanted`: what it is the answer to */
/** @typedef {Told & Required<Pick<OtherFacts, "subject" | "labels" | "rows" | "first" | "all" | "alike">>} There - with its model */

/** @type {(keyof Look)[]} */
const ASKED = ["view", "edit", "with_sample", "with_model", "with_weights", "with_layer", "with_call", "with_edits", "with_order"];
const AGAIN_MS = 500;

export class OtherSide {
  /** @type {?Told} */
  found = null;

  wanted = "";

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;

  /**
   * @param {StagePage} page
   * @param {() => void} told - called when an answer has come
   */
  constructor(page, told) {
    this.page = page;
    this.told = told;
  }

  // Ask for the look's other side; the answer before it stays until that is here.
  /** @param {Look} look */
  follow(look) {
    const { subject, words, own } = this.page.data;
    const agreed = this.page.costs?.agreed.has(`load of ${modelSaid(look, this.page.data)}`) ? "agreed=1" : "";
    const address = addressOf(subject, "other.json", queryOf(look, ASKED), `lang=${words.language_code}`, agreed);
    const wanted = `${address} ${JSON.stringify(own)}`; // an own picture can be chosen once it is here
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    clearTimeout(this.waiting);
    this.ask(address, wanted);
  }

  // True if the answer that is here is about the look.
  get isCurrent() {
    return this.found !== null && this.found.wanted === this.wanted;
  }

  // The other side, once it can be shown beside the look.
  get there() {
    return this.isCurrent && this.found && isThere(this.found) ? this.found : null;
  }

  /** @type {(address: Address<"other.json">, wanted: string) => Promise<void>} */
  async ask(address, wanted) {
    const found = await answerOf(address, () => wanted === this.wanted);
    if (found === null) return;
    this.found = { ...found, wanted };
    if (found.loading) this.waiting = setTimeout(() => this.ask(address, wanted), AGAIN_MS);
    this.told();
  }

  // Ask once more: something refused before may be there by now.
  again() {
    this.wanted = "";
    this.follow(this.page.store.get());
  }

  close() {
    this.wanted = "";
    clearTimeout(this.waiting);
  }
}

/**
 * @param {Told} found
 * @returns {found is There}
 */
function isThere(found) {
  return found.subject !== undefined;
}

// The model that a look names for the other side.
/** @type {(look: Look, data: SubjectFacts) => string} */
export function modelSaid({ with_model: said }, { model }) {
  return ["", "same"].includes(said) ? model : said;
}
