// The camera's frames in the viewer. Each is posted for the layer on screen, and the answer is drawn.

import { aboutPage } from "../maps/addresses.js";

/** @typedef {import("../maps/pages.js").Asked} Asked */

export class LiveMaps {
  on = false;
  hearing = new AbortController();

  /** @param {import("../layer/viewer.js").LayerView} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    const { signal } = this.hearing;
    window.addEventListener("layerglass:frame", (event) => {
      if (!viewer.shown) return; // it has no layer yet
      event.preventDefault(); // tells the camera that the viewer shows it
      this.show(event.detail.frame).finally(() => event.detail.done(true));
    }, { signal });
    window.addEventListener("layerglass:live-end", () => this.end(), { signal });
  }

  close() {
    this.hearing.abort();
  }

  /** @param {Blob} frame */
  async show(frame) {
    const { viewer } = this;
    this.on = true;
    // A layer that does not run has nothing to show, and one that costs much is asked about first.
    if (viewer.rows[viewer.index].reason || viewer.waits()) return rested();
    const asked = viewer.asked();
    const { channel } = viewer;
    const here = () => this.on && asked.query === viewer.asked().query && asked.subject === viewer.asked().subject;
    try {
      const answer = await fetch(aboutPage(asked, "layer.live", `channel=${channel}`), { method: "POST", body: frame });
      const found = await answer.json();
      if (!here()) return undefined;
      if (answer.ok) await this.draw(asked, found, channel);
      else if (!found.superseded) await this.refuse(found);
    } catch {
      viewer.parts.status.textContent = viewer.words.lost;
      await rested();
    }
    return undefined;
  }

  // The channel that was shown large when the frame was sent comes with every value, if the mosaic has fewer pixels.
  /** @type {(asked: Asked, facts: LiveFacts, channel: number) => Promise<void>} */
  async draw(asked, facts, channel) {
    const [image, whole] = await Promise.all([decodedPicture(facts.png), facts.large ? decodedPicture(facts.large) : null]);
    if (!this.on) return;
    const large = whole && { channel, image: whole };
    this.viewer.drawLive({ ...asked, facts, image, large, live: true, seen: `data:image/jpeg;base64,${facts.seen}` });
    window.dispatchEvent(new CustomEvent("layerglass:live", { detail: facts }));
  }

  /** @param {Answer} found */
  async refuse(found) {
    this.viewer.refuse(found);
    await rested();
  }

  end() {
    if (!this.on) return;
    this.on = false;
    this.viewer.show(this.viewer.look);
  }
}

/** @param {string} encoded */
async function decodedPicture(encoded) {
  const image = new Image();
  image.src = `data:image/png;base64,${encoded}`;
  await image.decode();
  return image;
}

function rested() {
  return new Promise((go) => { setTimeout(go, 500); });
}
