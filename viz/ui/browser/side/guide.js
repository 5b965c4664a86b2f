// The first steps: one sentence at a time beside the choice of view. They go on as they are taken, and can be closed
// for good.

import { closestTo, element, find } from "../maps/mosaic.js";

const SEEN = "layerglass.guide";
/** @param {Words} words */
const STEPS = (words) => [words.guide_picture, words.guide_layer, words.guide_closer];
const CHANNEL_KEYS = ["ArrowUp", "ArrowDown"];

export class Guide {
  /** @type {Words} */
  words = {};

  /** @type {string | undefined} */
  picture;

  /** @type {string | undefined} */
  layer;

  away = false;
  hearing = new AbortController();

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = element("aside", "lg-guide");
    this.root.innerHTML = `<p role="status"><b></b> <span></span></p>
      <button type="button" class="lg-guide-next"></button><button type="button" class="lg-guide-close">×</button>`;
    parent.append(this.root);
    this.next = find(this.root, "button.lg-guide-next");
    this.shut = find(this.root, "button.lg-guide-close");
    this.next.onclick = () => this.to((this.step ?? 0) + 1);
    this.shut.onclick = () => this.end();
    this.step = wasSeen() ? null : 0;
    this.listen();
  }

  listen() {
    const { signal } = this.hearing;
    window.addEventListener("layerglass:guide", () => { this.to(0); this.next.focus(); }, { signal });
    document.addEventListener("click", (event) => { if (closestTo(event, ".lg-frame")) this.did(2); }, { signal });
    document.addEventListener("keydown", ({ key, target }) => {
      if (CHANNEL_KEYS.includes(key) && target instanceof Element && target.matches("body, .lg-viewer")) this.did(2);
    }, { signal });
  }

  close() {
    this.hearing.abort();
  }

  /** @type {(look: Look, data: SubjectFacts) => void} */
  show({ layer, view }, { words, picture }) {
    this.words = words;
    this.away = view !== "layer";
    this.layerShown(layer);
    const other = this.picture !== undefined && this.picture !== picture;
    this.picture = picture;
    if (other) this.did(0);
    this.draw();
  }

  /** @param {string} layer */
  layerShown(layer) {
    const other = this.layer !== undefined && this.layer !== layer;
    this.layer = layer;
    if (other) this.did(1);
  }

  // What visitors have done by themselves need not be explained.
  /** @param {number} step */
  did(step) {
    if (this.step === step) this.to(step + 1);
  }

  /** @param {number} step */
  to(step) {
    if (step > 2) return this.end();
    this.step = step;
    this.draw();
  }

  end() {
    this.step = null;
    remember();
    this.draw();
  }

  draw() {
    const { words, step } = this;
    this.root.hidden = step === null || this.away;
    if (step === null || this.away) return;
    this.root.setAttribute("aria-label", words.guide_label);
    find(this.root, "b").textContent = words.guide_of.replace("{step}", String(step + 1));
    find(this.root, "span").textContent = STEPS(words)[step];
    this.next.textContent = step < 2 ? words.guide_next : words.guide_done;
    this.shut.setAttribute("aria-label", words.guide_dismiss);
    this.shut.title = words.guide_dismiss;
  }
}

// If the browser stores nothing for this page, the steps are shown again.
function wasSeen() {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    return false;
  }
}

function remember() {
  try {
    localStorage.setItem(SEEN, "1");
  } catch { /* see above */ }
}
