// Similarity of layers: within this model, or to another model on the same pictures.

import { selectBox } from "../layer/options.js";
import { element, filled } from "../maps/mosaic.js";
import { paragraph, refusal, withMore } from "../maps/said.js";
import { paint, Picker } from "./picker.js";
import { isByChance, isTooSmall } from "./sample.js";
import { shareShade } from "./shades.js";

/** @typedef {import("./picker.js").Cell} Cell */

/**
 * A matrix of similarities, for a picker.
 * @typedef {Object} Matrix
 * @property {LensFacts["similarity"]} similarity
 * @property {?LensSample} sample - the pictures that it is of
 * @property {number} columns
 * @property {string} label
 * @property {string} note
 * @property {(cell: Cell) => string} told
 * @property {(cell: Cell) => readonly LensLayer[]} layers - of this model, that a cell is about
 * @property {Cell} cell - which one is marked first
 */

/**
 * The owner of the pairs, who has the numbers and acts on choices.
 * @typedef {Object} Owner
 * @property {(other: string, wanted: () => boolean) => Promise<?LensAgainstFacts>} ask - of another model, by its name
 * @property {(other: string) => void} set - beside this one
 * @property {(layer: LensLayer) => void} choose
 * @property {(layer: LensLayer) => void} open
 */

const MORE = "pictures-folder#how-do-i-compare-the-layers-of-two-models";

export class Pairs {
  /** @type {?LensFacts} */
  found = null;

  other = ""; // another model's name; none for this one itself
  offered = "";
  dark = false;
  place = 0; // of the look's layer

  /** @type {?LensAgainstFacts} */
  against = null;

  /**
   * @param {Owner} owner
   * @param {() => Words} words
   */
  constructor(owner, words) {
    this.owner = owner;
    this.words = words;
    this.root = element("section", "lg-lens-pairs");
    this.head = element("h2");
    this.choice = element("div", "lg-lens-choice");
    this.canvas = element("canvas");
    this.picker = new Picker(this.canvas);
    this.picker.root.dataset.part = "lens-pairs";
    this.text = element("p", "lg-lens-told");
    this.note = element("p", "lg-lens-note");
    this.root.append(this.head, this.choice, this.picker.root, this.text, this.note);
  }

  /** @type {(found: LensFacts, against: string, place: number, dark: boolean) => void} */
  show(found, against, place, dark) {
    const other = found.others.some(({ name }) => name === against) ? against : "";
    const another = found !== this.found || other !== this.other;
    Object.assign(this, { found, other, place, dark });
    this.root.hidden = !found.similarity.length;
    if (this.root.hidden) return;
    this.head.textContent = this.words().lens_pairs;
    this.offer(found.others);
    if (another) this.compare();
    else this.draw();
  }

  // The other models; drawn again only where they are others, so that the box stays where it is.
  /** @param {LensFacts["others"]} others */
  offer(others) {
    const words = this.words();
    const offered = JSON.stringify([words.language_code, others]), box = this.choice.querySelector("select");
    if (offered === this.offered) return void (box && (box.value = this.other));
    this.offered = offered;
    if (!others.length) return void this.choice.replaceChildren(paragraph(withMore(words.lens_pairs_alone, MORE, words), "lg-lens-note"));
    const options = [/** @type {const} */ (["", words.lens_pairs_itself]), ...others.map(({ name, title }) => /** @type {const} */ ([name, title]))];
    this.choice.replaceChildren(selectBox(words.lens_pairs_with, options, this.other, this.owner.set));
  }

  async compare() {
    const { other, found } = this;
    this.against = null;
    if (other) {
      this.say(this.words().lens_loading);
      const against = await this.owner.ask(other, () => this.other === other && this.found === found);
      if (!against) return;
      if (against.error) return this.say(...refusal(against, this.words()));
      this.against = against;
    }
    this.draw();
  }

  // A sentence in place of the matrix.
  /** @param {(string | HTMLElement)[]} parts */
  say(...parts) {
    this.picker.root.hidden = true;
    this.text.replaceChildren(...parts);
    this.note.textContent = "";
  }

  draw() {
    const { found, dark } = this;
    const matrix = found && this.matrix(found);
    if (!matrix) return;
    const { similarity, sample, columns, label, told, layers, cell } = matrix;
    const words = this.words();
    if (isTooSmall(sample)) {
      const few = filled(words.lens_pairs_few, { count: sample.pictures, needed: sample.needed });
      return this.say(...found.others.length ? withMore(few, MORE, words) : [few]); // else the sentence above has the link
    }
    paint(this.canvas, similarity.map((row) => row.map((value) => shareShade(isByChance(value, sample) ? 0 : value, dark))).reverse());
    this.picker.root.hidden = false;
    this.text.textContent = "";
    this.note.textContent = matrix.note;
    this.picker.show({
      label, rows: similarity.length, columns, upwards: true, told,
      chosen: (chosen) => this.tell(told(chosen), layers(chosen)),
      opened: (chosen) => this.owner.open(layers(chosen).slice(-1)[0]),
    }, cell);
  }

  /** @type {(told: string, layers: readonly LensLayer[]) => void} */
  tell(told, layers) {
    this.text.replaceChildren(`${told} `, ...[...new Set(layers)].map((layer) => {
      const button = element("button", "lg-lens-go", layer.layer);
      button.type = "button";
      button.onclick = () => this.owner.choose(layer);
      return button;
    }));
  }

  // The one to draw; null while another model's numbers are on their way, or cannot be had.
  /** @type {(found: LensFacts) => ?Matrix} */
  matrix(found) {
    const { against, place } = this;
    if (this.other) return against && ofTwo(found, against, this.title(found), place, this.words());
    return ofOne(found, place, this.words());
  }

  /** @param {LensFacts} found */
  title({ others }) {
    return others.find(({ name }) => name === this.other)?.title ?? "";
  }
}

/** @type {(found: LensFacts, place: number, words: Words) => Matrix} */
function ofOne({ layers, similarity, sample }, place, words) {
  return {
    similarity, sample, columns: layers.length, label: words.lens_pairs, note: `${sampleSaid(sample, words)} ${words.lens_pairs_note}`,
    told: ({ row, column }) => {
      const cka = similarity[row][column];
      return filled(isByChance(cka, sample) ? words.lens_pair_chance : words.lens_pair, { one: layers[row].layer, other: layers[column].layer, cka: ckaSaid(cka) });
    },
    layers: ({ row, column }) => [layers[row], layers[column]],
    cell: { row: place, column: place },
  };
}

/** @type {(found: LensFacts, against: LensAgainstFacts, other: string, place: number, words: Words) => Matrix} */
function ofTwo({ layers }, { layers: others, similarity, pictures, used, sample }, other, place, words) {
  const parts = [filled(words.lens_against_pictures, { count: pictures })];
  if (used < pictures) parts.push(filled(words.lens_used, { count: used }));
  parts.push(sampleSaid(sample, words), filled(words.lens_against_note, { other }));
  return {
    similarity, sample, columns: others.length, label: filled(words.lens_against, { other }), note: parts.join(" "),
    told: ({ row, column }) => {
      const cka = similarity[row][column];
      return filled(isByChance(cka, sample) ? words.lens_against_chance : words.lens_against_pair, { one: layers[row].layer, layer: others[column].layer, other, cka: ckaSaid(cka) });
    },
    layers: ({ row }) => [layers[row]],
    cell: { row: place, column: mostAlike(similarity[place]) },
  };
}

/** @type {(sample: ?LensSample, words: Words) => string} */
function sampleSaid(sample, words) {
  return sample ? filled(words.lens_pairs_sample, { count: sample.pictures, chance: sample.chance.toFixed(2) }) : "";
}

/** @param {readonly Found[]} row */
function mostAlike(row) {
  const values = row.map((value) => value ?? -1);
  return values.indexOf(Math.max(...values));
}

/** @param {Found} value */
function ckaSaid(value) {
  return value === null ? "–" : value.toFixed(2).replace("-", "−");
}
