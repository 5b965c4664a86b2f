// Menus and notes below a summary. They close after a choice, by Escape, and by anything that happens outside.

import { closestTo, element, find } from "../maps/mosaic.js";

const OPEN = "details.lg-menu[open]";

// Follow all menus of the page; returns a function that ends that.
export function closeMenus() {
  const ending = new AbortController();
  const { signal } = ending;
  /** @param {Event} event */
  const outside = (event) => {
    const inside = closestTo(event, OPEN);
    for (const menu of openMenus()) if (menu !== inside) menu.open = false;
  };
  for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, outside, { signal });
  document.addEventListener("click", (event) => { if (closestTo(event, `${OPEN} :is(a, button)`)) shut(openMenus()); }, { signal });
  document.addEventListener("keydown", (event) => {
    const open = openMenus();
    if (event.key !== "Escape" || event.isComposing || !open.length) return;
    event.stopPropagation(); // one thing at a time
    shut(open);
  }, { capture: true, signal });
  return () => ending.abort();
}

// A link to a document of the help, in a tab of its own: nothing on the page is lost.
/** @type {(name: string, text: string) => HTMLAnchorElement} */
export function helpLink(name, text) {
  return Object.assign(element("a", "lg-more", text), { href: `help/${name}`, target: "_blank", rel: "noopener" });
}

// A control and a sign that says more about it, with a link on: a title alone is out of reach of keys and fingers.
/** @type {(control: HTMLElement, label: string, text: string, more: HTMLElement) => HTMLElement} */
export function withHelp(control, label, text, more) {
  const root = element("div", "lg-with-help");
  const sign = element("details", "lg-menu lg-help-sign");
  const summary = element("summary", "", "?");
  summary.setAttribute("aria-label", label);
  const said = element("p", "", `${text} `);
  said.append(more);
  sign.append(summary, said);
  root.append(control, sign);
  return root;
}

/** @returns {HTMLDetailsElement[]} */
function openMenus() {
  return [...document.querySelectorAll(/** @type {"details"} */ (OPEN))];
}

// Close menus; the keyboard's focus goes back to their summaries.
/** @param {readonly HTMLDetailsElement[]} menus */
function shut(menus) {
  for (const menu of menus) {
    menu.open = false;
    find(menu, "summary").focus({ preventScroll: true });
  }
}
