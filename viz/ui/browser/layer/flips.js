// Flipping through layers: what the view of one layer and the comparison have in common. Subclasses define `follow`.

import { filled, placeOf } from "../maps/mosaic.js";
import { Help } from "./help.js";
import { listenToKeys } from "./keys.js";
import { Kind } from "./kind.js";
import { drawHeading } from "./parts.js";
import { Presentation } from "./present.js";

const SETTLED_MS = 200; // after the last change of size

export class Flips {
  constructor(page, parts) {
    Object.assign(this, { stage: page, parts });
    this.kind = new Kind(parts);
    this.help = new Help(parts.root, parts.ask);
    this.presentation = new Presentation(this, parts.present);
    parts.previous.onclick = () => this.step(-1);
    parts.next.onclick = () => this.step(1);
  }

  // Draw what the look says, of the subject that the page has.
  show(look) {
    const { data, rows } = this.stage;
    const { look: before, data: earlier } = this;
    const { layer, call } = look;
    const index = rows.findIndex(({ name }) => name === layer);
    if (index < 0) return; // the page settles on another layer
    this.spoken ||= earlier !== undefined && earlier.words !== data.words;
    Object.assign(this, { data, rows, words: data.words, look, layer, call, index });
    this.parts.root.dataset.subject = data.subject;
    this.help.name(data.words);
    this.presentation.name(data.words);
    drawHeading(this);
    this.presentation.set(look.present);
    this.follow(look, before);
  }

  // Whatever the visitor chooses goes into the look; what is drawn follows it.
  choose(action) {
    this.stage.store.dispatch(action);
  }

  // Follow the keyboard and the window's size until `close`.
  listen(parent) {
    this.resizing = new ResizeObserver(() => { if (this.data) this.resized(); });
    this.resizing.observe(parent);
    const page = parent.closest("[data-testid=stMainBlockContainer]");
    if (page) this.resizing.observe(page); // what stands above takes room, too
    const resized = () => { if (this.data) this.resized(); };
    window.addEventListener("resize", resized);
    this.stops = [
      listenToKeys(this),
      () => this.resizing.disconnect(),
      () => window.removeEventListener("resize", resized),
      () => this.presentation.close(),
      () => clearTimeout(this.settling),
    ];
  }

  // Act once no size has changed for a while; until then the element has `data-settling`.
  onceSettled(act) {
    const { root } = this.parts;
    root.dataset.settling = "";
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      delete root.dataset.settling;
      act();
    }, SETTLED_MS);
  }

  close() {
    this.closed = true;
    this.stops.forEach((stop) => stop());
  }

  // Why a layer is not drawn without being asked for: what it would cost. Nothing if it may be drawn.
  waits(row = this.rows[this.index]) {
    return this.stage.costs?.waits(row) ?? null;
  }

  step(by) {
    const { rows } = this;
    let { index } = this;
    let call = this.call + by;
    if (call < 0 || call >= rows[index].calls) {
      index += by;
      if (index < 0 || index >= rows.length) return;
      call = by > 0 ? 0 : Math.max(0, rows[index].calls - 1);
    }
    this.choose({ type: "layer", layer: rows[index].name, call });
  }

  toEnd(by) {
    this.choose({ type: "layer", layer: this.rows.at(by < 0 ? 0 : -1).name, call: 0 });
  }

  // Change a channel only once the maps of the named layer are there: until then, those on screen are another
  // layer's, and the visitor has not seen what would change.
  onceNamed(act) {
    if (this.isNamed()) act();
    else this.parts.status.textContent = filled(this.words.maps_coming, { layer: this.layer });
  }

  // The channel `by` tiles further on, in the order in which a mosaic shows them.
  channelAfter(geometry, by) {
    const place = (placeOf(geometry, this.channel) + by + geometry.channels) % geometry.channels;
    return geometry.order.length ? geometry.order[place] : place;
  }

  // Where an element begins, in pixels from the page's top, however far the page is scrolled.
  topOf(part) {
    const scroller = part.closest("[data-testid=stMain]") ?? document.scrollingElement;
    return part.getBoundingClientRect().top + scroller.scrollTop;
  }

  // Ask until the server answers, less often each time; `draw` gets the answer.
  async fetchAndDraw(pages, asked, current, patience = 400) {
    const wanted = () => !this.closed && current();
    this.parts.root.setAttribute("aria-busy", "true");
    try {
      const page = await pages.open(asked);
      if (wanted()) this.draw(page);
    } catch {
      if (!wanted()) return;
      this.parts.status.textContent = this.words.lost;
      setTimeout(() => { if (wanted()) this.fetchAndDraw(pages, asked, current, Math.min(8000, patience * 2)); }, patience);
    }
  }
}
