// The select box of attribution methods, with each one's meaning and settings.

import { lyingBox, named, redraw, selectBox } from "../layer/options.js";
import { CHOICES } from "../look/fields.js";
import { element, filled } from "../maps/mosaic.js";
import { withMore } from "../maps/said.js";

const STEPS = [10, 25, 50, 100, 200];
const PARTS = [14, 7, 4, 2]; // of the picture's side, for windows
const SHARES = [4, 2, 1]; // of the window, for strides

/** @typedef {(action: Action) => void} Choose */
/** @typedef {readonly (readonly [number, string])[]} Numbers */

export class MethodBox {
  shown = ""; // the method that is on screen
  drawn = ""; // its settings, once they are
  sits = ""; // the method for which it is chosen how its map lies

  /** @param {Choose} choose */
  constructor(choose) {
    this.choose = choose;
    this.root = element("div", "lg-method");
    this.said = element("p", "lg-method-said");
    this.choice = element("div");
    this.settings = element("div", "lg-method-settings");
    this.root.append(this.choice, this.said);
  }

  /** @type {(look: Look, words: Words) => void} */
  show({ method, at, lay }, words) {
    const shown = `${method} ${at} ${lay} ${words.language_code}`;
    if (this.shown === shown) return;
    Object.assign(this, { shown, drawn: "" });
    const names = CHOICES.method.map((each) => /** @type {const} */ ([each, nameOf(each, words)]));
    redraw(this.choice, [named("method", selectBox(words.method, names, method, (chosen) => this.choose({ type: "method", method: chosen })))]);
    this.said.replaceChildren(...withMore(saidOf(method, words), "why-this-class#which-method-should-i-choose", words));
    redraw(this.settings, [...(isOfLayer(method) ? [this.at(at, words)] : []), ...(this.sits === method ? [lyingBox("lay", lay, words, this.choose)] : [])]);
  }

  // Draw the settings, which are known with the first answer.
  /** @type {(look: Look, found: ExplanationFacts, words: Words) => void} */
  set({ method, at, lay }, found, words) {
    const { side, window, stride, steps, sits } = found;
    const drawn = [method, at, lay, sits, words.language_code, side, window, stride, steps].join(" ");
    if (this.drawn === drawn) return;
    this.drawn = drawn;
    /** @type {HTMLElement[]} */
    const boxes = isOfLayer(method) ? [this.at(at, words)] : [];
    if (steps) boxes.push(named("steps", selectBox(words.method_steps, plain(STEPS, steps), steps, (chosen) => this.choose({ type: "steps", steps: chosen }))));
    if (window) {
      const windows = PARTS.map((part) => Math.max(1, Math.floor(side / part)));
      const strides = SHARES.map((share) => Math.max(1, Math.floor(window / share)));
      boxes.push(
        named("window", selectBox(words.method_window, plain(windows, window), window, (chosen) => this.choose({ type: "window", window: chosen }))),
        named("stride", selectBox(words.method_stride, plain(strides, stride), stride, (chosen) => this.choose({ type: "stride", stride: chosen }))),
      );
    }
    this.sits = sits ? method : "";
    if (sits) boxes.push(lyingBox("lay", lay, words, this.choose));
    redraw(this.settings, boxes);
  }

  /** @type {(at: Look["at"], words: Words) => HTMLElement} */
  at(at, words) {
    const places = /** @type {const} */ ([["last", words.method_last], ["layer", words.method_layer]]);
    return named("at", selectBox(words.method_at, places, at, (chosen) => this.choose({ type: "at", at: chosen })));
  }
}

/** @param {Look["method"]} method */
export function isOfLayer(method) {
  return method === "grad-cam" || method === "conductance";
}

/** @param {Look["method"]} method */
function isOfAttention(method) {
  return method === "attention-rollout" || method === "attention-relevance";
}

/** @type {(method: Look["method"], words: Words) => string} */
export function nameOf(method, words) {
  return {
    "grad-cam": words.method_grad_cam, saliency: words.method_saliency, "integrated-gradients": words.method_integrated,
    occlusion: words.method_occlusion, conductance: words.method_conductance,
    "attention-rollout": words.method_rollout, "attention-relevance": words.method_relevance,
  }[method];
}

/** @type {(method: Look["method"], words: Words) => string} */
function saidOf(method, words) {
  return {
    "grad-cam": words.method_grad_cam_said, saliency: words.method_saliency_said, "integrated-gradients": words.method_integrated_said,
    occlusion: words.method_occlusion_said, conductance: words.method_conductance_said,
    "attention-rollout": words.method_rollout_said, "attention-relevance": words.method_relevance_said,
  }[method];
}

// The numbers of a method in words, beside its map: their sum, or their making.
/** @type {(method: Look["method"], found: ExplanationFacts, words: Words, readable: (value: unknown) => string) => string} */
export function factsOf(method, found, words, readable) {
  const { layer, height, width, window, stride, total, rise, gap, peak, high } = found;
  const places = filled(words.method_places, { layer, height, width });
  if (method === "grad-cam") return places;
  if (method === "saliency") return filled(words.method_brightest, { high: readable(high) });
  if (method === "occlusion") return filled(words.method_falls, { window, stride, windows: total, peak: readable(peak), score: readable(rise) });
  if (isOfAttention(method)) return filled(words.method_tokens, { height, width, peak: readable(peak) });
  if (gap === null || rise === null) return layer && places;
  const sum = filled(words.method_sum, { sum: readable(rise + gap), rise: readable(rise), gap: readable(gap) });
  return layer ? `${places} ${sum}` : sum;
}

// The meaning of a map of zeros: Grad-CAM is zero too where the class speaks against everything, and where nothing
// arrives.
/** @type {(method: Look["method"], found: ExplanationFacts, words: Words) => string} */
export function nothingIn(method, { reached }, words) {
  if (method !== "grad-cam") return words.method_zero;
  return reached ? words.grad_cam_empty : words.grad_cam_unreached;
}

/** @type {(known: readonly number[], chosen: number) => Numbers} */
function plain(known, chosen) {
  const all = [...new Set([...known, chosen])].sort((one, other) => one - other);
  return all.map((each) => [each, String(each)]);
}
