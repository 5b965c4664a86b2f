// A searchable select box: the combobox pattern of ARIA 1.2 with a list below it.

import { closestTo, element, filled } from "../maps/mosaic.js";
import { pieces, searched } from "./search.js";

const SHOWN = 60; // options that are drawn before the list is scrolled
let numbered = 0;

/**
 * @template Value
 * @typedef {{value: Value, label: string, about?: string, swatch?: string}} Choice - a swatch is a background that shows what it is
 */

/**
 * Check whether two lists of options look alike, so that an open one need not be drawn anew under the pointer.
 * @type {(one: readonly Choice<unknown>[], other: readonly Choice<unknown>[]) => boolean}
 */
export function isSameList(one, other) {
  const keys = /** @type {const} */ (["value", "label", "about", "swatch"]);
  return one === other || (one.length === other.length && one.every((each, n) => keys.every((key) => each[key] === other[n][key])));
}

/** @template Value */
export class Combobox {
  /** @type {readonly Choice<Value>[]} */
  options = [];

  /** @type {readonly Choice<Value>[]} */
  found = []; // those in the list

  /** @type {Value | undefined} */
  value;

  at = -1; // the place in the list that the keys have reached
  query = ""; // what is searched for
  /** @type {{found: string, none: string}} */
  told = { found: "", none: "" };

  id = `lg-list-${numbered += 1}`;

  /**
   * `part` names the box for style sheets and tests; `chosen` is told the value of a choice, `marked` that of
   * each option that the pointer or the keyboard comes to.
   * @param {HTMLElement} root
   * @param {{part: string, chosen: (value: Value) => void, marked?: (value: Value) => void}} how
   */
  constructor(root, { part, chosen, marked = () => {} }) {
    this.chosen = chosen;
    this.marked = marked;
    this.label = element("label", "lg-combo-label");
    this.input = element("input", "lg-combo-input");
    this.list = element("ul", "lg-combo-list");
    this.count = element("p", "lg-combo-count");
    this.count.setAttribute("role", "status");
    this.input.dataset.part = part;
    this.label.htmlFor = this.input.id = `${this.id}-box`;
    const told = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.id, autocomplete: "off", spellcheck: "false" };
    for (const [name, value] of Object.entries(told)) this.input.setAttribute(name, value);
    Object.assign(this.list, { id: this.id, hidden: true });
    this.list.setAttribute("role", "listbox");
    const place = element("div", "lg-combo");
    const under = element("div", "lg-combo-under");
    under.append(this.count, this.list);
    this.swatch = element("span", "lg-swatch");
    place.append(this.swatch, this.input, under);
    root.append(this.label, place);
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("keydown", (event) => this.pressed(event));
    this.input.addEventListener("focus", () => this.chooseText());
    this.input.addEventListener("click", () => this.clickedIn());
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("pointerover", (event) => this.come(event));
    this.list.addEventListener("scroll", () => this.drawMore());
  }

  // Takes the options, the value on screen, and the words for people.
  /** @type {(options: readonly Choice<Value>[], value: Value, said: {label: string, words: Words, hint?: string, labelled?: boolean}) => void} */
  show(options, value, { label, words, hint = "", labelled = true }) {
    const other = !isSameList(options, this.options);
    Object.assign(this, { options, value, told: { found: words.found_of, none: words.nothing_found } });
    this.input.placeholder = hint;
    this.label.textContent = label;
    this.label.hidden = !labelled;
    this.input.setAttribute("aria-label", label);
    this.list.setAttribute("aria-label", label);
    if (this.isOpen && other) this.drawAgain();
    else if (!this.isOpen) this.input.value = this.textOf(value);
    const swatch = options.find((option) => option.value === value)?.swatch ?? "";
    this.swatch.hidden = !swatch;
    this.swatch.style.background = swatch;
  }

  /** @param {Value | undefined} value */
  textOf(value) {
    return this.options.find((option) => option.value === value)?.label ?? "";
  }

  get isOpen() {
    return !this.list.hidden;
  }

  // What is typed next takes the place of the name.
  chooseText() {
    this.input.setSelectionRange(0, this.input.value.length); // on a phone, Safari knows no other way
  }

  clickedIn() {
    const { selectionStart, selectionEnd } = this.input;
    if (!this.isOpen && selectionStart === selectionEnd) this.chooseText(); // Safari puts a caret there, after the focus
    this.open();
  }

  // Show every option, the one on screen in view.
  open() {
    if (this.isOpen) return;
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.query = "";
    this.drawAll();
  }

  drawAll() {
    this.draw(this.options, this.options.findIndex((option) => option.value === this.value));
  }

  // Other options have come; where nothing was searched for, all of them are shown.
  drawAgain() {
    if (this.query) this.search();
    else this.drawAll();
  }

  close() {
    this.list.hidden = true;
    this.list.replaceChildren();
    this.count.textContent = "";
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.value = this.textOf(this.value);
  }

  search() {
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.query = this.input.value;
    const found = searched(this.options, this.query);
    this.draw(found, found.length ? 0 : -1);
    const { told, options } = this;
    this.count.textContent = found.length ? filled(told.found, { count: found.length, total: options.length }) : told.none;
  }

  /** @type {(found: readonly Choice<Value>[], at: number) => void} */
  draw(found, at) {
    Object.assign(this, { found, at });
    this.list.replaceChildren();
    this.list.scrollTop = 0;
    this.drawTo(Math.max(SHOWN, at + SHOWN));
    this.mark(at);
  }

  drawMore() {
    const { scrollTop, clientHeight, scrollHeight } = this.list;
    if (scrollTop + 2 * clientHeight > scrollHeight) this.drawTo(this.list.childElementCount + SHOWN);
  }

  /** @param {number} count */
  drawTo(count) {
    const from = this.list.childElementCount;
    this.list.append(...this.found.slice(from, count).map((option, n) => this.item(option, from + n)));
  }

  /** @type {(option: Choice<Value>, place: number) => HTMLElement} */
  item({ value, label, about, swatch }, place) {
    const item = element("li", "lg-combo-option");
    const name = element("span");
    name.append(...this.hits(label));
    item.append(name);
    item.id = `${this.id}-${place}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(value === this.value));
    item.setAttribute("aria-label", about ? `${label}, ${about}` : label);
    if (about) {
      const small = element("small");
      small.append(...this.hits(about));
      item.append(small);
    }
    if (swatch) {
      const shown = element("span", "lg-swatch");
      shown.style.background = swatch;
      item.prepend(shown);
    }
    return item;
  }

  // A text with the matches marked in it.
  /** @param {string} text */
  hits(text) {
    return pieces(text, this.query).map((piece, at) => (at % 2 ? element("mark", "", piece) : document.createTextNode(piece)));
  }

  /** @param {number} at */
  mark(at) {
    this.list.querySelector(".lg-active")?.classList.remove("lg-active");
    this.at = at;
    if (at >= this.list.childElementCount) this.drawTo(at + SHOWN);
    const item = this.list.children[at];
    if (!(item instanceof HTMLElement)) return this.input.removeAttribute("aria-activedescendant");
    item.classList.add("lg-active");
    this.marked(this.found[at].value);
    this.input.setAttribute("aria-activedescendant", item.id);
    const above = item.offsetTop - this.list.scrollTop;
    if (above < 0) this.list.scrollTop = item.offsetTop;
    else if (above + item.offsetHeight > this.list.clientHeight) this.list.scrollTop = item.offsetTop + item.offsetHeight - this.list.clientHeight;
  }

  /** @param {number} by */
  move(by) {
    if (!this.isOpen) return this.open();
    const last = this.found.length - 1;
    return this.mark(Math.max(0, Math.min(last, this.at + by)));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const act = KEYS[event.key];
    if (!act || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return; // an input method has keys of its own
    if (act(this) !== false) event.preventDefault();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const at = this.under(event);
    if (at >= 0) this.choose(at);
  }

  /** @param {PointerEvent} event */
  come(event) {
    const at = this.under(event);
    if (at >= 0) this.marked(this.found[at].value);
  }

  // The place of the option that an event is about; −1 if there is none.
  /** @param {Event} event */
  under(event) {
    const item = closestTo(event, "[role=option]");
    return item ? [...this.list.children].indexOf(item) : -1;
  }

  /** @param {number} at */
  choose(at) {
    const option = this.found[at];
    if (!option) return;
    this.value = option.value;
    this.close();
    this.chosen(option.value);
  }
}

// Actions of keys; false leaves the key to the browser.
/** @type {Readonly<Record<string, (box: Pick<Combobox<unknown>, "isOpen" | "at" | "move" | "choose" | "open" | "close">) => void | boolean>>} */
const KEYS = {
  ArrowDown: (box) => box.move(1),
  ArrowUp: (box) => box.move(-1),
  PageDown: (box) => box.move(10),
  PageUp: (box) => box.move(-10),
  Home: (box) => (box.isOpen ? box.move(-Infinity) : false),
  End: (box) => (box.isOpen ? box.move(Infinity) : false),
  Enter: (box) => (box.isOpen ? box.choose(box.at) : box.open()),
  Escape: (box) => (box.isOpen ? box.close() : false),
  Tab: () => false,
};
