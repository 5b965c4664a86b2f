// The data-set lens: separation of classes, similarity of layers, channels by class. The folder is the server's, or the
// visitor's own pictures.

import { Bring } from "../exemplars/bring.js";
import { folderOf, SourceChoice } from "../exemplars/choices.js";
import { passLine } from "../exemplars/progress.js";
import { addressOf, queryOf } from "../maps/addresses.js";
import { element, filled, percent } from "../maps/mosaic.js";
import { refusal, withMore } from "../maps/said.js";
import { onPage } from "../maps/scheme.js";
import { answerOf, newestOnly } from "../page/asking.js";
import { curveAxis, drawCurve, emptyCurve } from "./curve.js";
import { Heat } from "./heat.js";
import { Pairs } from "./pairs.js";
import { Picker } from "./picker.js";

const POLL_MS = 800;
const LEAST = 4; // pictures

export class Lens {
  about = ""; // what the whole is of: subject and language
  source = "";
  newest = newestOnly(); // of the questions about the folders
  layerAsked = "";
  shade = "";
  closed = false;

  /** @type {?LensFacts} */
  found = null;

  /** @type {?LensLayerFacts} */
  layerFound = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  polling;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.look = page.store.get();
    this.root = element("section", "lg-lens");
    this.root.dataset.part = "lens";
    this.head = element("p", "lg-lens-head");
    this.bar = element("progress", "lg-lens-bar");
    this.line = element("div");
    this.whose = new SourceChoice(page.store);
    this.bring = new Bring(page, () => this.brought());
    this.body = element("div", "lg-lens-body");
    this.curve = emptyCurve();
    this.probes = new Picker(this.curve);
    this.probeHead = element("h2");
    this.probeText = element("p", "lg-lens-told");
    this.pairs = new Pairs({
      ask: (other, wanted) => this.askAgainst(other, wanted),
      set: (against) => page.store.dispatch({ type: "against", against }),
      choose: (layer) => this.choose(layer),
      open: (layer) => this.openLayer(layer),
    }, () => this.words);
    this.layerHead = element("h2");
    this.layerText = element("p", "lg-lens-told");
    this.layerRoot = element("div", "lg-lens-layer");
    this.heat = new Heat(this.layerRoot, {
      choose: (channel) => page.store.dispatch({ type: "channel", channel }),
      open: (channel) => this.open(channel),
    });
    this.build();
    root.append(this.root);
  }

  build() {
    const [probes, layer] = ["lg-lens-probes", "lg-lens-one"].map((name) => element("section", name));
    const chart = element("div", "lg-lens-chart");
    chart.append(curveAxis(percent), this.probes.root);
    probes.append(this.probeHead, chart, this.probeText);
    layer.append(this.layerHead, this.layerText, this.layerRoot);
    this.probes.root.dataset.part = "lens-probes";
    this.heat.picker.root.dataset.part = "lens-heat";
    this.body.append(probes, layer, this.pairs.root);
    this.body.hidden = true;
    this.root.append(this.head, this.whose.root, this.line, this.body, this.bring.root);
  }

  get words() {
    return this.page.data.words;
  }

  /** @param {Look} look */
  show(look) {
    const before = this.look;
    this.look = look;
    const about = `${this.page.data.subject} ${this.words.language_code}`;
    const shade = onPage();
    if (about !== this.about) {
      Object.assign(this, { about, shade });
      this.begin(this.source);
      this.bring.name();
      this.head.textContent = this.words.lens_loading;
      this.load();
    } else if (look.pictures !== before.pictures && look.pictures !== this.source) {
      this.chooseSource(look.pictures);
    } else if (this.found) {
      if (shade !== this.shade) this.redraw(shade);
      if (look.against !== before.against) this.drawPairs(this.found);
      this.showLayer();
      if (look.channel !== before.channel && look.channel !== this.heat.channel) this.drawLayer();
    }
  }

  // The folder first: without one, or before the model has looked through it, the page says what to do.
  async load() {
    const about = this.asking, newest = this.newest();
    const folders = await answerOf(this.address("folders.json"), () => newest() && this.isStill(about));
    if (folders) this.hear(folders);
  }

  /** @param {FoldersFacts} folders */
  hear(folders) {
    const { words } = this;
    clearTimeout(this.polling);
    const folder = folderOf(folders.folders ?? [], this.look.pictures);
    this.whose.showFolders(folders.folders ?? [], folder?.source ?? "", words);
    this.line.hidden = !folder || folder.state === "done";
    if (folder?.source !== this.source) this.begin(folder?.source ?? "");
    if (!folder) {
      this.head.replaceChildren(...refusal(folders, words));
      this.body.hidden = true;
      return;
    }
    passLine(this.line, folder, words, (act) => this.act(act), this.address("left-out.txt", { source: this.source }));
    if (folder.state === "running") this.polling = setTimeout(() => this.load(), POLL_MS);
    else if (folder.done - folder.left_out >= LEAST) this.ask();
    else this.lookFirst();
  }

  lookFirst() {
    const { words } = this;
    this.head.replaceChildren(...withMore(words.lens_look_first, "pictures-folder", words));
  }

  // Other pictures: no result of those before holds.
  /** @param {string} source */
  begin(source) {
    clearTimeout(this.polling);
    Object.assign(this, { source, found: null, layerFound: null, layerAsked: "" });
    this.body.hidden = true;
    this.root.removeAttribute("aria-busy");
  }

  /** @param {string} source */
  chooseSource(source) {
    this.begin(source);
    this.head.textContent = this.words.lens_loading;
    this.load();
  }

  // Own pictures have come: they are looked through at once, because that is what they were brought for.
  brought() {
    if (!this.bring.taken && !this.bring.labelled) return;
    this.begin("own");
    this.page.store.settle({ type: "pictures", pictures: "own" });
    this.act("start");
  }

  /** @param {"start" | "stop" | "forget"} act */
  async act(act) {
    const about = this.asking, newest = this.newest();
    const question = act === "forget" ? this.address("pictures.forget") : this.address("folder.pass", { act, source: this.source });
    const folders = await answerOf(question, () => newest() && this.isStill(about), { method: "POST" });
    if (folders) this.hear(folders);
  }

  // The curve grows while the layers are compared, one after the other.
  async ask() {
    const { words, asking: about } = this;
    this.root.setAttribute("aria-busy", "true");
    if (!this.found) this.showProgress(null);
    const found = await answerOf(this.address("lens.json", { source: this.source }), () => this.isStill(about));
    if (!found) return;
    clearTimeout(this.polling);
    if (!found.error && !found.complete) {
      this.showProgress(found);
      this.polling = setTimeout(() => this.ask(), POLL_MS);
    } else this.root.removeAttribute("aria-busy");
    if (found.error) return void this.head.replaceChildren(...refusal(found, words));
    if (found.complete && !found.layers.length) return this.lookFirst();
    if (found.layers.length) this.take(found);
  }

  /** @param {LensFacts} found */
  take(found) {
    Object.assign(this, { found, shade: onPage() });
    this.body.hidden = false;
    this.draw(found);
    this.showLayer();
    if (found.complete) this.drawLayer(); // its classes stand in another order now
  }

  /** @param {?LensFacts} found */
  showProgress(found) {
    const { words, bar } = this;
    if (found?.calls) Object.assign(bar, { max: found.calls + 1, value: found.layers.length }); // all together come last
    else bar.removeAttribute("value");
    const text = found?.calls ? filled(words.lens_progress, { done: found.layers.length, count: found.calls }) : words.lens_loading;
    bar.setAttribute("aria-label", text);
    this.head.replaceChildren(text, bar);
  }

  /** @param {LensFacts} found */
  draw(found) {
    const { words } = this;
    if (found.complete) this.head.replaceChildren(...found.classes.length ? [headOf(found, words)] : withMore(headOf(found, words), "pictures-folder#how-do-i-give-pictures-their-classes", words));
    this.drawProbes(found);
    this.drawPairs(found);
  }

  /** @param {LensFacts} found */
  drawPairs(found) {
    this.pairs.show(found, this.look.against, this.placeOf(found.layers), Boolean(onPage()));
  }

  /** @param {LensFacts} found */
  drawProbes(found) {
    const { words } = this;
    const { layers, calls, chance } = found;
    this.probeHead.textContent = words.lens_probes;
    const none = chance === null;
    for (const part of this.root.querySelectorAll(".lg-lens-chart")) part.toggleAttribute("hidden", none);
    if (none) return this.probeText.replaceChildren(...found.classes.length ? withMore(words.lens_no_probes, "pictures-folder#which-layer-separates-my-classes", words) : [words.lens_no_probes]);
    drawCurve(this.curve, layers, calls, chance);
    this.probeText.textContent = filled(words.lens_probes_note, { chance: percent(chance), held: found.held_out });
    this.probes.show({
      label: words.lens_probes, rows: 1, columns: calls,
      told: ({ column }) => layers[column] ? probeTold(layers[column], words) : words.lens_loading,
      chosen: ({ column }) => { if (layers[column]) this.choose(layers[column]); },
      opened: ({ column }) => { if (layers[column]) this.openLayer(layers[column]); },
    }, { row: 0, column: this.placeOf(layers) });
  }

  // Ask for the similarity to another model's layers.
  /** @type {(other: string, wanted: () => boolean) => Promise<?LensAgainstFacts>} */
  askAgainst(other, wanted) {
    const about = this.asking;
    return answerOf(this.address("lens-against.json", { source: this.source, with: other }), () => this.isStill(about) && wanted());
  }

  /** @param {readonly LensLayer[]} layers */
  placeOf(layers) {
    return Math.max(0, layers.findIndex(({ layer, call }) => layer === this.look.layer && call === this.look.call));
  }

  /** @param {LensLayer} chosen */
  choose({ layer, call }) {
    this.page.store.dispatch({ type: "layer", layer, call });
  }

  /** @param {LensLayer} chosen */
  openLayer({ layer, call }) {
    this.page.store.dispatch({ type: "layer", layer, call, view: "layer" });
  }

  /** @param {number} channel */
  open(channel) {
    this.page.store.dispatch({ type: "channel", channel, view: "layer" });
  }

  // The look's layer: its place on the curve, and its channels.
  async showLayer() {
    const { found, look, words } = this;
    if (!found) return;
    const asking = `${this.asking} ${look.layer} ${look.call}`;
    if (asking === this.layerAsked) return;
    Object.assign(this, { layerAsked: asking, layerFound: null });
    const place = this.placeOf(found.layers);
    if (found.chance !== null) this.probes.go({ row: 0, column: place }, false);
    this.layerHead.textContent = look.layer;
    this.layerText.textContent = words.lens_loading;
    const facts = await answerOf(this.address("lens-layer.json", { source: this.source }, queryOf(look, ["layer", "call"])), () => this.layerAsked === asking && !this.closed);
    if (!facts) return;
    this.layerRoot.hidden = !facts.channels?.length;
    if (facts.error) return void this.layerText.replaceChildren(...refusal(facts, words));
    if (this.layerRoot.hidden) return void this.layerText.replaceChildren(...withMore(words.lens_unknown, "pictures-folder#why-does-a-layer-have-no-exemplars", words));
    this.layerFound = facts;
    this.drawLayer();
  }

  drawLayer() {
    const { layerFound, found, look, words } = this;
    if (!layerFound || !found) return;
    const known = found.layers.find(({ layer, call }) => layer === look.layer && call === look.call);
    this.layerText.textContent = known ? layerTold(known, words) : words.lens_heat_note;
    this.heat.show(layerFound, found.classes.map(({ name }) => name), look.channel, words, Boolean(onPage()));
  }

  /** @param {string} shade */
  redraw(shade) {
    this.shade = shade;
    if (this.found) this.draw(this.found);
    this.drawLayer();
  }

  /**
   * @template {string} Question
   * @param {Question} question
   * @param {Record<string, string>} [more]
   * @param {string} [query]
   */
  address(question, more = {}, query = "") {
    return addressOf(this.page.data.subject, question, query, new URLSearchParams({ ...more, lang: this.words.language_code }).toString());
  }

  // Key of a question: the subject, the language and the source of the pictures.
  get asking() {
    return `${this.about} ${this.source}`;
  }

  /** @param {string} about */
  isStill(about) {
    return !this.closed && this.asking === about;
  }

  close() {
    this.closed = true;
    clearTimeout(this.polling);
  }
}

/** @type {(found: LensFacts, words: Words) => string} */
function headOf({ pictures, used, classes, unlabelled }, words) {
  const parts = [filled(words.lens_pictures, { count: pictures })];
  if (used < pictures) parts.push(filled(words.lens_used, { count: used }));
  parts.push(classes.length ? filled(words.lens_classes, { count: classes.length }) : words.lens_no_classes);
  if (classes.length && unlabelled) parts.push(filled(words.lens_unlabelled, { count: unlabelled }));
  return parts.join(" ");
}

/** @type {(layer: LensLayer, words: Words) => string} */
function probeTold({ layer, accuracy, low, high }, words) {
  return filled(words.lens_probe, { layer, accuracy: percent(accuracy), low: percent(low), high: percent(high) });
}

/** @type {(layer: LensLayer, words: Words) => string} */
function layerTold(layer, words) {
  const { channels, dead, spare, pictures: count } = layer;
  const counts = filled(spare === null ? words.lens_counts_few : words.lens_counts, { channels, dead, spare, count });
  return layer.accuracy === null ? counts : `${probeTold(layer, words)} ${counts} ${words.lens_heat_note}`;
}
