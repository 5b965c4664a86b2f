// The player's bar: play and pause, single steps, a slider over the pass, speed.

import { element, filled } from "../maps/mosaic.js";
import { SPEEDS } from "./player.js";

const SHAPES = { play: "M4 2.5v11l9-5.5z", pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z" };
const SPEED = "layerglass.speed";

/** @typedef {import("./player.js").Player} Player */

/**
 * Actions of the visitor; `scrub` is for a place that is only passed on the way.
 * @typedef {Object} Acts
 * @property {() => void} toggle
 * @property {(by: number) => void} step
 * @property {(place: number) => void} scrub
 * @property {(place: number) => void} choosePlace
 * @property {(speed: number) => void} pace
 */

export class PlayerBar {
  /** @type {Words} */
  words = {};

  /**
   * @param {HTMLElement} root
   * @param {Acts} acts
   */
  constructor(root, acts) {
    root.setAttribute("role", "group");
    root.innerHTML = `
      <button type="button" class="lg-hooks-previous"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="M10.5 3 5.5 8l5 5"/></svg></button>
      <button type="button" class="lg-player-play"><svg viewBox="0 0 16 16" aria-hidden="true"><path/></svg></button>
      <button type="button" class="lg-hooks-next"><svg viewBox="0 0 16 16" aria-hidden="true"><path d="m5.5 3 5 5-5 5"/></svg></button>
      <input type="range" class="lg-player-slider" min="1" step="1">
      <span class="lg-hooks-count"></span>
      <select class="lg-player-speed"></select>`;
    this.root = root;
    const [previous, toggle, next] = root.querySelectorAll("button");
    this.previous = previous;
    this.toggle = toggle;
    this.next = next;
    this.shape = /** @type {SVGPathElement} */ (this.toggle.querySelector("path"));
    this.slider = /** @type {HTMLInputElement} */ (root.querySelector("input"));
    this.count = /** @type {HTMLElement} */ (root.querySelector("span"));
    this.speed = /** @type {HTMLSelectElement} */ (root.querySelector("select"));
    this.speed.append(...SPEEDS.map((speed) => Object.assign(element("option"), { value: String(speed) })));
    this.previous.onclick = () => acts.step(-1);
    this.toggle.onclick = () => acts.toggle();
    this.next.onclick = () => acts.step(1);
    this.slider.oninput = () => acts.scrub(Number(this.slider.value) - 1);
    this.slider.onchange = () => acts.choosePlace(Number(this.slider.value) - 1);
    this.speed.onchange = () => {
      keepSpeed(Number(this.speed.value));
      acts.pace(Number(this.speed.value));
    };
  }

  /** Its parts' names; by default those of the timeline of hooks. @type {(words: Words, own?: Record<"player" | "previous" | "next" | "slider", string>) => void} */
  name(words, own = { player: words.hooks_player, previous: words.hooks_previous, next: words.hooks_next, slider: words.hooks_slider }) {
    this.words = words;
    this.root.setAttribute("aria-label", own.player);
    this.previous.setAttribute("aria-label", own.previous);
    this.next.setAttribute("aria-label", own.next);
    this.slider.setAttribute("aria-label", own.slider);
    this.speed.setAttribute("aria-label", words.hooks_speed);
    for (const option of this.speed.options) option.textContent = `${option.value.replace("0.5", "½")}×`;
  }

  /** Draw the player's state; `said` is the event in words. @type {(player: Player, said: string) => void} */
  show(player, said) {
    const { words } = this;
    const { place, count, playing, speed } = player;
    const name = playing ? words.hooks_pause : words.hooks_play;
    this.shape.setAttribute("d", playing ? SHAPES.pause : SHAPES.play);
    this.toggle.setAttribute("aria-label", name);
    this.toggle.title = filled(words.hooks_play_keys, { name });
    this.root.classList.toggle("lg-playing", playing);
    this.previous.disabled = place === 0;
    this.next.disabled = place === count - 1;
    this.slider.max = String(count);
    this.slider.value = String(place + 1);
    this.slider.style.setProperty("--done", `${count > 1 ? (100 * place) / (count - 1) : 0}%`);
    // A screen reader follows the slider that has the focus: at speed it would never end.
    this.slider.setAttribute("aria-valuetext", playing ? words.hooks_playing : said);
    this.count.textContent = filled(words.hooks_step, { step: place + 1, steps: count });
    this.speed.value = String(speed);
  }
}

/** The speed that this visitor chose last. */
export function keptSpeed() {
  try {
    return Number(localStorage.getItem(SPEED));
  } catch {
    return NaN;
  }
}

/** @param {number} speed */
function keepSpeed(speed) {
  try {
    localStorage.setItem(SPEED, String(speed));
  } catch { /* without storage, it holds until the view is left */ }
}
