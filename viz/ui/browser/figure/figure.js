// The figure desk: layers of several models on several pictures, in the width of a paper's column, with caption and
// command. All of it is in the look, so that a link opens it again.

import { button } from "../layer/help.js";
import { toClipboard } from "../layer/copying.js";
import { named, redraw, selectBox } from "../layer/options.js";
import { CHOICES, FORMS } from "../look/fields.js";
import { addressOf, queryOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refusal } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { columnsIn, columnsText, isSameColumn, MOST_COLUMNS, MOST_PICTURES, moved } from "./columns.js";

/** Fields that the figure depends on. @type {(keyof Look)[]} */
const ASKED = ["figure", "figure_pictures", "figure_over", "figure_photos", "figure_scale", "figure_letters", "figure_width", "reduce", "top", "colormap"];
const FILES = ["pdf", "svg", "png"];
const WIDTHS = [88, 180]; // millimetres of one and of two columns in many journals
const CONFIRMED_MS = 2500;
const FORMULAS = CHOICES.reduce.filter((how) => how !== "similar"); // a place of one map is none of another

/** @typedef {import("./columns.js").Column} Column */

export class FigureDesk {
  about = ""; // what is on screen, or asked for
  closed = false;

  /** @type {?FigureFacts} */
  found = null;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.look = page.store.get();
    this.root = element("section", "lg-figure");
    this.title = element("h2");
    this.back = button("lg-figure-back", "", () => this.reduced.toggle());
    const head = element("header", "lg-figure-head");
    head.append(this.title, this.back);
    this.columns = element("div", "lg-figure-row");
    this.pictures = element("div", "lg-figure-row");
    this.options = element("div", "lg-options lg-figure-options");
    this.note = element("p", "lg-figure-note");
    this.note.setAttribute("role", "status");
    this.ask = element("div");
    this.body = element("div", "lg-figure-body");
    this.image = element("img", "lg-figure-sheet");
    this.files = element("p", "lg-figure-files");
    this.caption = new CopiedText("caption", page);
    this.command = new CopiedText("command", page);
    this.body.append(this.image, this.files, this.caption.root, this.command.root);
    this.body.hidden = true;
    this.root.append(head, this.columns, this.pictures, this.options, this.note, this.ask, this.body);
    root.append(this.root);
  }

  get words() {
    return this.page.data.words;
  }

  /** @param {Look} look */
  show(look) {
    this.look = look;
    this.root.dataset.subject = this.page.data.subject;
    this.name(look);
    const query = queryOf(look, ASKED), agreed = this.isAgreed ? "agreed=1" : "";
    const about = [this.page.data.subject, query, agreed, this.words.language_code, this.page.veiled].join(" ");
    if (about === this.about) return;
    this.about = about;
    if (look.figure) this.load([query, agreed], about);
    else this.refuse(this.words.figure_empty);
  }

  // Draw what never waits: titles, and the choices.
  /** @param {Look} look */
  name(look) {
    const { words } = this;
    this.title.textContent = words.view_figure;
    this.back.textContent = words.figure_back;
    redraw(this.columns, [element("span", "lg-figure-what", words.figure_columns), ...columnsIn(look.figure).map((column, place, all) => this.columnChip(column, place, all)), this.addButton(look)]);
    this.drawPictures(look);
    redraw(this.options, this.choices(look));
  }

  /** @type {(column: Column, place: number, all: readonly Column[]) => HTMLElement} */
  columnChip(column, place, all) {
    const call = column.call ? ` · ${filled(this.words.hooks_call, { call: column.call + 1 })}` : "";
    const weights = column.weights === "random" ? ` (${this.words.figure_untrained})` : "";
    const name = `${column.model}${weights} · ${column.layer}${call}`;
    return this.chip(name, `column-${place}`, {
      before: place > 0 ? () => this.chooseColumns(moved(all, place, -1)) : null,
      after: place < all.length - 1 ? () => this.chooseColumns(moved(all, place, 1)) : null,
      remove: () => this.chooseColumns(all.filter((_, at) => at !== place)),
    });
  }

  // A name with its buttons: one place on or back, and away.
  /** @type {(name: string, part: string, acts: {before: ?() => void, after: ?() => void, remove: ?() => void}) => HTMLElement} */
  chip(name, part, { before, after, remove }) {
    const { words } = this;
    /** @type {(act: string, sign: string, said: string, done: ?() => void) => HTMLElement[]} */
    const acts = (act, sign, said, done) => {
      if (!done) return [];
      const made = button("lg-figure-act", sign, done);
      made.dataset.part = `${part}-${act}`;
      made.title = said;
      made.setAttribute("aria-label", `${said}: ${name}`);
      return [made];
    };
    const root = element("span", "lg-figure-chip");
    root.append(...acts("before", "←", words.figure_before, before), element("span", "", name), ...acts("after", "→", words.figure_after, after), ...acts("remove", "×", words.figure_remove, remove));
    return root;
  }

  // The layer on screen as another column; why not, where it cannot be one.
  /** @param {Look} look */
  addButton(look) {
    const { words, page: { data } } = this;
    const columns = columnsIn(look.figure), column = columnOnPage(this.page);
    if (!column) return element("span", "lg-figure-why", words.figure_own_weights);
    if (columns.some((each) => isSameColumn(each, column))) return element("span", "lg-figure-why", words.figure_choose_layer);
    if (columns.length >= MOST_COLUMNS) return element("span", "lg-figure-why", filled(words.figure_full, { most: MOST_COLUMNS }));
    const made = button("lg-figure-add", filled(words.figure_add, { layer: `${data.model} · ${column.layer}` }), () => this.chooseColumns([...columns, column]));
    made.dataset.part = "figure-add";
    return made;
  }

  /** @param {readonly Column[]} columns */
  chooseColumns(columns) {
    this.page.store.dispatch({ type: "figure", figure: columnsText(columns) });
  }

  // The pictures in rows, and a box of those that may be one more.
  /** @param {Look} look */
  drawPictures(look) {
    const { words, found } = this;
    if (!found) return redraw(this.pictures, []);
    const said = look.figure_pictures.split(",").filter(Boolean);
    const names = said.length ? said : found.pictures.map(({ name }) => name).filter(Boolean);
    const title = (/** @type {string} */ name) => [...found.pictures, ...found.offered].find((each) => each.name === name)?.title ?? name;
    const chips = names.map((name, place) => this.chip(title(name), `picture-${place}`, {
      before: place > 0 ? () => this.choosePictures(moved(names, place, -1)) : null,
      after: place < names.length - 1 ? () => this.choosePictures(moved(names, place, 1)) : null,
      remove: names.length > 1 ? () => this.choosePictures(names.filter((_, at) => at !== place)) : null,
    }));
    const nameless = names.length ? [] : found.pictures.map((each) => element("span", "lg-figure-chip", each.title));
    const others = found.offered.filter(({ name }) => !names.includes(name));
    const box = names.length >= MOST_PICTURES ? [] : [named("figure-picture", selectBox(words.figure_another, [["", "…"], ...others.map((each) => /** @type {const} */ ([each.name, each.title]))], "", (name) => { if (name) this.choosePictures([...names, name]); }))];
    return redraw(this.pictures, [element("span", "lg-figure-what", words.figure_pictures), ...chips, ...nameless, ...box]);
  }

  /** @param {readonly string[]} names */
  choosePictures(names) {
    this.page.store.dispatch({ type: "figure_pictures", figure_pictures: names.join() });
  }

  /** @param {Look} look */
  choices(look) {
    const { words, page: { store } } = this;
    const formulas = FORMULAS.map((how) => /** @type {const} */ ([how, words[`reduced_${how}`]]));
    const scales = CHOICES.figure_scale.map((scale) => /** @type {const} */ ([scale, words[`figure_scale_${scale}`]]));
    const formula = selectBox(words.reduced_how, formulas, look.reduce, (reduce) => store.dispatch({ type: "reduce", reduce }));
    return [
      named("figure-reduce", formula),
      ...(look.reduce === "pca" ? [] : [named("figure-scale", selectBox(words.figure_scale, scales, look.figure_scale, (scale) => store.dispatch({ type: "figure_scale", figure_scale: scale })))]),
      this.check("figure_photos", words.figure_photos),
      this.check("figure_over", words.figure_over),
      this.check("figure_letters", words.figure_letters),
      this.widthBox(look),
    ];
  }

  /** @type {(field: "figure_photos" | "figure_over" | "figure_letters", label: string) => HTMLElement} */
  check(field, label) {
    const root = element("label", "lg-option"), box = element("input");
    Object.assign(box, { type: "checkbox", checked: this.look[field] });
    box.onchange = () => this.page.store.dispatch(/** @type {Action} */ ({ type: field, [field]: box.checked }));
    root.append(box, label);
    return named(field, root);
  }

  /** @param {Look} look */
  widthBox(look) {
    const { words } = this;
    const root = element("label", "lg-option", words.figure_width), box = element("input"), usual = element("datalist");
    usual.id = "lg-figure-widths";
    usual.append(...WIDTHS.map((width) => new Option("", String(width))));
    Object.assign(box, { type: "number", min: 30, max: FORMS.figure_width.most, value: look.figure_width, title: words.figure_width_title });
    box.setAttribute("list", usual.id);
    box.onchange = () => { if (box.checkValidity() && box.value) this.page.store.dispatch({ type: "figure_width", figure_width: Math.round(Number(box.value)) }); };
    root.append(box, usual);
    return named("figure-width", root);
  }

  get isAgreed() {
    return Boolean(this.page.costs?.agreed.has(`figure of ${this.look.figure}`));
  }

  /** @type {(queries: string[], about: string) => Promise<void>} */
  async load(queries, about) {
    const { subject, words } = this.page.data;
    const wanted = () => this.about === about && !this.closed;
    const spoken = [...queries, `lang=${words.language_code}`];
    this.root.setAttribute("aria-busy", "true");
    const found = await answerOf(addressOf(subject, "figure.json", ...spoken), wanted);
    if (!found || !wanted()) return;
    this.root.removeAttribute("aria-busy");
    if (!("offered" in found)) return this.refuse(...refusal(found, words));
    this.found = found;
    this.drawPictures(this.look);
    this.draw(found, addressOf(subject, "figure.FORM", ...spoken));
  }

  /** @type {(found: FigureFacts, address: string) => void} */
  draw(found, address) {
    const { words, page: { veiled } } = this;
    this.ask.replaceChildren(...(found.ask === undefined ? [] : this.question(found.ask, Boolean(found.may))));
    this.note.textContent = "";
    this.body.hidden = found.picture === undefined;
    if (this.body.hidden) return;
    this.image.src = `data:image/png;base64,${found.picture}`;
    this.image.alt = veiled ? words.view_figure : found.caption ?? "";
    this.files.replaceChildren(`${words.download}: `, ...FILES.map((form) => {
      const link = element("a", "", form.toUpperCase());
      Object.assign(link, { href: address.replace("figure.FORM", `figure.${form}`), download: "" });
      return link;
    }));
    this.caption.show(words.figure_caption, veiled ? "" : found.caption ?? "");
    this.command.show(words.figure_command, found.command || words.figure_no_command, Boolean(found.command));
  }

  // The question before models are loaded.
  /** @type {(sentence: string, may: boolean) => HTMLElement[]} */
  question(sentence, may) {
    const root = element("div", "lg-cost"), { words, page } = this;
    root.setAttribute("role", "alert");
    root.append(element("p", "", sentence));
    const agree = button("", words.cost_go_on, () => {
      page.costs?.agreed.add(`figure of ${this.look.figure}`);
      page.tell();
    });
    agree.dataset.part = "cost_go_on";
    if (may) root.append(agree);
    return [root];
  }

  // Show the reason for no figure.
  /** @param {(string | Node)[]} reason */
  refuse(...reason) {
    this.root.removeAttribute("aria-busy");
    this.note.replaceChildren(...reason);
    this.ask.replaceChildren();
    this.body.hidden = true;
  }

  // Actions of the keys.
  get keyed() {
    return this;
  }

  // Back to the layer as one picture.
  reduced = {
    toggle: () => { this.page.store.dispatch({ type: "view", view: "reduced" }); },
  };

  close() {
    this.closed = true;
  }
}

// A text that can be copied.
class CopiedText {
  text = "";

  /**
   * @param {string} name
   * @param {StagePage} page
   */
  constructor(name, page) {
    this.page = page;
    this.root = element("section", `lg-figure-text lg-figure-${name}`);
    this.head = element("h3");
    this.copy = button("lg-figure-copy", "", () => this.toClipboard());
    this.copy.dataset.part = `copy-${name}`;
    this.said = element("p");
    this.root.append(this.head, this.said, this.copy);
  }

  /** @type {(head: string, text: string, copied?: boolean) => void} */
  show(head, text, copied = true) {
    const { words } = this.page.data;
    this.text = text;
    this.root.hidden = !text;
    this.head.textContent = head;
    this.said.textContent = text;
    this.copy.textContent = words.figure_copy;
    this.copy.hidden = !copied;
    this.copy.setAttribute("aria-label", `${words.figure_copy}: ${head}`);
  }

  async toClipboard() {
    const { words } = this.page.data;
    this.copy.textContent = (await toClipboard(this.text)) ? words.copied : words.copy_failed;
    setTimeout(() => { this.copy.textContent = words.figure_copy; }, CONFIRMED_MS);
  }
}

/**
 * The layer on screen as a column of a figure; null with own weights, which no address names.
 * @param {StagePage} page
 * @returns {?Column}
 */
export function columnOnPage({ data, store }) {
  const { weights } = data.address, { layer, call } = store.get();
  return weights === "pretrained" || weights === "random" ? { model: data.model, weights, layer, call } : null;
}

/**
 * The look at a figure with the layer on screen as its last column, if there is room for one more.
 * @param {StagePage} page
 * @returns {Look}
 */
export function withColumn(page) {
  const look = page.store.get(), columns = columnsIn(look.figure), column = columnOnPage(page);
  const fits = column && columns.length < MOST_COLUMNS && !columns.some((each) => isSameColumn(each, column));
  return Object.freeze({ ...look, view: "figure", figure: fits ? columnsText([...columns, column]) : look.figure });
}
