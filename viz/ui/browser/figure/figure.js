// The figure desk: layers of several models on several pictures, in the width of a paper's column, with caption and
// command. All of it is in the look, so that a link opens it again.

import { downloading } from "../compare/pending.js";
import { button } from "../layer/help.js";
import { named, redraw, selectBox } from "../layer/options.js";
import { CHOICES, FIRST, FORMS } from "../look/fields.js";
import { addressOf, queryOf } from "../maps/addresses.js";
import { element, filled } from "../maps/mosaic.js";
import { refusal, withMore } from "../maps/said.js";
import { answerOf } from "../page/asking.js";
import { costRoot } from "../stage/costs.js";
import { columnOnPage, columnsIn, columnsText, isSameColumn, MOST_COLUMNS, MOST_PICTURES, moved } from "./columns.js";
import { CopiedText } from "./copied_text.js";

/** Fields that the figure depends on. @type {(keyof Look)[]} */
const ASKED = ["figure", "figure_pictures", "figure_over", "figure_photos", "figure_scale", "figure_letters", "figure_width", "reduce", "top", "colormap"];
/** Fields of One picture that a figure leaves out. @type {(keyof Look)[]} */
const LEFT_OUT = ["leaf", "kind", "row", "index", "edit", "training"];
const FILES = ["pdf", "svg", "png"];
const WIDTHS = [88, 180]; // millimetres of one and of two columns in many journals
const MORE = "save-and-share#how-do-i-make-a-figure-of-several-layers-or-models";
const LOADING_MS = 1000; // from one look at a download to the next

/** @typedef {import("./columns.js").Column} Column */
/** @typedef {{before: ?Act, after: ?Act, remove: ?Act}} Acts */
/** @typedef {() => void} Act */

export class FigureDesk {
  about = ""; // what is on screen, or asked for
  drawn = ""; // what the choices were drawn for
  closed = false;

  /** @type {?FigureFacts} */
  found = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  waiting;

  coming = new AbortController(); // of the figure that is asked for: one is drawn at a time

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.look = page.store.get();
    this.root = element("section", "lg-figure");
    this.root.tabIndex = -1;
    this.title = element("h2");
    this.back = button("lg-figure-back", "", () => this.figure.toggle());
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
    this.caption = new CopiedText("p", page);
    this.command = new CopiedText("code", page);
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
    const queries = [queryOf(look, ASKED), this.agreed, `lang=${this.words.language_code}`].filter(Boolean);
    const about = [this.page.data.subject, ...queries, this.page.veiled].join(" ");
    if (about !== this.about) {
      this.about = about;
      this.stop();
      if (look.figure) this.load(queries, about);
      else this.refuse(...withMore(this.words.figure_empty, MORE, this.words));
    }
    this.name(look);
  }

  // The models and layers whose costs the visitor has agreed to, for the server.
  get agreed() {
    const costly = columnsIn(this.look.figure).flatMap(({ model, layer }) => [model, `${model} ${layer}`]);
    const agreed = costly.filter((each) => this.page.costs?.agreed.has(loadOf(each)));
    return agreed.length ? `agreed=${encodeURIComponent([...new Set(agreed)].join())}` : "";
  }

  // Draw what never waits, titles and choices, where something of it has changed: a half-typed width is not lost.
  /** @param {Look} look */
  name(look) {
    const { words, found, page: { data } } = this;
    const shown = ["layer", "call", ...LEFT_OUT].map((name) => look[/** @type {keyof Look} */ (name)]);
    const drawn = JSON.stringify([this.about, shown, data.model, data.address, found?.pictures, found?.offered]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const held = this.root.contains(document.activeElement);
    this.title.textContent = words.view_figure;
    this.back.textContent = words.figure_back;
    this.back.title = words.figure_back_title;
    const columns = columnsIn(look.figure);
    redraw(this.columns, [element("span", "lg-figure-what", words.figure_columns), ...columns.map((column, place) => this.columnChip(column, place, columns)), ...this.adding(look, columns)]);
    redraw(this.pictures, this.pictureParts(look));
    redraw(this.options, this.choices(look));
    if (held && !this.root.contains(document.activeElement)) this.root.focus({ preventScroll: true }); // its button has gone
  }

  /** @type {(column: Column, place: number, all: readonly Column[]) => HTMLElement} */
  columnChip(column, place, all) {
    const call = column.call ? ` · ${filled(this.words.hooks_call, { call: column.call + 1 })}` : "";
    const weights = column.weights === "random" ? ` (${this.words.figure_untrained})` : "";
    const name = `${column.model}${weights} · ${column.layer}${call}`;
    return this.chip(name, columnsText([column]), this.acts(all, place, (columns) => this.chooseColumns(columns)));
  }

  // What can be done with one of several: move it, or remove it.
  /**
   * @template Item
   * @param {readonly Item[]} all
   * @param {number} place
   * @param {(items: readonly Item[]) => void} choose
   * @returns {Acts}
   */
  acts(all, place, choose) {
    return {
      before: place > 0 ? () => choose(moved(all, place, -1)) : null,
      after: place < all.length - 1 ? () => choose(moved(all, place, 1)) : null,
      remove: () => choose(all.filter((_, at) => at !== place)),
    };
  }

  // A name with its buttons. They are known by what they belong to, so that the keys stay with it when it moves.
  /** @type {(name: string, part: string, acts: Acts) => HTMLElement} */
  chip(name, part, { before, after, remove }) {
    const { words } = this;
    /** @type {(act: string, sign: string, said: string, done: ?Act) => HTMLElement[]} */
    const acts = (act, sign, said, done) => {
      if (!done) return [];
      const made = button("lg-figure-act", sign, done);
      made.dataset.part = `${act} ${part}`;
      made.title = said;
      made.setAttribute("aria-label", `${said}: ${name}`);
      return [made];
    };
    const root = element("span", "lg-figure-chip");
    root.append(...acts("before", "←", words.figure_before, before), element("span", "", name), ...acts("after", "→", words.figure_after, after), ...acts("remove", "×", words.figure_remove, remove));
    return root;
  }

  // The layer on screen as another column, and what a figure leaves out of it; or why it cannot be one.
  /** @type {(look: Look, columns: readonly Column[]) => HTMLElement[]} */
  adding(look, columns) {
    const { words, page } = this, column = columnOnPage(page);
    const why = (/** @type {(string | HTMLElement)[]} */ ...parts) => {
      const made = element("span", "lg-figure-why");
      made.append(...parts);
      return [made];
    };
    const more = (/** @type {string} */ text) => columns.length ? withMore(text, MORE, words) : [text]; // else the sentence below has the link
    if (!column) return why(...more(words.figure_own_weights));
    const isPlain = LEFT_OUT.every((name) => look[name] === FIRST[name]) && !("crop" in page.data.address);
    const plain = isPlain ? [] : why(words.figure_plain);
    if (columns.some((each) => isSameColumn(each, column))) return [...why(words.figure_choose_layer), ...plain];
    if (columns.length >= MOST_COLUMNS) return why(...more(filled(words.figure_full, { most: MOST_COLUMNS })));
    const made = button("lg-figure-add", filled(words.figure_add, { layer: `${column.model} · ${column.layer}` }), () => this.chooseColumns([...columns, column]));
    made.dataset.part = "figure-add";
    return [made, ...plain];
  }

  /** @param {readonly Column[]} columns */
  chooseColumns(columns) {
    this.page.store.dispatch({ type: "figure", figure: columnsText(columns) });
  }

  // The pictures in rows, and a box of those that may be one more. One that has no name is there until another is chosen.
  /** @param {Look} look */
  pictureParts(look) {
    const { words, found } = this;
    const said = look.figure_pictures.split(",").filter(Boolean), shown = found?.pictures ?? [], offered = found?.offered ?? [];
    const names = said.length ? said : shown.map(({ name }) => name).filter(Boolean);
    const titles = new Map([...shown, ...offered].map(({ name, label }) => [name, label]));
    const chips = names.map((name, place) => {
      const acts = this.acts(names, place, (chosen) => this.choosePictures(chosen));
      return this.chip(titles.get(name) ?? name, name, names.length > 1 || said.length ? acts : { ...acts, remove: null });
    });
    const nameless = names.length ? [] : shown.map(({ label }) => element("span", "lg-figure-chip", label));
    const others = offered.filter(({ name }) => !names.includes(name));
    const heading = nameless.length ? words.figure_instead : words.figure_another;
    /** @type {(readonly [string, string])[]} */
    const options = [["", "…"], ...others.map(({ name, label }) => /** @type {const} */ ([name, label]))];
    const box = names.length < MOST_PICTURES && others.length ? [named("figure-picture", selectBox(heading, options, "", (name) => { if (name) this.choosePictures([...names, name]); }))] : [];
    return chips.length || nameless.length || box.length ? [element("span", "lg-figure-what", words.figure_pictures), ...chips, ...nameless, ...box] : [];
  }

  /** @param {readonly string[]} names */
  choosePictures(names) {
    this.page.store.dispatch({ type: "figure_pictures", figure_pictures: names.join() });
  }

  /** @param {Look} look */
  choices(look) {
    const { words, page: { store } } = this;
    const offered = CHOICES.reduce.filter((how) => how !== "similar" || look.reduce === how); // a place of one map is none of another
    const formulas = offered.map((how) => /** @type {const} */ ([how, words[`reduced_${how}`]]));
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
    box.onchange = () => this.page.store.dispatch(/** @type {Action} */ (/** @type {unknown} */ ({ type: field, [field]: box.checked })));
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

  /** @type {(queries: readonly string[], about: string) => Promise<void>} */
  async load(queries, about) {
    const { subject, words } = this.page.data;
    const wanted = () => this.about === about && !this.closed;
    this.root.setAttribute("aria-busy", "true");
    const found = await answerOf(addressOf(subject, "figure.json", ...queries), wanted, { signal: this.coming.signal });
    if (!found || !wanted()) return;
    if (!("offered" in found)) return this.refuse(...refusal(found, words));
    this.found = found;
    if (found.loading) this.waiting = setTimeout(() => { if (wanted()) this.load(queries, about); }, LOADING_MS);
    else this.root.removeAttribute("aria-busy");
    this.draw(found, addressOf(subject, "figure.FORM", ...queries));
    this.name(this.look);
  }

  /** @type {(found: FigureFacts, address: string) => void} */
  draw(found, address) {
    const { words } = this;
    this.askFor(found.ask === undefined ? [] : [this.question(found.ask, found.costly ?? [], Boolean(found.may))]);
    this.note.replaceChildren(...(found.loading ? [downloading(found.loading, words)] : refusal(found, words)));
    this.body.hidden = found.picture === undefined;
    if (!this.body.hidden) this.drawSheet(found, address);
  }

  /** @type {(found: FigureFacts, address: string) => void} */
  drawSheet({ picture, caption = "", command }, address) {
    const { words, page: { veiled } } = this;
    this.image.src = `data:image/png;base64,${picture}`;
    this.image.alt = veiled ? words.view_figure : caption;
    this.files.replaceChildren(`${words.download}: `, ...FILES.map((form) => {
      const link = element("a", "", form.toUpperCase());
      Object.assign(link, { href: address.replace("figure.FORM", `figure.${form}`), download: "" });
      return link;
    }));
    this.caption.show(words.figure_caption, veiled ? "" : caption);
    this.command.show(words.figure_command, command || words.figure_no_command, Boolean(command));
  }

  // A question, or none any more: the focus on its button goes to the next one's, or to the desk.
  /** @param {HTMLElement[]} questions */
  askFor(questions) {
    const held = this.ask.contains(document.activeElement);
    this.ask.replaceChildren(...questions);
    if (held) (this.ask.querySelector("button") ?? this.root).focus({ preventScroll: true });
  }

  // The question before models are loaded.
  /** @type {(sentence: string, costly: readonly string[], may: boolean) => HTMLElement} */
  question(sentence, costly, may) {
    const { words, page } = this, root = costRoot(sentence, words);
    const agree = button("", words.cost_go_on, () => {
      for (const each of costly) page.costs?.agreed.add(loadOf(each));
      page.tell();
    });
    agree.dataset.part = "cost_go_on";
    if (may) root.append(agree);
    return root;
  }

  // Show the reason for no figure.
  /** @param {(string | Node)[]} reason */
  refuse(...reason) {
    this.root.removeAttribute("aria-busy");
    this.note.replaceChildren(...reason);
    this.askFor([]);
    this.body.hidden = true;
  }

  // Actions of the keys.
  get keyed() {
    return this;
  }

  // Back to the layer as one picture.
  figure = {
    toggle: () => { this.page.store.dispatch({ type: "view", view: "reduced" }); },
  };

  stop() {
    clearTimeout(this.waiting);
    this.coming.abort();
    this.coming = new AbortController();
  }

  close() {
    this.closed = true;
    this.stop();
  }
}

// As a comparison says it to the costs of the page, which are agreed to once.
/** @param {string} model */
function loadOf(model) {
  return `load of ${model}`;
}
