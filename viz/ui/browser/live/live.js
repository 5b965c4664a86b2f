// The live camera, one frame at a time. The next one follows when the maps of the last are drawn.

import { element, find } from "../maps/mosaic.js";
import { withMore } from "../maps/said.js";
import { onceRemoved } from "../page/removed.js";
import { onceConnected } from "../page/sending.js";
import { withWords } from "../page/kept_words.js";

const ABOUT = "your-files#what-happens-to-the-cameras-pictures";
const LIVING = "lg-living";
const LEAST_MS = 60;
const NOBODY_MS = 500;
const QUALITY = 0.85;
/** @typedef {(frozen: FrozenFrame) => void} Keep */
/** @type {WeakMap<Element, Camera>} */
const cameras = new WeakMap();
const freeze = onceConnected();

class Camera {
  /** @type {CameraFacts} */
  data = { words: {}, side: 0 };

  /** @type {Keep} */
  keep = () => {};

  /** @type {number[]} */
  times = [];

  begun = false;
  said = "";
  ended = false;

  /** @type {MediaStream | undefined} */
  stream;

  /** @type {?Promise<boolean>} */
  passing = null;

  /** @type {?Blob} */
  shown = null;

  /** @type {number | undefined} */
  waiting;

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = element("section", "lg-live");
    this.root.innerHTML = `<video muted playsinline></video><div><p role="status"></p><button type="button" disabled></button></div>`;
    this.video = find(this.root, "video");
    this.status = find(this.root, "p");
    this.button = find(this.root, "button");
    this.button.onclick = () => this.freeze();
    this.canvas = element("canvas");
    parent.append(this.root);
  }

  /** @type {(data: CameraFacts, keep: Keep) => void} */
  update(data, keep) {
    Object.assign(this, { data, keep });
    this.button.textContent = data.words.live_freeze;
    this.video.setAttribute("aria-label", data.words.live_video);
    if (!this.begun) this.begin(data.words);
  }

  /** @param {Words} words */
  async begin(words) {
    this.begun = true;
    if (!navigator.mediaDevices) return this.say(words.live_insecure, ABOUT);
    this.say(words.live_starting);
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: 640 }, facingMode: "environment" } });
    } catch {
      return this.say(words.live_refused, ABOUT);
    }
    if (this.ended) return this.release();
    this.video.srcObject = this.stream;
    document.documentElement.classList.add(LIVING);
    this.next();
  }

  // A hidden page, or one without a viewer, sends nothing.
  async next() {
    if (this.video.paused) await this.play();
    if (this.ended) return;
    const began = performance.now();
    const frame = document.hidden || !this.video.videoWidth ? null : await this.frame();
    if (this.ended) return; // the camera was turned off while the frame was made
    this.passing = frame && this.offered(frame);
    const taken = await this.passing;
    if (taken) this.shown = frame;
    if (this.ended) return;
    if (taken) this.note(began);
    else if (frame) this.say(this.data.words.live_elsewhere, ABOUT);
    this.waiting = setTimeout(() => this.next(), taken ? Math.max(0, LEAST_MS - (performance.now() - began)) : NOBODY_MS);
  }

  // Safari refuses while nobody looks, or to save power; each turn tries again.
  async play() {
    try {
      await this.video.play();
    } catch {
      this.say(this.data.words.live_refused, ABOUT);
    }
  }

  // Shrink the frame to the size that the model's preprocessing would give it.
  /** @returns {Promise<?Blob>} */
  frame() {
    const { videoWidth: width, videoHeight: height } = this.video;
    const share = Math.min(1, this.data.side / Math.min(width, height));
    Object.assign(this.canvas, { width: Math.round(width * share), height: Math.round(height * share) });
    this.canvas.getContext("2d")?.drawImage(this.video, 0, 0, this.canvas.width, this.canvas.height);
    return new Promise((made) => { this.canvas.toBlob(made, "image/jpeg", QUALITY); });
  }

  // Resolves to true when the frame's maps are drawn, or to false if no view shows them.
  /** @type {(frame: Blob) => Promise<boolean>} */
  offered(frame) {
    return new Promise((done) => {
      const offer = new CustomEvent("layerglass:frame", { detail: { frame, done }, cancelable: true });
      if (window.dispatchEvent(offer)) done(false);
    });
  }

  /** @param {number} began */
  note(began) {
    this.button.disabled = false;
    this.times = [...this.times, began].slice(-6);
    const span = (performance.now() - this.times[0]) / this.times.length;
    this.say(this.data.words.live_rate.replace("{rate}", String(Number((1000 / span).toPrecision(2)))));
  }

  /** @param {string} text */
  say(text, document = "") {
    if (this.said === text) return; // it would be read out again, and its link would lose the keyboard's focus
    this.said = text;
    this.status.replaceChildren(...withMore(text, document, this.data.words));
  }

  // The frame whose maps are on screen becomes the picture; if one is under way, wait for it.
  async freeze() {
    this.ended = true;
    clearTimeout(this.waiting);
    this.video.pause();
    this.button.disabled = true;
    await this.passing;
    if (!this.shown) return;
    const bytes = new Uint8Array(await this.shown.arrayBuffer());
    this.keep({ jpeg: btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), "")) });
  }

  release() {
    this.stream?.getTracks().forEach((track) => track.stop());
  }

  end() {
    this.ended = true;
    clearTimeout(this.waiting);
    this.release();
    document.documentElement.classList.remove(LIVING);
    window.dispatchEvent(new CustomEvent("layerglass:live-end"));
    this.root.remove();
  }
}

/** @param {PartGiven<CameraFacts>} given */
export default function ({ data, parentElement, setTriggerValue }) {
  const camera = cameras.get(parentElement) ?? new Camera(parentElement);
  cameras.set(parentElement, camera);
  withWords(data, (sent) => {
    if (cameras.get(parentElement) === camera) camera.update(sent, (frozen) => void freeze(() => setTriggerValue("frozen", frozen)));
  });
  return onceRemoved(parentElement, () => {
    camera.end();
    cameras.delete(parentElement);
  });
}
