// The tree of layers, with types and shapes: folding, arrow keys (ARIA's tree pattern).

import { closestTo, element, find } from "../maps/mosaic.js";
import { afterFrame } from "../page/after_frame.js";

export class Tree {
  /** @type {readonly LayerRow[]} */
  rows = [];

  /** @type {Map<string, HTMLElement>} */
  items = new Map();

  /** @type {?HTMLElement} */
  selected = null;

  /** @type {?HTMLElement} */
  tabbed = null; // the row to which Tab comes

  /**
   * `chosen` is told the layer that the visitor chooses, `marked` each that the pointer or the keyboard comes to.
   * @param {HTMLElement} parent
   * @param {{chosen: (layer: string) => void, marked: (layer: string) => void}} how
   */
  constructor(parent, { chosen, marked }) {
    this.chosen = chosen;
    this.marked = marked;
    this.root = element("ul", "lg-tree");
    this.root.dataset.part = "tree";
    this.root.setAttribute("role", "tree");
    parent.append(this.root);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => this.pressed(event));
    for (const comes of ["pointerover", "focusin"]) this.root.addEventListener(comes, (event) => this.come(event));
    this.widths = new ResizeObserver((entries) => shorten(entries.map(({ target }) => target)));
    // Layers chosen while the sidebar was away, as in a presentation, are brought into sight once it is back.
    this.sight = new ResizeObserver(() => { if (this.selected) this.reveal(find(this.selected, "div.lg-line")); });
    this.sight.observe(this.root);
  }

  /** @type {(rows: readonly LayerRow[], layer: string, words: Words) => void} */
  show(rows, layer, words) {
    this.root.setAttribute("aria-label", words.tree_label);
    if (rows !== this.rows) this.build(rows, words);
    this.rows = rows;
    this.select(layer);
  }

  /** @type {(rows: readonly LayerRow[], words: Words) => void} */
  build(rows, words) {
    this.items = new Map();
    this.selected = this.tabbed = null;
    const lists = new Map([["", this.root]]);
    this.root.replaceChildren();
    this.widths.disconnect();
    for (const row of rows) {
      const parent = parentOf(row.name, lists);
      const item = treeItem(row, parent, words);
      lists.get(parent)?.append(item);
      this.items.set(row.name, item);
      const list = element("ul");
      list.setAttribute("role", "group");
      item.append(list);
      lists.set(row.name, list);
    }
    for (const [name, item] of this.items) {
      finishItem(item, lists.get(name));
      this.widths.observe(find(item, "div.lg-line")); // tells of a row that is unfolded too
    }
  }

  // Mark the layer on screen, and unfold the tree down to it.
  /** @param {string} name */
  select(name) {
    const item = this.items.get(name);
    if (!item || item === this.selected) return;
    this.selected?.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
    this.selected = item;
    for (let up = above(item); up; up = above(up)) fold(up, false);
    this.focusable(item);
    afterFrame(() => { if (item === this.selected) this.reveal(find(item, "div.lg-line")); });
  }

  // Scroll only the tree to a row; the rest of the page stays where the visitor scrolled it.
  /** @param {HTMLElement} line */
  reveal(line) {
    const [seen, row] = [this.root, line].map((each) => each.getBoundingClientRect());
    if (row.top < seen.top) this.root.scrollTop -= seen.top - row.top;
    else if (row.bottom > seen.bottom) this.root.scrollTop += row.bottom - seen.bottom;
  }

  /** @param {HTMLElement} item */
  focusable(item) {
    if (this.tabbed) this.tabbed.tabIndex = -1;
    item.tabIndex = 0;
    this.tabbed = item;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const item = closestTo(event, "li");
    if (!item) return;
    if (closestTo(event, ".lg-twist")) return fold(item, item.getAttribute("aria-expanded") === "true");
    item.focus({ preventScroll: true });
    this.choose(item);
  }

  /** @param {Event} event */
  come(event) {
    const item = closestTo(event, "li");
    if (item?.dataset.name) this.marked(item.dataset.name);
  }

  /** @param {HTMLElement} item */
  choose({ dataset: { name = "" } }) {
    this.chosen(name);
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const item = closestTo(event, "li");
    const act = item && TREE_KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(this, item);
  }

  /** @type {(item: HTMLElement, by: number) => void} */
  move(item, by) {
    const visible = [...this.items.values()].filter((other) => other.offsetParent !== null);
    const next = visible[Math.max(0, Math.min(visible.length - 1, visible.indexOf(item) + by))];
    this.focusable(next);
    next.focus();
  }
}

/** @type {Readonly<Record<string, (tree: Tree, item: HTMLElement) => void>>} */
const TREE_KEYS = {
  ArrowDown: (tree, item) => tree.move(item, 1),
  ArrowUp: (tree, item) => tree.move(item, -1),
  Home: (tree, item) => tree.move(item, -Infinity),
  End: (tree, item) => tree.move(item, Infinity),
  Enter: (tree, item) => tree.choose(item),
  " ": (tree, item) => tree.choose(item),
  ArrowRight: (tree, item) => {
    if (item.getAttribute("aria-expanded") === "false") fold(item, false);
    else if (item.hasAttribute("aria-expanded")) tree.move(item, 1);
  },
  ArrowLeft: (tree, item) => {
    if (item.getAttribute("aria-expanded") === "true") return fold(item, true);
    const up = above(item);
    if (up) { tree.focusable(up); up.focus(); }
  },
};

// The nearest ancestor that is also a row: a model may list "a.b.c" without "a.b".
/** @type {(name: string, lists: Map<string, HTMLElement>) => string} */
function parentOf(name, lists) {
  if (name.includes("›")) return name.slice(0, name.indexOf("›")).trim();
  let parent = name;
  do parent = parent.includes(".") ? parent.slice(0, parent.lastIndexOf(".")) : "";
  while (!lists.has(parent));
  return parent;
}

// The item that an item is in.
/** @param {HTMLElement} item */
function above(item) {
  return item.parentElement?.closest("li");
}

/** @type {(row: LayerRow, parent: string, words: Words) => HTMLElement} */
function treeItem({ name, type, shape, calls, reason }, parent, words) {
  const item = element("li");
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-selected", "false");
  item.dataset.name = name;
  item.tabIndex = -1;
  const line = element("div", "lg-line");
  const short = parent ? name.slice(parent.length + 1).trim() : name;
  const returned = reason ? element("span", "lg-shape", words.no_run) : shapeOf(shape, calls);
  line.append(element("span", "lg-twist"), element("span", "lg-name", short), element("span", "lg-type", type), returned);
  line.title = reason ?? [name, type, shape].filter(Boolean).join(" · ");
  if (reason) item.classList.add("lg-silent");
  item.append(line);
  return item;
}

// A shape in two parts: where a row has no room for both, the last two sizes stay.
/** @type {(shape: string, calls: number) => HTMLElement} */
function shapeOf(shape, calls) {
  const sizes = shape.split(" × ");
  const made = element("span", "lg-shape");
  if (sizes.length > 2) made.append(element("span", "lg-first-sizes", `${sizes.slice(0, -2).join(" × ")} × `));
  made.append(sizes.slice(-2).join(" × ") + (calls > 1 ? ` (${calls}×)` : ""));
  return made;
}

// The name of a row gives way last: where it does, the shape is shortened. All rows are measured before any changes.
/** @param {readonly Element[]} lines */
function shorten(lines) {
  for (const line of lines) line.classList.remove("lg-short");
  const full = lines.filter((line) => {
    const name = find(line, "span.lg-name");
    return name.scrollWidth > name.clientWidth;
  });
  for (const line of full) line.classList.add("lg-short");
}

/** @type {(item: HTMLElement, list: HTMLElement | undefined) => void} */
function finishItem(item, list) {
  if (list?.childElementCount) fold(item, true);
  else list?.remove();
}

/** @type {(item: HTMLElement, folded: boolean) => void} */
function fold(item, folded) {
  item.setAttribute("aria-expanded", String(!folded));
}
