// What happened to the layer's value after its hook: the same memory later, and what each way of keeping it kept.

import { element, filled, percent } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";

const MOST_WRITTEN = 12;

export class Memory {
  /** @type {Words} */
  words = {};

  address = "";

  /**
   * @param {HTMLElement} root
   * @param {(layer: string) => void} choose
   */
  constructor(root, choose) {
    this.root = root;
    this.choose = choose;
  }

  /** @type {(address: Address<"memory.json">, about: {layer: string, words: Words}) => Promise<void>} */
  async show(address, { layer, words }) {
    if (this.address === address && this.words.memory_title === words.memory_title) return;
    Object.assign(this, { address, words });
    this.root.replaceChildren(this.title(layer), element("p", "lg-memory-note", words.memory_loading));
    const found = await answerOf(address, () => this.address === address);
    if (!found) return;
    if (found.error) this.root.replaceChildren(this.title(layer), element("p", "lg-memory-note", said(found, "error", words)));
    else this.draw(found);
  }

  /** @param {string} layer */
  title(layer) {
    return element("h2", "", filled(this.words.memory_title, { layer }));
  }

  /** @param {MemoryFacts} found */
  draw(found) {
    const { words } = this;
    const channels = element("p", "lg-memory-note", filled(words.memory_channels, { channels: found.channels.join(", ") }));
    const pairs = element("div", "lg-memory-row");
    pairs.append(this.picture(found.at_hook, words.memory_at_hook), this.picture(found.after, words.memory_after));
    for (const kept of found.kept) pairs.append(this.picture(kept.png, this.way(kept.way), this.fate(kept), kept.wrong > 0));
    const parts = [this.title(found.layer), element("p", "", this.verdict(found)), pairs];
    this.root.replaceChildren(...parts, ...(found.shape.length > 2 ? [channels] : []), this.elsewhere(found));
  }

  // A few other layers of this model where the same can be seen.
  /** @param {MemoryFacts} found */
  elsewhere({ written }) {
    const { words } = this;
    if (!written.length) return element("p", "lg-memory-note", words.memory_nowhere);
    const list = element("p", "lg-written", filled(words.memory_written, { count: written.length }));
    list.append(...written.slice(0, MOST_WRITTEN).map((layer) => {
      const button = element("button", "", layer);
      button.type = "button";
      button.onclick = () => this.choose(layer);
      return button;
    }));
    if (written.length > MOST_WRITTEN) list.append(filled(words.memory_more, { count: written.length - MOST_WRITTEN }));
    return list;
  }

  // Whether the memory was overwritten, and whether the values show it.
  /** @param {MemoryFacts} found */
  verdict({ writes, changed }) {
    const { words } = this;
    const text = changed > 0 ? words.memory_overwritten : writes > 0 ? words.memory_rewritten : words.memory_untouched;
    return filled(text, { writes, changed: percent(changed) });
  }

  /** @param {KeptFacts["way"]} name */
  way(name) {
    const { words } = this;
    return { reference: words.memory_reference, detach: words.memory_detach, cpu: words.memory_cpu, clone: words.memory_clone }[name];
  }

  /** @param {KeptFacts} kept */
  fate({ shares, wrong, copied }) {
    const { words } = this;
    const text = !shares ? words.memory_own : wrong > 0 ? words.memory_shared_wrong : words.memory_shared_right;
    return filled(text, { wrong: percent(wrong), copied: bytesText(copied) });
  }

  /** @type {(png: string, title: string, note?: string, wrong?: boolean) => HTMLElement} */
  picture(png, title, note = "", wrong = false) {
    const figure = element("figure", wrong ? "lg-wrong" : "");
    const image = element("img");
    image.onload = () => { if (image.naturalWidth > image.clientWidth) image.style.imageRendering = "auto"; }; // smoothed, so that no value is left out
    image.src = `data:image/png;base64,${png}`;
    image.alt = note ? `${title}: ${note}` : title;
    figure.append(image, element("figcaption", note ? "lg-way" : "", title));
    if (note) figure.append(element("p", "", note));
    return figure;
  }
}

/** @param {number} bytes */
function bytesText(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toPrecision(3)} MB`;
}
