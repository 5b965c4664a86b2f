// As much of a page as the shelf of lessons needs: elements in elements, found by tag, class or name.

class Plain extends EventTarget {
  children = [];
  parent = null;
  dataset = {};
  className = "";
  #text = "";

  constructor(tag) {
    super();
    this.tag = tag;
    if (["input", "textarea"].includes(tag)) this.value = "";
  }

  get textContent() { return [this.#text, ...this.children.map((each) => each.textContent)].join(""); }

  set textContent(text) {
    this.children = [];
    this.#text = String(text);
  }

  get lastElementChild() { return this.children.at(-1) ?? null; }

  append(...added) { added.forEach((each) => this.#put(this.children.length, each)); }

  prepend(...added) { added.reverse().forEach((each) => this.#put(0, each)); }

  #put(place, added) {
    const made = added instanceof Plain ? added : Object.assign(new Plain("#text"), { textContent: added });
    made.remove();
    made.parent = this;
    this.children.splice(place, 0, made);
  }

  replaceChildren(...added) {
    this.textContent = "";
    this.append(...added);
  }

  replaceWith(other) {
    const { parent } = this, place = parent.children.indexOf(this);
    this.remove();
    parent.#put(place, other);
  }

  remove() {
    if (this.parent) this.parent.children = this.parent.children.filter((each) => each !== this);
    this.parent = null;
  }

  setAttribute(name, value) { this[name] = value; }

  getAttribute(name) { return this[name] ?? null; }

  toggleAttribute(name, on) { this[name] = on; }

  fits(selector) {
    const [tag] = selector.match(/^[a-z]+/) ?? [];
    const named = [...selector.matchAll(/\[(?:data-)?([a-z]+)="?([^"\]]*)"?\]/g)];
    const classes = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name]) => name);
    return (!tag || tag === this.tag) && classes.every((each) => this.className.split(" ").includes(each))
      && named.every(([, name, value]) => (this.dataset[name] ?? this[name]) === value);
  }

  querySelectorAll(selector) {
    const [first, ...rest] = selector.split(" ");
    const below = this.children.flatMap((each) => [each, ...each.querySelectorAll("*")]);
    const found = first === "*" ? below : below.filter((each) => each.fits(first));
    return rest.length ? found.flatMap((each) => each.querySelectorAll(rest.join(" "))) : found;
  }

  querySelector(selector) { return this.querySelectorAll(selector)[0] ?? null; }

  closest(selector) { return this.fits(selector) ? this : this.parent?.closest(selector) ?? null; }

  focus() { globalThis.document.activeElement = this; }

  showModal() { this.open = true; }

  click() { this.onclick(); }

  reset() { for (const field of this.querySelectorAll("*")) if ("value" in field && field.type !== "radio") field.value = ""; }
}

/** A page without anything, in a window that hears. */
export function plainPage() {
  const body = new Plain("body"), kept = new Map();
  const parts = {
    document: { createElement: (tag) => new Plain(tag), body, activeElement: body },
    window: new EventTarget(),
    HTMLElement: Plain,
    localStorage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, text),
      removeItem: (key) => kept.delete(key),
    },
  };
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(globalThis, name, { value, configurable: true });
  }
  return body;
}
