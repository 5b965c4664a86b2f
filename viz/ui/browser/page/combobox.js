// A box with a list to choose from, that can be searched: the combobox pattern of ARIA 1.2 with a list below it.

import { element } from "../maps/mosaic.js";

const SHOWN = 60; // options that are drawn before the list is scrolled
let numbered = 0;

export class Combobox {
  // `part` names the box for style sheets and tests; `chosen` is told the value of a choice.
  constructor(root, { part, chosen }) {
    numbered += 1;
    Object.assign(this, { root, chosen, options: [], value: null, found: [], at: -1, id: `lg-list-${numbered}` });
    this.label = element("label", "lg-combo-label");
    this.input = element("input", "lg-combo-input");
    this.list = element("ul", "lg-combo-list");
    this.input.dataset.part = part;
    this.label.htmlFor = this.input.id = `${this.id}-box`;
    const told = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": this.id, autocomplete: "off", spellcheck: "false" };
    for (const [name, value] of Object.entries(told)) this.input.setAttribute(name, value);
    Object.assign(this.list, { id: this.id, hidden: true });
    this.list.setAttribute("role", "listbox");
    const place = element("div", "lg-combo");
    place.append(this.input, this.list);
    root.append(this.label, place);
    this.input.addEventListener("input", () => this.search());
    this.input.addEventListener("keydown", (event) => this.pressed(event));
    this.input.addEventListener("focus", () => this.input.select());
    this.input.addEventListener("click", () => this.open());
    this.input.addEventListener("blur", () => this.close());
    this.list.addEventListener("mousedown", (event) => event.preventDefault()); // the box keeps the focus
    this.list.addEventListener("click", (event) => this.clicked(event));
    this.list.addEventListener("scroll", () => this.drawMore());
  }

  // Takes the options [{ value, label, about }], the value on screen, and the words for people.
  show(options, value, { label, none, labelled = true }) {
    const other = options !== this.options;
    Object.assign(this, { options, value, none });
    this.label.textContent = label;
    this.label.hidden = !labelled;
    this.input.setAttribute("aria-label", label);
    this.list.setAttribute("aria-label", label);
    if (this.isOpen && other) this.search();
    else if (!this.isOpen) this.input.value = this.textOf(value);
  }

  textOf(value) {
    return this.options.find((option) => option.value === value)?.label ?? "";
  }

  get isOpen() {
    return !this.list.hidden;
  }

  // Show every option, the one on screen in view.
  open() {
    if (this.isOpen) return;
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.draw(this.options, this.options.findIndex((option) => option.value === this.value));
  }

  close() {
    this.list.hidden = true;
    this.list.replaceChildren();
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.value = this.textOf(this.value);
  }

  search() {
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    const found = searched(this.options, this.input.value);
    this.draw(found, found.length ? 0 : -1);
  }

  draw(found, at) {
    Object.assign(this, { found, at });
    this.list.replaceChildren();
    this.list.scrollTop = 0;
    if (!found.length) this.list.append(element("li", "lg-combo-none", this.none));
    this.drawTo(Math.max(SHOWN, at + SHOWN));
    this.mark(at);
  }

  drawMore() {
    const { scrollTop, clientHeight, scrollHeight } = this.list;
    if (scrollTop + 2 * clientHeight > scrollHeight) this.drawTo(this.list.childElementCount + SHOWN);
  }

  drawTo(count) {
    const from = this.found.length ? this.list.childElementCount : 0;
    this.list.append(...this.found.slice(from, count).map((option, n) => this.item(option, from + n)));
  }

  item({ value, label, about }, place) {
    const item = element("li", "lg-combo-option", label);
    item.id = `${this.id}-${place}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(value === this.value));
    item.setAttribute("aria-label", about ? `${label}, ${about}` : label);
    if (about) item.append(element("small", "", about));
    return item;
  }

  mark(at) {
    this.list.querySelector(".lg-active")?.classList.remove("lg-active");
    this.at = at;
    if (at >= this.list.childElementCount) this.drawTo(at + SHOWN);
    const item = this.found.length ? this.list.children[at] : null;
    if (!item) return this.input.removeAttribute("aria-activedescendant");
    item.classList.add("lg-active");
    this.input.setAttribute("aria-activedescendant", item.id);
    const above = item.offsetTop - this.list.scrollTop;
    if (above < 0) this.list.scrollTop = item.offsetTop;
    else if (above + item.offsetHeight > this.list.clientHeight) this.list.scrollTop = item.offsetTop + item.offsetHeight - this.list.clientHeight;
    return undefined;
  }

  move(by) {
    if (!this.isOpen) return this.open();
    const last = this.found.length - 1;
    return this.mark(Math.max(0, Math.min(last, this.at + by)));
  }

  pressed(event) {
    const act = KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    if (act(this) !== false) event.preventDefault();
  }

  clicked(event) {
    const item = event.target.closest("[role=option]");
    if (item) this.choose([...this.list.children].indexOf(item));
  }

  choose(at) {
    const option = this.found[at];
    if (!option) return;
    this.value = option.value;
    this.close();
    this.input.select();
    this.chosen(option.value);
  }
}

// The options that have every part of a text, those whose label begins with it or has it first.
export function searched(options, text) {
  const wanted = text.trim().toLowerCase();
  const parts = wanted.split(/\s+/).filter(Boolean);
  const found = options.filter(({ label, about = "" }) => parts.every((part) => `${label} ${about}`.toLowerCase().includes(part)));
  const rank = ({ label }) => [label.toLowerCase() === wanted, label.toLowerCase().startsWith(wanted), parts.every((part) => label.toLowerCase().includes(part))].indexOf(true);
  const ranked = found.map((option) => [rank(option) < 0 ? 3 : rank(option), option]);
  return ranked.sort(([one], [other]) => one - other).map(([, option]) => option);
}

// What a key does; false leaves it to the browser.
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
