// Ablation: each channel is removed once, batch by batch, as the browser asks for more.

import { selectBox } from "../layer/options.js";
import { aboutWhole } from "../maps/addresses.js";
import { element, filled, percent, readable } from "../maps/mosaic.js";
import { said } from "../maps/said.js";

const AGAIN_LATER_MS = 250;

export class Study {
  /** @type {?object} */
  asking = null; // the run that is going on

  /** @type {?string} */
  address = null; // of what is on screen

  layer = "";
  error = "";
  total = 0;
  place = 0; // of the class among the classes
  /** @type {Words} */
  words = {};

  /** @type {ReturnType<typeof rowsOf>} */
  rows = [];

  /** @type {readonly string[]} */
  classes = [];

  /**
   * @param {HTMLElement} root
   * @param {(channel: number) => void} chosen
   */
  constructor(root, chosen) {
    this.root = root;
    this.chosen = chosen;
  }

  // Ask about the layer of a page of maps, beginning with the first channel.
  /** @type {(page: {subject: string, query: string}, layer: string, words: Words) => Promise<void>} */
  async run(page, layer, words) {
    const address = aboutWhole(page, "ablation.json");
    const asking = {};
    Object.assign(this, { asking, address, layer, words, rows: [], classes: [], place: 0, error: "", total: 0 });
    this.draw();
    for (let first = 0, size = 1; this.asking === asking;) {
      const found = await this.part(`${address}&first=${first}&size=${size}`);
      if (this.asking !== asking) return;
      if (!found) continue;
      if (found.error) this.error = said(found, "error", words);
      else {
        this.rows.push(...rowsOf(found.changes));
        ({ classes: this.classes, total: this.total, next: first, size } = found);
      }
      if (found.error || first >= found.total) this.asking = null;
      this.draw();
    }
  }

  // The server's facts of some channels; null if it has to be asked again.
  /** @type {(address: string) => Promise<?AblationFacts>} */
  async part(address) {
    try {
      const answer = await fetch(address);
      const found = await answer.json();
      if (!found.superseded && answer.status < 500) return found;
    } catch { /* the connection is gone for a moment */ }
    await new Promise((go) => { setTimeout(go, AGAIN_LATER_MS); });
    return null;
  }

  stop() {
    if (!this.asking) return;
    this.asking = null;
    this.draw();
  }

  // The results belong to one layer with certain edits: they are removed when anything else is on screen.
  /** @param {?{subject: string, query: string}} page */
  keepTo(page) {
    if (this.address === null || (page && this.address === aboutWhole(page, "ablation.json"))) return;
    Object.assign(this, { asking: null, address: null });
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  draw() {
    const { words } = this;
    this.root.hidden = false;
    /** @type {HTMLElement[]} */
    const parts = [this.heading(), this.progress()];
    if (this.error) parts.push(element("p", "lg-study-error", this.error));
    else if (this.rows.length) parts.push(element("p", "lg-study-note", words.ablation_note), this.bars());
    this.root.replaceChildren(...parts);
  }

  heading() {
    const { words, layer, classes, place } = this;
    const [before, after] = filled(words.ablation_title, { layer, select: "\n" }).split("\n");
    const title = element("h3", "", before);
    if (classes.length) {
      title.append(selectBox("", classes.map((name, n) => [String(n), name]), String(place), (chosen) => { this.place = Number(chosen); this.draw(); }));
    }
    title.append(document.createTextNode(after));
    const button = element("button", "lg-study-end", this.asking ? words.stop : words.close);
    button.type = "button";
    button.onclick = () => { if (this.asking) this.stop(); else this.keepTo(null); };
    const head = element("header");
    head.append(title, button);
    return head;
  }

  progress() {
    const { words, rows, total, asking } = this;
    const line = element("div", "lg-study-progress");
    const bar = element("progress");
    Object.assign(bar, { max: total || 1, value: rows.length });
    const stopped = !asking && rows.length < total;
    const text = filled(stopped ? words.ablation_stopped : words.ablation_progress, { done: rows.length, total: total || "…" });
    if (asking) line.append(bar);
    line.append(element("span", "", text));
    return line;
  }

  // Ranked by how much the class loses; the longest bar is the largest change of either sign.
  bars() {
    const { place, words } = this;
    const ranked = [...this.rows].sort((a, b) => a.logits[place] - b.logits[place]);
    const most = Math.max(...ranked.map((row) => Math.abs(row.logits[place])), 1e-12);
    const list = element("ol", "lg-bars-list");
    list.append(...ranked.map(({ channel, logits, probabilities }) => {
      const item = element("li");
      const button = element("button", logits[place] <= 0 ? "lg-for" : "lg-against");
      button.type = "button";
      button.style.setProperty("--share", `${(100 * Math.abs(logits[place])) / most}%`);
      button.append(element("span", "", String(channel)), element("span", "lg-bar-track"), element("span", "", signed(logits[place])));
      button.title = filled(words.ablation_row, { channel, score: signed(logits[place]), probability: signedPercent(probabilities[place]) });
      button.onclick = () => this.chosen(channel);
      item.append(button);
      return item;
    }));
    return list;
  }
}

// The server tells them in columns.
/** @param {AblationFacts["changes"]} changes */
function rowsOf({ channel, logits, probabilities }) {
  return channel.map((each, row) => ({ channel: each, logits: logits[row], probabilities: probabilities[row] }));
}

/** @param {number} number */
function signed(number) {
  return number > 0 ? `+${readable(number)}` : readable(number);
}

/** @param {number} share */
function signedPercent(share) {
  return `${share > 0 ? "+" : ""}${percent(share)}`;
}
