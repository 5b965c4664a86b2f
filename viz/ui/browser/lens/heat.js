// The table of channel × class for the look's layer, with facts of one channel.

import { element, filled, percent } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";
import { paint, Picker } from "./picker.js";
import { isPreference } from "./sample.js";
import { deviationShade, mostOf } from "./shades.js";

const MOST_TOLD = 3; // classes of a channel, in words
const MOST_GROUPS = 12;

/** @typedef {{open: (channel: number) => void, choose: (channel: number) => void}} Acts */

export class Heat {
  /** @type {readonly LensChannel[]} */
  channels = [];

  /** @type {readonly string[]} */
  classes = [];

  /** @type {readonly number[]} */
  chances = []; // the score of each class that chance alone reaches

  /** @type {?number} */
  channel = null; // whose facts are on screen

  used = 0; // pictures
  different = 0; // of them
  deadShare = 1;

  /**
   * @param {HTMLElement} root
   * @param {Acts} acts
   */
  constructor(root, acts) {
    this.root = root;
    this.acts = acts;
    this.canvas = element("canvas");
    this.picker = new Picker(this.canvas);
    this.names = element("div", "lg-lens-names");
    this.names.setAttribute("aria-hidden", "true");
    this.scroll = element("div", "lg-lens-scroll");
    this.scroll.append(this.picker.root);
    this.scale = element("p", "lg-lens-scale");
    this.about = element("div", "lg-lens-about");
    this.lists = element("div", "lg-lens-lists");
    const table = element("div", "lg-lens-table");
    table.append(this.names, this.scroll, this.scale);
    const beside = element("div", "lg-lens-beside");
    beside.append(this.about, this.lists);
    root.append(table, beside);
  }

  /** @type {(found: LensLayerFacts, order: readonly string[], channel: ?number, words: Words, dark: boolean) => void} */
  show(found, order, channel, words, dark) {
    const known = order.filter((name) => found.classes.includes(name));
    this.classes = known.length === found.classes.length ? known : found.classes;
    const places = this.classes.map((name) => found.classes.indexOf(name));
    this.chances = places.map((place) => found.class_chance[place]);
    Object.assign(this, { used: found.used, different: found.pictures, deadShare: found.dead_share });
    this.channels = found.channels.map((each) => ({ ...each, scores: places.map((place) => each.scores[place]) }));
    const most = mostOf(this.channels.map(({ scores }) => scores));
    Object.assign(this, { words });
    this.words = words;
    const none = !this.classes.length;
    for (const part of [this.names, this.scale, this.scroll]) part.hidden = none;
    if (!none) this.draw(most, words, dark, channel);
    this.drawLists(found, words);
    this.choose(channel ?? this.channels[0]?.channel ?? 0);
  }

  /** @type {(most: number, words: Words, dark: boolean, channel: ?number) => void} */
  draw(most, words, dark, channel) {
    const { channels, classes, chances } = this;
    /** @type {(score: Found, place: number) => Found} */
    const told = (score, place) => score === null || isPreference(score, chances[place]) ? score : 0;
    paint(this.canvas, channels.map(({ scores }) => scores.map((score, place) => deviationShade(told(score, place), most, dark))));
    this.picker.root.style.setProperty("--rows", String(channels.length));
    this.names.replaceChildren(...classes.map((name) => element("span", "", name)));
    this.names.classList.toggle("lg-many", classes.length > 30);
    this.scale.replaceChildren(
      element("span", "", `−${most.toFixed(1)}`), scaleBar(most, dark), element("span", "", `+${most.toFixed(1)}`), element("span", "", words.lens_scale),
    );
    const row = Math.max(0, channels.findIndex((each) => each.channel === channel));
    this.picker.show({
      label: words.lens_heat, rows: channels.length, columns: classes.length,
      told: (cell) => this.told(cell, words),
      chosen: (cell) => { this.choose(channels[cell.row].channel); this.acts.choose(channels[cell.row].channel); },
      opened: (cell) => this.acts.open(channels[cell.row].channel),
    }, { row, column: this.picker.cell.column < classes.length ? this.picker.cell.column : 0 });
  }

  /** @type {(cell: import("./picker.js").Cell, words: Words) => string} */
  told({ row, column }, words) {
    const { channel, scores } = this.channels[row];
    const score = scores[column];
    const text = score === null || isPreference(score, this.chances[column]) ? words.lens_cell : words.lens_cell_chance;
    return filled(text, { channel, name: this.classes[column], score: signed(score) });
  }

  // Draw the facts of a channel, and the button to its maps.
  /** @param {number} channel */
  choose(channel) {
    const found = this.channels.find((each) => each.channel === channel) ?? this.channels[0];
    const { words } = this;
    if (!found || !words) return;
    this.channel = found.channel;
    const head = element("h3", "", filled(words.lens_channel, { channel: found.channel }));
    const open = element("button", "lg-primary", words.lens_open);
    open.type = "button";
    open.onclick = () => this.acts.open(found.channel);
    const dead = filled(words.lens_is_dead, { count: this.used, share: percent(this.deadShare) });
    const lines = [found.dead ? dead : this.strongest(found, words)];
    if (found.group !== null) lines.push(filled(words.lens_is_redundant, { count: this.different }));
    this.about.replaceChildren(head, ...lines.filter(Boolean).map((line) => element("p", "", line)));
    if (found.alike.length) {
      const alike = element("p", "lg-lens-alike", `${filled(words.lens_alike, { count: this.different })} `);
      alike.append(...found.alike.flatMap(({ channel: other, correlation }) => [channelButton(other, (chosen) => this.go(chosen), `${other}: ${correlation.toFixed(2)}`), " "]));
      this.about.append(alike);
    }
    this.about.append(open);
  }

  /** @type {(found: LensChannel, words: Words) => string} */
  strongest({ scores }, words) {
    const order = scores.map((score, place) => ({ score, name: this.classes[place] }))
      .filter(({ score }, place) => isPreference(score, this.chances[place]));
    order.sort((one, other) => Number(other.score) - Number(one.score));
    if (!order.length) return scores.some((score) => score !== null) ? filled(words.lens_no_preference, { count: this.used }) : "";
    /** @type {(some: typeof order) => string} */
    const listed = (some) => some.map(({ name, score }) => `${name} ${signed(score)}`).join(", ") || "–";
    const [most, least] = [order.filter(({ score }) => Number(score) > 0), order.filter(({ score }) => Number(score) < 0)];
    return filled(words.lens_strongest, { count: this.used, most: listed(most.slice(0, MOST_TOLD)), least: listed(least.slice(-1)) });
  }

  // Go to another channel, whose row is marked too.
  /** @param {number} channel */
  go(channel) {
    const row = this.channels.findIndex((each) => each.channel === channel);
    if (row < 0) return;
    if (this.classes.length) this.picker.go({ row, column: this.picker.cell.column }, true);
    else {
      this.choose(channel);
      this.acts.choose(channel);
    }
  }

  /** @type {(found: LensLayerFacts, words: Words) => void} */
  drawLists({ groups, channels, pictures, chance, too_few }, words) {
    const dead = channels.filter((each) => each.dead).map(({ channel }) => channel).sort((one, other) => one - other);
    const go = (/** @type {number} */ channel) => this.go(channel);
    const parts = [element("h3", "", words.lens_dead), listOf(dead, words.lens_no_dead, go), element("h3", "", words.lens_redundant)];
    const none = too_few ? words.lens_too_few : words.lens_no_redundant;
    const told = filled(groups.length ? words.lens_correlated : none, { count: pictures, chance: chance.toFixed(2) });
    parts.push(paragraph(too_few && !groups.length ? withMore(told, "pictures-folder#which-channels-stand-for-which-class", words) : [told]));
    parts.push(...groups.slice(0, MOST_GROUPS).map((group) => listOf(group, "", go)));
    if (groups.length > MOST_GROUPS) parts.push(element("p", "", filled(words.lens_more_groups, { count: groups.length - MOST_GROUPS })));
    this.lists.replaceChildren(...parts);
  }

  /** @type {Words | undefined} */
  words;
}

/** @type {(channels: readonly number[], none: string, go: (channel: number) => void) => HTMLElement} */
function listOf(channels, none, go) {
  const list = element("p", "lg-lens-list");
  list.append(...(channels.length ? channels.flatMap((each) => [channelButton(each, go), " "]) : [none]));
  return list;
}

/** @type {(channel: number, go: (channel: number) => void, text?: string) => HTMLElement} */
function channelButton(channel, go, text = String(channel)) {
  const button = element("button", "lg-lens-go", text);
  button.type = "button";
  button.onclick = () => go(channel);
  return button;
}

/** @type {(most: number, dark: boolean) => HTMLElement} */
function scaleBar(most, dark) {
  const bar = element("i");
  const stops = [-1, -0.5, -0.2, 0, 0.2, 0.5, 1].map((each) => `rgb(${deviationShade(each * most, most, dark).join(" ")}) ${50 + 50 * each}%`);
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return bar;
}

/** @param {Found} score */
function signed(score) {
  if (score === null) return "–";
  return `${score < 0 ? "−" : "+"}${Math.abs(score).toFixed(1)}`;
}
