// The module tree: folds, shows each layer's type and shape, walks with the arrow keys (the ARIA tree pattern).

export class Tree {
  // `chosen` is told the layer that the visitor chooses.
  constructor(parent, chosen) {
    this.chosen = chosen;
    this.root = document.createElement("ul");
    this.root.className = "lg-tree";
    this.root.dataset.part = "tree";
    this.root.setAttribute("role", "tree");
    parent.append(this.root);
    this.root.addEventListener("click", (event) => this.clicked(event));
    this.root.addEventListener("keydown", (event) => this.pressed(event));
  }

  show(rows, layer, words) {
    this.root.setAttribute("aria-label", words.tree_label);
    if (rows !== this.rows) this.build(rows, words);
    this.rows = rows;
    this.select(layer);
  }

  build(rows, words) {
    this.items = new Map();
    this.selected = null;
    const lists = new Map([["", this.root]]);
    this.root.replaceChildren();
    for (const row of rows) {
      const parent = parentOf(row.name, lists);
      const item = treeItem(row, parent, words);
      lists.get(parent).append(item);
      this.items.set(row.name, item);
      const list = document.createElement("ul");
      list.setAttribute("role", "group");
      item.append(list);
      lists.set(row.name, list);
    }
    for (const [name, item] of this.items) finishItem(item, lists.get(name));
  }

  // Mark the layer on screen, and unfold the tree down to it.
  select(name) {
    const item = this.items.get(name);
    if (!item || item === this.selected) return;
    this.selected?.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
    this.selected = item;
    for (let up = item.parentElement.closest("li"); up; up = up.parentElement.closest("li")) fold(up, false);
    this.focusable(item);
    this.reveal(item.firstElementChild);
  }

  // Scroll only the tree to a row; the rest of the page stays where the visitor scrolled it.
  reveal(line) {
    const [seen, row] = [this.root, line].map((each) => each.getBoundingClientRect());
    if (row.top < seen.top) this.root.scrollTop -= seen.top - row.top;
    else if (row.bottom > seen.bottom) this.root.scrollTop += row.bottom - seen.bottom;
  }

  focusable(item) {
    for (const other of this.items.values()) other.tabIndex = -1;
    item.tabIndex = 0;
  }

  clicked(event) {
    const item = event.target.closest("li");
    if (!item) return;
    if (event.target.closest(".lg-twist")) return fold(item, item.getAttribute("aria-expanded") === "true");
    item.focus({ preventScroll: true });
    this.chosen(item.dataset.name);
  }

  pressed(event) {
    const item = event.target.closest("li");
    const act = item && TREE_KEYS[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act(this, item);
  }

  move(item, by) {
    const visible = [...this.items.values()].filter((other) => other.offsetParent !== null);
    const next = visible[Math.max(0, Math.min(visible.length - 1, visible.indexOf(item) + by))];
    this.focusable(next);
    next.focus();
  }
}

const TREE_KEYS = {
  ArrowDown: (tree, item) => tree.move(item, 1),
  ArrowUp: (tree, item) => tree.move(item, -1),
  Home: (tree, item) => tree.move(item, -Infinity),
  End: (tree, item) => tree.move(item, Infinity),
  Enter: (tree, item) => tree.chosen(item.dataset.name),
  " ": (tree, item) => tree.chosen(item.dataset.name),
  ArrowRight: (tree, item) => {
    if (item.getAttribute("aria-expanded") === "false") fold(item, false);
    else if (item.hasAttribute("aria-expanded")) tree.move(item, 1);
  },
  ArrowLeft: (tree, item) => {
    if (item.getAttribute("aria-expanded") === "true") return fold(item, true);
    const up = item.parentElement.closest("li");
    if (up) { tree.focusable(up); up.focus(); }
  },
};

// The nearest ancestor that is also a row: a model may list "a.b.c" without "a.b".
function parentOf(name, lists) {
  if (name.includes("›")) return name.slice(0, name.indexOf("›")).trim();
  let parent = name;
  do parent = parent.includes(".") ? parent.slice(0, parent.lastIndexOf(".")) : "";
  while (!lists.has(parent));
  return parent;
}

function treeItem({ name, type, shape, calls, reason }, parent, words) {
  const item = document.createElement("li");
  item.setAttribute("role", "treeitem");
  item.setAttribute("aria-selected", "false");
  item.dataset.name = name;
  item.tabIndex = -1;
  const line = document.createElement("div");
  line.className = "lg-line";
  const short = parent ? name.slice(parent.length + 1).trim() : name;
  for (const [className, text] of [["lg-twist", ""], ["lg-name", short], ["lg-type", type], ["lg-shape", reason ? words.no_run : shape + (calls > 1 ? ` (${calls}×)` : "")]]) {
    const span = document.createElement("span");
    span.className = className;
    span.textContent = text;
    line.append(span);
  }
  line.title = reason ?? `${name} · ${type} · ${shape}`;
  if (reason) item.classList.add("lg-silent");
  item.append(line);
  return item;
}

function finishItem(item, list) {
  if (list.childElementCount) fold(item, true);
  else list.remove();
}

function fold(item, folded) {
  item.setAttribute("aria-expanded", String(!folded));
}
