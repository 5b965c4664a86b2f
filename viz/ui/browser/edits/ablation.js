// Ablation: each channel is removed once, batch by batch, as the browser asks for more.

import { selectBox } from "../layer/options.js";
import { aboutWhole } from "../maps/addresses.js";
import { element, filled, find, percent, readable } from "../maps/mosaic.js";
import { refusal, tell } from "../maps/said.js";

const AGAIN_LATER_MS = 250;

export class Study {
  /** @type {?object} */
  asking = null; // the run that is going on

  /** @type {?string} */
  address = null; // of what is on screen

  layer = "";
  /** @type {?Answer} */
  refused = null;

  total = 0;
  place = 0; // of the class among the classes
  /** @type {Words} */
  words = {};

  /** @type {ReturnType<typeof rowsOf>} */
  rows = [];

  /** @type {readonly string[]} */
  classes = [];

  /** @type {?ReturnType<typeof buildStudy>} */
  parts = null;

  /** @type {Map<number, HTMLElement>} */
  bars = new Map(); // of each channel that is told

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
    Object.assign(this, { asking, address, layer, words, rows: [], classes: [], place: 0, refused: null, total: 0 });
    this.begin();
    this.draw();
    for (let first = 0, size = 1; this.asking === asking;) {
      const found = await this.part(`${address}&first=${first}&size=${size}`);
      if (this.asking !== asking) return;
      if (!found) continue;
      if (found.error) this.refused = found;
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
    Object.assign(this, { asking: null, address: null, parts: null });
    this.root.hidden = true;
    this.root.replaceChildren();
  }

  // What a hand is on stays for the whole run: drawn anew with each batch, it would lose its click and the keys.
  begin() {
    const { words, layer } = this, parts = buildStudy();
    Object.assign(this, { parts, bars: new Map() });
    const [before, after] = filled(words.ablation_title, { layer, select: "\n" }).split("\n");
    parts.title.append(before, after);
    this.heed(parts.button);
    this.root.replaceChildren(...parts.all);
    this.root.hidden = false;
  }

  // A hand that came down on "Stop" stops nothing but the run, even if that ends before the hand, or key, comes up.
  /** @param {HTMLElement} button */
  heed(button) {
    let stops = false;
    button.onpointerdown = () => { stops = Boolean(this.asking); };
    button.onkeydown = ({ repeat }) => { if (!repeat) stops = Boolean(this.asking); };
    button.onpointerup = button.onkeyup = () => void setTimeout(() => { stops = false; }); // after the click that it makes
    button.onclick = () => { if (stops || this.asking) this.stop(); else this.keepTo(null); };
  }

  draw() {
    const { parts, words, refused, rows } = this;
    if (!parts) return;
    parts.button.textContent = this.asking ? words.stop : words.close;
    this.offerClasses(parts.title);
    this.drawProgress(parts);
    tell(parts.error, refused ? refusal(refused, words) : []);
    parts.note.textContent = words.ablation_note;
    parts.error.hidden = !refused;
    parts.note.hidden = Boolean(refused) || !rows.length;
    if (refused) parts.list.remove();
    else this.drawBars(parts.list);
  }

  // The classes come with the first channel.
  /** @param {HTMLElement} title */
  offerClasses(title) {
    const { classes, place } = this;
    if (!classes.length || title.querySelector("select")) return;
    const box = selectBox("", classes.map((name, n) => [String(n), name]), String(place), (chosen) => { this.place = Number(chosen); this.draw(); });
    title.lastChild?.before(box);
  }

  /** @param {ReturnType<typeof buildStudy>} parts */
  drawProgress({ bar, done }) {
    const { words, rows, total, asking } = this;
    Object.assign(bar, { max: total || 1, value: rows.length, hidden: !asking });
    const stopped = !asking && rows.length < total;
    done.textContent = filled(stopped ? words.ablation_stopped : words.ablation_progress, { done: rows.length, total: total || "…" });
  }

  // Ranked by how much the class loses; the longest bar is the largest change of either sign. A bar moves only if
  // another class ranks the channels otherwise.
  /** @param {HTMLElement} list */
  drawBars(list) {
    const { place } = this;
    const ranked = [...this.rows].sort((a, b) => a.logits[place] - b.logits[place]);
    const most = Math.max(...ranked.map((row) => Math.abs(row.logits[place])), 1e-12);
    let next = list.firstElementChild;
    for (const row of ranked) {
      const item = this.drawBar(row, most);
      if (item === next) next = next.nextElementSibling;
      else list.insertBefore(item, next);
    }
  }

  /** @type {(row: ReturnType<typeof rowsOf>[number], most: number) => HTMLElement} */
  drawBar({ channel, logits, probabilities }, most) {
    const score = logits[this.place];
    const item = this.bars.get(channel) ?? barOf(channel, () => this.chosen(channel));
    this.bars.set(channel, item);
    const button = find(item, "button");
    button.className = score <= 0 ? "lg-for" : "lg-against";
    button.style.setProperty("--share", `${(100 * Math.abs(score)) / most}%`);
    find(button, "span.lg-bar-change").textContent = signed(score);
    button.title = filled(this.words.ablation_row, { channel, score: signed(score), probability: signedPercent(probabilities[this.place]) });
    return item;
  }
}

// The parts of a ranking on screen, from its heading down to its bars.
function buildStudy() {
  const head = element("header"), title = element("h3"), button = element("button", "lg-study-end");
  const progress = element("div", "lg-study-progress"), bar = element("progress"), done = element("span");
  const error = element("p", "lg-study-error"), note = element("p", "lg-study-note"), list = element("ol", "lg-bars-list");
  button.type = "button";
  head.append(title, button);
  progress.append(bar, done);
  return { all: [head, progress, error, note, list], title, button, bar, done, error, note, list };
}

/** @type {(channel: number, chosen: () => void) => HTMLElement} */
function barOf(channel, chosen) {
  const item = element("li"), button = element("button");
  button.type = "button";
  button.append(element("span", "", String(channel)), element("span", "lg-bar-track"), element("span", "lg-bar-change"));
  button.onclick = chosen;
  item.append(button);
  return item;
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
