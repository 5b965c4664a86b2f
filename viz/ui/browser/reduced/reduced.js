// A layer as one picture: its maps reduced by a named formula, over the photo.

import { ChannelPanel } from "../channel/channel.js";
import { withColumn } from "../figure/columns.js";
import { button } from "../layer/help.js";
import { toMaps } from "../layer/keys.js";
import { selectBox } from "../layer/options.js";
import { stopAfter } from "../layer/way.js";
import { CHOICES } from "../look/fields.js";
import { step } from "../look/look.js";
import { addressOf, asPrinted, queryOf, seenAddress } from "../maps/addresses.js";
import { element, filled, find, percent } from "../maps/mosaic.js";
import { refusal, said, withoutMaps } from "../maps/said.js";
import { onPage } from "../maps/scheme.js";
import { answerOf } from "../page/asking.js";

/** Fields that the picture depends on. @type {(keyof Look)[]} */
const ASKED = ["layer", "call", "leaf", "kind", "row", "index", "colormap", "edit", "show", "training", "reduce", "top", "cell"];
const FILES = ["png", "svg", "pdf", "npz"]; // figures with a caption, and the exact numbers
const USUAL_TOP = 8; // as the server sums without a number

export class ReducedView {
  about = ""; // what is on screen, or asked for
  closed = false;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-reduced");
    this.title = element("h2");
    this.back = button("lg-reduced-back", "", () => this.reduced.toggle());
    this.begin = button("lg-reduced-figure", "", () => this.figure.toggle());
    this.options = element("div", "lg-options");
    this.definition = element("p", "lg-reduced-definition");
    this.source = element("p", "lg-reduced-source");
    this.used = element("p", "lg-reduced-used");
    this.note = element("p", "lg-reduced-note");
    this.note.setAttribute("role", "status");
    this.photo = element("img", "lg-reduced-photo");
    this.files = element("p", "lg-reduced-files");
    const [head, body, seen, picture] = [element("header", "lg-reduced-head"), element("div", "lg-reduced-body"), element("figure", "lg-reduced-seen"), element("div", "lg-reduced-picture")];
    this.caption = element("figcaption");
    head.append(this.title, this.options, this.begin, this.back);
    seen.append(this.photo, this.caption);
    this.panel = new ChannelPanel(picture);
    this.panel.laid = (action) => page.store.dispatch(action);
    this.panel.cursor.onlyTells((at) => this.panel.tell(at), () => { this.panel.pointAway(); toMaps(); });
    this.panel.cursor.taken = ({ y, x }) => this.compareWith(y, x);
    body.append(seen, picture);
    this.body = body;
    this.root.append(head, this.definition, this.source, this.used, this.note, body, this.files);
    root.append(this.root);
  }

  /** @param {Look} look */
  show(look) {
    const { subject, words } = this.page.data;
    const query = [queryOf(look, ASKED), onPage()].filter(Boolean).join("&");
    const about = `${subject} ${query} ${words.language_code} ${this.page.veiled}`;
    if (about === this.about) return this.panel.lie(look);
    this.about = about;
    this.root.dataset.subject = subject;
    this.name(look, words);
    for (const part of [this.definition, this.source, this.used, this.files]) part.replaceChildren(); // they are about another picture
    const reason = this.page.rowOf(look.layer)?.reason;
    if (reason) return this.refuse(...withoutMaps(reason, words));
    return void this.load(look, query);
  }

  // Draw what never waits: the layer's name, and the choices.
  /** @type {(look: Look, words: Words) => void} */
  name(look, words) {
    const row = this.page.rowOf(look.layer);
    const call = (row?.calls ?? 1) > 1 ? ` · ${filled(words.hooks_call, { call: look.call + 1 })}` : "";
    this.title.replaceChildren(`${look.layer}${call} `, element("small", "", row?.type ?? ""));
    this.back.textContent = words.reduced_back;
    this.back.title = words.reduced_back_title;
    this.begin.textContent = words.figure_begin;
    this.begin.title = words.figure_begin_title;
    this.caption.textContent = words.reduced_seen;
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && this.options.contains(activeElement) ? activeElement.dataset.part : null;
    const formulas = CHOICES.reduce.map((how) => /** @type {const} */ ([how, words[`reduced_${how}`]]));
    const how = selectBox(words.reduced_how, formulas, look.reduce, (reduce) => this.page.store.dispatch({ type: "reduce", reduce }));
    find(how, "select").dataset.part = "reduce";
    this.options.replaceChildren(how, ...(look.reduce === "top" ? [this.countBox(look, words)] : []));
    const again = focused && this.options.querySelector(`[data-part=${focused}]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @type {(look: Look, words: Words) => HTMLElement} */
  countBox(look, words) {
    const label = element("label", "lg-option", words.reduced_top_count), box = element("input");
    Object.assign(box, { type: "number", min: 1, max: 99_999, value: look.top ?? USUAL_TOP });
    box.dataset.part = "top";
    box.onchange = () => { if (box.checkValidity() && box.value) this.page.store.dispatch({ type: "top", top: Number(box.value) }); };
    label.append(box);
    return label;
  }

  /** @type {(look: Look, query: string) => Promise<void>} */
  async load(look, query) {
    const { about, page: { data: { subject, words } } } = this;
    const wanted = () => this.about === about && !this.closed;
    this.root.setAttribute("aria-busy", "true");
    const found = await answerOf(addressOf(subject, "reduced.json", query), wanted);
    if (!found || !wanted()) return;
    if (!("view" in found)) return this.refuse(...refusal(found, words));
    const image = new Image();
    image.src = `data:image/png;base64,${found.picture}`;
    await image.decode().catch(() => {});
    if (wanted()) this.draw(look, { subject, query, facts: found.view, image, values: "reduced" }, found);
  }

  /** @type {(look: Look, page: DrawnPage, found: ReducedFacts) => void} */
  draw({ lay, overlay, reduce, layer }, page, found) {
    const { words, colours, subject } = this.page.data, seen = seenAddress(subject);
    this.root.removeAttribute("aria-busy");
    this.note.textContent = found.view.plain ? "" : said(found, "note", words);
    this.body.hidden = this.files.hidden = false;
    if (this.photo.getAttribute("src") !== seen) this.photo.src = seen;
    this.photo.alt = words.reduced_seen;
    this.files.replaceChildren(`${words.download}: `, ...FILES.map((form) => {
      const link = element("a", "", form.toUpperCase());
      Object.assign(link, { href: asPrinted(page, `reduced.${form}`), download: "" });
      return link;
    }));
    this.definition.textContent = said(found, "formula", words);
    this.source.textContent = found.source && filled(words.reduced_source, { source: found.source });
    this.used.replaceChildren(...(this.page.veiled ? [] : this.usedOf(found, reduce)));
    const how = words[`reduced_${reduce}`], { map_height: height, map_width: width } = page.facts.geometry;
    const alt = this.page.veiled ? `${layer}, ${how}` : filled(words.reduced_alt, { layer, how, height, width });
    const about = reduce === "pca" ? " " : undefined; // numbers of three components are no one map's
    this.panel.show(page, 0, { words, colours, seen, lay, overlay, about, label: `${alt}. ${words.cell_keys_tell}` });
    if (found.at.length) this.panel.cursor.goTo({ y: found.at[0], x: found.at[1] });
    this.panel.histogram.hidden = reduce === "pca"; // its colours are of one map
    this.panel.title.textContent = how;
  }

  // The place that all others are compared with, and how another one is chosen.
  /** @type {(at: readonly number[]) => string} */
  place([row, column]) {
    const { words } = this.page.data;
    return `${filled(words.reduced_similar_to, { row, column })} ${words.reduced_similar_how} `;
  }

  // The channels that the picture is made of; each of a few leads to its map.
  /** @type {(found: ReducedFacts, how: Look["reduce"]) => (HTMLElement | string)[]} */
  usedOf({ channels, of: count, explained, at }, how) {
    const { store, data: { words } } = this.page;
    if (how === "pca") return [filled(words.reduced_explained, { shares: explained.map(percent).join(", ") })];
    if (how !== "top") return [...(at.length ? [this.place(at)] : []), filled(words.reduced_all, { count })];
    const links = channels.map((channel) => {
      const link = button("lg-reduced-channel", String(channel), () => store.dispatch({ type: "link", look: step(step(store.get(), { type: "channel", channel }), { type: "view", view: "layer" }) }));
      link.title = filled(words.channel, { channel });
      return link;
    });
    return [filled(words.reduced_strongest, { count }), ...links];
  }

  // Compare all places with this one, if the formula compares; any other formula tells its number.
  /** @type {(y: number, x: number) => void} */
  compareWith(y, x) {
    const { store } = this.page;
    if (store.get().reduce === "similar") store.dispatch({ type: "cell", cell: `${y},${x}` });
    this.panel.tell({ y, x });
  }

  // Show the reason for no picture.
  /** @param {(string | Node)[]} reason */
  refuse(...reason) {
    this.root.removeAttribute("aria-busy");
    this.note.replaceChildren(...reason);
    this.body.hidden = this.files.hidden = true;
  }

  // Actions of the keys.
  get keyed() {
    return this;
  }

  // Back to the maps of the layer.
  reduced = {
    toggle: () => { this.page.store.dispatch({ type: "view", view: "layer" }); },
  };

  // Add the layer to a figure, and go there.
  figure = {
    toggle: () => { this.page.store.dispatch({ type: "link", look: withColumn(this.page) }); },
  };

  // Go to another layer.
  /** @param {number} by */
  step(by) {
    const { way, rows, store } = this.page;
    const stop = stopAfter(way, rows, store.get(), by);
    if (stop) store.dispatch({ type: "layer", layer: stop.row.name, call: stop.call });
  }

  // Go to the next formula.
  /** @param {number} by */
  stepChannel(by) {
    const { store } = this.page, { reduce } = store.get(), { length } = CHOICES.reduce;
    store.dispatch({ type: "reduce", reduce: CHOICES.reduce[(CHOICES.reduce.indexOf(reduce) + by + length) % length] });
  }

  close() {
    this.closed = true;
  }
}
