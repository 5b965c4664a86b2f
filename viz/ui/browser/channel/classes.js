// The class of each channel in the last layer, and a searchable list by score.

import { addressOf } from "../maps/addresses.js";
import { element, filled, perCent, readable } from "../maps/mosaic.js";
import { Pages } from "../maps/pages.js";
import { answerOf } from "../page/asking.js";

const SHOWN = 10;
const FOUND = 40; // rows of a search

/** @typedef {import("../layer/viewer.js").LayerView} LayerView */
/** @typedef {{channel: number, name: string, score: ?number, share: ?number, rank: number}} Row */

/** The classes' names, fetched once for each subject. @type {Pages<NamesFacts>} */
const names = new Pages(async ({ subject }) => (await answerOf(addressOf(subject, "names.json"), () => true)) ?? { classes: [], calls: [] });

export class ClassList {
  /** @type {?NamesFacts} */
  known = null;

  subject = ""; // of what is known

  /** @type {?{page: DrawnPage, channel: number, words: Words, data: SubjectFacts}} */
  viewed = null;

  /** @type {Row[]} */
  rows = []; // by score

  /** @type {?DrawnPage} */
  ranked = null; // what they are of

  /** @type {{said: string, words?: Words}} */
  listed = { said: "" }; // the rows on screen, and their language

  /** @param {LayerView} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.root = element("section", "lg-classes");
    this.root.hidden = true;
    this.search = element("input");
    Object.assign(this.search, { type: "search", autocomplete: "off", spellcheck: false });
    this.search.oninput = () => this.list();
    this.head = element("p", "lg-classes-head");
    this.items = element("ol");
    this.rest = element("p");
    this.rest.setAttribute("role", "status");
    this.root.append(this.search, this.head, this.items, this.rest);
    viewer.panel.head.after(this.root);
  }

  // Draw the classes of a page's channels; the names come once for each subject.
  /** @type {(viewed: {page: DrawnPage, channel: number, words: Words, data: SubjectFacts}) => void} */
  follow(viewed) {
    this.viewed = viewed;
    const { page, data } = viewed;
    if (this.subject !== data.subject) Object.assign(this, { known: null, subject: data.subject });
    if (!this.known && mayName(page.facts, data)) this.learn(data.subject);
    this.draw();
  }

  /** @param {string} subject */
  async learn(subject) {
    const found = await names.open({ subject, query: "" });
    if (found.error || this.subject !== subject || this.known) return;
    this.known = found;
    this.draw();
  }

  // The call whose channels on screen are the classes; null if they are not.
  naming() {
    const { known, viewed } = this;
    if (!known || !viewed) return null;
    const { facts } = viewed.page;
    const { geometry: { channels }, leaf, layer, call, kind } = facts;
    const named = known.calls.find((each) => each.layer === layer && each.call === call);
    return named && channels === known.classes.length && ["vector", "maps"].includes(kind) && !leaf.startsWith("inputs") ? named : null;
  }

  // The class that a channel stands for; empty if it stands for none.
  /** @param {number} channel */
  nameOf(channel) {
    return this.naming() ? this.known?.classes[channel] ?? "" : "";
  }

  draw() {
    const { viewed, viewer } = this;
    if (!viewed) return;
    const { page, channel, words } = viewed;
    const named = this.naming();
    const name = this.nameOf(channel);
    if (name) {
      viewer.panel.title.textContent = filled(words.class_title, { name, channel });
      viewer.panel.describe();
    }
    const { map_width: width, map_height: height } = page.facts.geometry;
    this.appear(named !== null && width * height === 1 && !viewer.gradient);
    if (this.root.hidden || !named) return;
    this.search.placeholder = words.class_search;
    this.search.setAttribute("aria-label", words.class_search);
    this.items.setAttribute("aria-label", words.class_list);
    const columns = [words.class_list, words.class_score_head, named.scores ? words.class_share_head : ""];
    this.head.replaceChildren(...columns.map((text) => element("span", "", text)));
    if (this.ranked !== page) {
      this.rows = ranked(page.facts, this.known?.classes ?? [], named.scores && viewer.look.show !== "difference");
      this.ranked = page;
    }
    this.list();
  }

  // In a presentation the list stands beside the squares, which mean nothing without names: they have less room then.
  /** @param {boolean} wanted */
  appear(wanted) {
    if (this.root.hidden !== wanted) return;
    this.root.hidden = !wanted;
    for (const part of [this.viewer.parts.main.parentElement, this.root.parentElement]) part?.classList.toggle("lg-with-classes", wanted);
    if (this.viewer.presentation.on) this.viewer.resized();
  }

  // The best ones and the one that is chosen, or those that are searched for.
  list() {
    const { viewed, rows } = this;
    if (!viewed) return;
    const { words, channel } = viewed;
    const sought = this.search.value.trim().toLowerCase();
    const fitting = sought ? rows.filter(({ name, channel: at }) => name.toLowerCase().includes(sought) || String(at) === sought) : rows;
    const shown = fitting.slice(0, sought ? FOUND : SHOWN);
    const chosen = sought ? undefined : rows.slice(SHOWN).find((row) => row.channel === channel);
    this.keep([...shown, ...(chosen ? [chosen] : [])]);
    const rest = fitting.length - shown.length;
    this.rest.textContent = fitting.length ? (rest ? filled(words.class_more, { rest }) : "") : words.class_none;
  }

  // Draw rows that are not there yet: a new one under a finger, or under the keyboard's focus, would lose it.
  /** @param {readonly Row[]} rows */
  keep(rows) {
    const { viewed, listed } = this;
    const said = JSON.stringify([viewed?.channel, rows]);
    if (listed.said === said && listed.words === viewed?.words) return;
    this.listed = viewed ? { said, words: viewed.words } : { said };
    this.items.replaceChildren(...rows.map((row) => this.item(row)));
  }

  /** @param {Row} row */
  item({ channel, name, score, share, rank }) {
    const words = this.viewed?.words ?? {};
    const item = element("li");
    const button = element("button");
    button.type = "button";
    const values = { score: readable(score), share: share === null ? "" : percents(share), rank, total: this.rows.length };
    button.append(element("span", "", String(rank)), element("span", "", name), element("span", "", values.score), element("span", "", values.share));
    button.title = `${name}: ${filled(share === null ? words.class_score : words.class_share, values)}`;
    button.style.setProperty("--share", `${100 * (share ?? 0)}%`);
    button.setAttribute("aria-pressed", String(channel === this.viewed?.channel));
    button.onclick = () => this.viewer.chooseChannel(channel);
    item.append(button);
    return item;
  }
}

// True if the value has one channel per class; only then are the classes' names asked for.
/** @type {(facts: LayerFacts, data: SubjectFacts) => boolean} */
function mayName({ shape }, { classes }) {
  return classes > 0 && shape[1] === classes;
}

// Every class by its score, the highest first; with the softmax of all scores where the model means that.
/** @type {(facts: LayerFacts, classes: readonly string[], scores: boolean) => Row[]} */
function ranked({ channels }, classes, scores) {
  const values = channels.mean; // of one number each
  const most = Math.max(...values.map((value) => value ?? -Infinity));
  const powers = values.map((value) => Math.exp((value ?? -Infinity) - most));
  const sum = powers.reduce((one, other) => one + other, 0);
  const rows = classes.map((name, channel) => ({
    channel, name, score: values[channel], share: scores && Number.isFinite(sum) ? powers[channel] / sum : null, rank: 0,
  }));
  rows.sort((one, other) => (other.score ?? -Infinity) - (one.score ?? -Infinity) || one.channel - other.channel);
  rows.forEach((row, place) => { row.rank = place + 1; });
  return rows;
}

/** @param {number} share */
function percents(share) {
  return perCent(share < 0.0005 ? "<\u00a00.1" : (100 * share).toFixed(share >= 0.0995 ? 0 : 1));
}
