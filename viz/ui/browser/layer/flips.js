// Flipping through layers: what the viewer and the comparison have in common. Subclasses define `go`.

import { filled, placeOf } from "../maps/mosaic.js";
import { followDropdown } from "./ahead.js";
import { belongsElsewhere, KEYS, listenToKeys } from "./keys.js";

const REPORT_AFTER_MS = 250;
const SETTLED_MS = 200; // after the last change of size

export class Flips {
  // Follow the keyboard, the layer dropdown, the tree and the window's size until `close`.
  listen(parent) {
    const goTo = (event) => {
      event.preventDefault(); // says that the viewer goes there
      this.goByName(event.detail.layer);
    };
    window.addEventListener("layerglass:go", goTo);
    this.resizing = new ResizeObserver(() => this.resized());
    this.resizing.observe(parent);
    const page = parent.closest("[data-testid=stMainBlockContainer]");
    if (page) this.resizing.observe(page); // what stands above takes room, too
    const resized = () => this.resized();
    window.addEventListener("resize", resized);
    this.stops = [
      listenToKeys(this),
      followDropdown(this),
      () => window.removeEventListener("layerglass:go", goTo),
      () => this.resizing.disconnect(),
      () => window.removeEventListener("resize", resized),
      beforeOthersAct(this),
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
    clearTimeout(this.reporting);
    this.stops.forEach((stop) => stop());
  }

  // Whether to follow the page: it has moved, or knows of moves made elsewhere, and it knows of every move made
  // here. Otherwise its state is older than ours.
  isLed({ serial, heard }) {
    this.moves ??= heard;
    const led = this.moves < heard || (this.serial !== serial && this.moves === heard);
    this.moves = Math.max(this.moves, heard);
    return led;
  }

  step(by) {
    let index = this.index;
    let call = this.call + by;
    if (call < 0 || call >= this.pages[index][3]) {
      index += by;
      if (index < 0 || index >= this.pages.length) return;
      call = by > 0 ? 0 : Math.max(0, this.pages[index][3] - 1);
    }
    this.go(index, call);
  }

  // Show what was chosen in the page's box before the page asks for it. If the viewer has passed that layer, the
  // page would take the box's choice for an old one; then we tell it first, which costs a run of its script.
  lead(name) {
    if (name === this.layer) return;
    const doubted = this.moves > this.data.heard || this.data.passed.includes(name);
    if (!doubted) this.channel = null;
    this.goByName(name, doubted);
    if (doubted) this.tellPage();
  }

  goByName(name, report = true) {
    const index = this.pages.findIndex((page) => page[0] === name);
    if (index >= 0) this.go(index, 0, report);
  }

  isAt({ layer, call }) {
    return layer === this.layer && call === this.call;
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

  // All that the page cannot know by itself. Each message says everything, because the server reads only the last
  // of several waiting messages and trusts its own controls over anything that it was not told.
  at() {
    return { layer: this.layer, call: this.call, channel: this.channel ?? null, move: this.moves, present: this.presentation.on };
  }

  tellPage() {
    clearTimeout(this.reporting);
    this.reporting = null;
    this.report(this.at());
  }

  tellNow() {
    if (this.reporting) this.tellPage();
  }

  reportLater(wanted) {
    if (!wanted) return;
    clearTimeout(this.reporting);
    this.moves += 1;
    this.reporting = setTimeout(() => this.tellPage(), REPORT_AFTER_MS); // once the visitor stays
  }

  // Ask until the server answers, less often each time; `draw` gets the answer.
  async fetchAndDraw(address, current, patience = 400) {
    this.parts.root.setAttribute("aria-busy", "true");
    try {
      const page = await this.store.open(address);
      if (current()) this.draw(page);
    } catch {
      if (!current()) return;
      this.parts.status.textContent = this.words.lost;
      setTimeout(() => { if (current()) this.fetchAndDraw(address, current, Math.min(8000, patience * 2)); }, patience);
    }
  }
}

// Tell the page about the last flip before anything else on it is used, because that may end this view. The tree is
// an exception: it is used to flip.
function beforeOthersAct(viewer) {
  const acting = ({ type, key, target }) => {
    const elsewhere = target instanceof Element && !target.closest(".lg-viewer, .lg-tree");
    if (elsewhere && (type !== "keydown" || !(key in KEYS) || belongsElsewhere(target))) viewer.tellNow();
  };
  const kinds = ["pointerdown", "click", "keydown"];
  for (const kind of kinds) document.addEventListener(kind, acting, true);
  return () => kinds.forEach((kind) => document.removeEventListener(kind, acting, true));
}
