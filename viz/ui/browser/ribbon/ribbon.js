// The model as a ribbon: the picture, its stages in running order, the answer. The stage of the look is lit; a click
// goes to another.

import { VIEWS } from "../look/fields.js";
import { addressOf, queryOf, seenAddress } from "../maps/addresses.js";
import { element, filled, find, perCent } from "../maps/mosaic.js";
import { onPage } from "../maps/scheme.js";
import { answerOf } from "../page/asking.js";
import { standing } from "../page/stands.js";
import { Bloom } from "./bloom.js";
import { linkNames, linkOf } from "./links.js";

const ANSWERS = 2;

export class Ribbon {
  subject = ""; // which one the answer is of
  drawn = ""; // which chain is on screen
  asked = ""; // which pictures are, or are on their way
  lit = -2;
  /** @type {readonly Share[]} */
  top = []; // of the picture

  /** @type {HTMLButtonElement[]} */
  links = [];

  hearing = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.root = root;
    this.page = page;
    root.innerHTML = `<nav><ol><li class="lg-ribbon-seen"><img alt=""><span></span></li><li class="lg-ribbon-answer"><button type="button"><b></b><small></small></button></li></ol></nav>`;
    this.nav = find(root, "nav");
    this.list = find(root, "ol");
    this.bloom = new Bloom(this.list);
    find(root, "li.lg-ribbon-answer button").onclick = () => this.page.store.dispatch({ type: "view", view: "gradients" });
    const { signal } = this.hearing;
    window.addEventListener("layerglass:live", ({ detail }) => this.drawLive(detail), { signal });
    window.addEventListener("layerglass:live-end", () => this.endLive(), { signal });
  }

  close() {
    this.hearing.abort();
    this.bloom.end();
  }

  /** @param {Look} look */
  show(look) {
    const { subject, chain, words, rows } = this.page.data;
    this.root.hidden = !VIEWS[look.view].ribbon || !chain.length;
    if (this.root.hidden) return;
    if (subject !== this.subject) this.forget(subject);
    const drawn = `${subject} ${words.language_code} ${this.page.veiled}`;
    if (drawn !== this.drawn) this.drawLinks();
    this.drawn = drawn;
    this.light(linkOf(chain, rows, look.layer));
    this.ask(look);
  }

  // Another subject: the answer before is not its own.
  /** @param {string} subject */
  forget(subject) {
    Object.assign(this, { subject, top: [] });
    this.drawAnswer(this.top);
  }

  drawLinks() {
    const { subject, chain, words } = this.page.data;
    this.nav.setAttribute("aria-label", words.ribbon);
    const [seen, answer] = [find(this.list, "li.lg-ribbon-seen"), find(this.list, "li.lg-ribbon-answer")];
    standing().then(() => { if (this.page.data.subject === subject) find(seen, "img").src = seenAddress(subject); });
    find(seen, "span").textContent = words.ribbon_picture;
    find(answer, "button").title = words.why_title;
    const names = linkNames(chain);
    const items = chain.map((link, place) => this.item(link, names[place], words));
    this.list.replaceChildren(seen, ...items, answer);
    this.links = items.map((item) => find(item, "button"));
    [...this.list.children].forEach((item, place, all) => item instanceof HTMLElement && item.style.setProperty("--at", String(place / (all.length - 1))));
    Object.assign(this, { asked: "", lit: -2 });
  }

  /** @type {(link: LinkFacts, name: string, words: Words) => HTMLElement} */
  item({ layer, layers, shape: known }, name, words) {
    const shape = this.page.veiled ? "" : known;
    const item = element("li");
    const button = element("button");
    const picture = element("span", "lg-ribbon-picture");
    button.type = "button";
    button.dataset.layer = layer;
    button.title = `${layers.join(", ")}${shape && ` · ${shape}`}`;
    button.setAttribute("aria-label", shape ? filled(words.ribbon_link, { name, shape }) : name);
    button.append(picture, element("b", "", name), element("small", "", " "));
    button.onclick = () => this.choose(layer);
    button.onpointerenter = () => this.page.expect(layer);
    item.append(button);
    return item;
  }

  /** @param {string} layer */
  choose(layer) {
    const { store } = this.page, { view } = store.get();
    store.dispatch({ type: "layer", layer, view: view === "layers" ? "layer" : view });
  }

  /** @param {number} place */
  light(place) {
    if (place === this.lit) return;
    this.lit = place;
    this.links.forEach((button, at) => {
      if (at === place) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.bringIntoSight();
  }

  // Only the ribbon scrolls, never the page.
  bringIntoSight() {
    const item = this.links[this.lit]?.parentElement;
    if (!item || this.list.scrollWidth <= this.list.clientWidth) return;
    this.list.scrollLeft = item.offsetLeft + item.offsetWidth / 2 - this.list.clientWidth / 2;
  }

  // The pictures of this subject, with the edits in force; until they are here, those before stay.
  /** @param {Look} look */
  async ask(look) {
    const { subject, chain } = this.page.data;
    const asked = addressOf(subject, "ribbon.json", [queryOf(look, ["colormap", "edit"]), onPage()].filter(Boolean).join("&"));
    if (asked === this.asked || this.isCostly()) return;
    this.asked = asked;
    await standing(); // the maps come first
    const found = await answerOf(asked, () => this.asked === asked && !this.hearing.signal.aborted);
    if (!found) return;
    const links = "links" in found ? found.links : [];
    this.top = "top" in found ? found.top : [];
    this.links.forEach((button, place) => drawPicture(button, links[place]?.layer === chain[place]?.layer ? links[place] : undefined));
    this.drawAnswer(this.top);
    this.bringIntoSight();
    if (links.length) this.bloom.begin();
  }

  // True if the pictures would take much memory; then they are not made unasked.
  isCostly() {
    const { chain, costs } = this.page.data;
    const total = chain.reduce((sum, { layer }) => sum + (this.page.rowOf(layer)?.cost ?? 0), 0);
    return total > costs.ask;
  }

  /** @param {readonly Share[]} top */
  drawAnswer(top) {
    const answer = find(this.list, "li.lg-ribbon-answer");
    const [first, ...others] = top.slice(0, ANSWERS).map(({ label, share }) => `${label} ${percents(share)}`);
    const untrained = this.page.data.untrained;
    find(answer, "b").textContent = untrained ? "" : first ?? "";
    find(answer, "small").textContent = untrained ? "" : others.join(" · ");
    answer.hidden = untrained || first === undefined;
  }

  // The stages of the last picture are not those of the frame.
  /** @param {LiveSight} sight */
  drawLive({ seen, top }) {
    this.root.classList.add("lg-ribbon-live");
    find(this.list, "img").src = `data:image/jpeg;base64,${seen}`;
    this.drawAnswer(top);
  }

  endLive() {
    this.root.classList.remove("lg-ribbon-live");
    find(this.list, "img").src = seenAddress(this.page.data.subject);
    this.drawAnswer(this.top);
  }
}

/** @type {(button: HTMLButtonElement, thumb: Thumb | undefined) => void} */
function drawPicture(button, thumb) {
  const picture = find(button, "span.lg-ribbon-picture");
  picture.replaceChildren();
  find(button, "small").textContent = thumb ? sizeOf(thumb) : " ";
  if (!thumb?.png) return;
  const image = element("img");
  Object.assign(image, { alt: "", src: `data:image/png;base64,${thumb.png}` });
  picture.append(image);
}

/** @param {Thumb} thumb */
function sizeOf({ maps: [count, height, width] }) {
  if (!count) return " ";
  return height === 1 && width === 1 ? String(count) : `${height}×${width}`;
}

/** @param {number} share */
function percents(share) {
  return perCent((100 * share).toFixed(share >= 0.0995 ? 0 : 1));
}
