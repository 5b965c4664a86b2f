// The optimised pictures. Each stays in its place while it sharpens, so that nothing flickers, and no button loses the
// focus.

import { element, filled, readable } from "../maps/mosaic.js";

/** @typedef {{subject: string, layer: string, call: number, kind: string, channel: number}} About */
/** @typedef {{address: string, way: string, aim: Record<string, string>, about: About, facts: OptimisedFacts}} Shown */
/** @typedef {{name: string, text: string, pressed?: boolean, done: () => void}} Act */
/** @typedef {{shown: Shown, number: number, title: string, kept: boolean, still: boolean, act: ?Act}} Figure */

export class OptimisedFigures {
  root = element("div", "lg-optimised-figures");

  /** @type {Map<string, FigureElement>} */
  drawn = new Map();

  /** @type {(figures: Figure[], words: Words) => void} */
  show(figures, words) {
    const before = this.drawn;
    this.drawn = new Map(figures.map((figure) => {
      const key = `${figure.shown.address} ${figure.number} ${figure.kept}`;
      const drawn = before.get(key) ?? new FigureElement();
      drawn.show(figure, words);
      return [key, drawn];
    }));
    this.root.dataset.count = String(figures.length);
    const roots = [...this.drawn.values()].map(({ root }) => root);
    if (roots.length !== this.root.childElementCount || roots.some((root, at) => root !== this.root.children[at])) this.root.replaceChildren(...roots);
  }
}

class FigureElement {
  root = element("figure");
  image = element("img");
  caption = element("figcaption");
  button = element("button", "lg-optimised-act");

  constructor() {
    this.button.type = "button";
    this.root.append(this.image, this.caption, this.button);
  }

  /** @type {(figure: Figure, words: Words) => void} */
  show({ shown, number, title, kept, still, act }, words) {
    this.root.classList.toggle("lg-optimised-kept", kept);
    this.offer(act);
    if (still && this.image.src) return; // who wants no motion sees the next picture at the end
    const { about: { channel, layer }, facts } = shown;
    const source = `data:image/png;base64,${facts.pictures[number]}`;
    if (this.image.src !== source) this.image.src = source;
    this.image.alt = filled(words.optimised_alt, { channel, layer });
    this.image.style.imageRendering = facts.side < 100 ? "pixelated" : "auto";
    const values = { value: readable(facts.peaks[number]), own: readable(facts.own) };
    this.caption.replaceChildren(element("strong", "", title), element("span", "", filled(words.optimised_value, values)));
  }

  /** @param {?Act} act */
  offer(act) {
    this.button.hidden = act === null;
    if (!act) return;
    this.button.dataset.act = act.name;
    this.button.textContent = act.text;
    this.button.onclick = act.done;
    if (act.pressed === undefined) this.button.removeAttribute("aria-pressed");
    else this.button.setAttribute("aria-pressed", String(act.pressed));
  }
}
