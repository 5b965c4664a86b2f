// The camera's frames in the view of all layers. Each is posted, and its small pictures replace the last ones.

import { addressOf } from "../maps/addresses.js";

const UNANSWERED_MS = 500;

export class LiveCards {
  on = false;
  address = "";
  hearing = new AbortController();

  /**
   * @param {HTMLElement} root
   * @param {() => void} ended
   */
  constructor(root, ended) {
    this.root = root;
    this.ended = ended;
    const { signal } = this.hearing;
    window.addEventListener("layerglass:frame", (event) => this.offered(event), { signal });
    window.addEventListener("layerglass:live-end", () => this.end(), { signal });
  }

  close() {
    this.hearing.abort();
  }

  // Until there are cards, no frame can be shown.
  /** @param {WindowEventMap["layerglass:frame"]} event */
  offered(event) {
    if (!this.root.querySelector("button[data-layer]")) return;
    event.preventDefault();
    this.on = true;
    this.show(event.detail.frame).then(() => event.detail.done(true));
  }

  /** @type {(subject: string, query: string) => void} */
  follow(subject, query) {
    this.address = addressOf(subject, "overview.live", query);
  }

  /** @param {Blob} frame */
  async show(frame) {
    const { address } = this;
    try {
      const answer = await fetch(address, { method: "POST", body: frame });
      const found = await answer.json();
      if (answer.ok && this.on && this.address === address) return await this.draw(found);
    } catch { /* the connection is gone for a moment */ }
    return new Promise((go) => { setTimeout(go, UNANSWERED_MS); });
  }

  /** @param {LiveLayersFacts} found */
  async draw(found) {
    const drawn = await Promise.all(found.layers.filter(({ png }) => png).map(decodedCard));
    if (!this.on) return;
    for (const [layer, source] of drawn) {
      /** @type {?HTMLImageElement} */
      const image = this.root.querySelector(`button[data-layer="${CSS.escape(layer)}"] img`);
      if (image) image.src = source;
    }
    window.dispatchEvent(new CustomEvent("layerglass:live", { detail: found }));
  }

  end() {
    if (!this.on) return;
    this.on = false;
    this.ended();
  }
}

// Decode a picture before it is shown, so that it does not flicker.
/** @type {(thumb: Thumb) => Promise<[layer: string, source: string]>} */
async function decodedCard({ layer, png }) {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  return [layer, image.src];
}
