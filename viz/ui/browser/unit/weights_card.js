// The weights of a unit, the strongest first, and the batch norm behind it.

import { kernelSize } from "../maps/kernels.js";
import { element, filled, readable } from "../maps/mosaic.js";

const LARGEST = 24; // screen pixels for one weight

export class WeightsCard {
  constructor() {
    this.root = element("section", "lg-unit-card lg-unit-weights");
    this.root.setAttribute("aria-busy", "true");
  }

  /** @type {(found: UnitFacts, words: Words) => void} */
  show(found, words) {
    const { weights, folded } = found;
    const title = element("h3", "", words.unit_weights);
    this.root.setAttribute("aria-label", words.unit_weights);
    if (!weights) return void this.root.replaceChildren(title, element("p", "", filled(words.unit_no_weights, { type: found.type })));
    const { count } = weights.kernels;
    const text = filled(words.unit_weights_said, { count, total: weights.total, size: kernelSize(weights), limit: readable(weights.limit) });
    const image = element("img");
    image.src = `data:image/png;base64,${weights.png}`;
    image.alt = text;
    image.style.width = `${Math.min(LARGEST, Math.max(1, Math.floor(this.room / weights.width))) * weights.width}px`;
    const parts = [title, image, scale(weights.limit), element("p", "", text)];
    if (weights.bias !== null) parts.push(element("p", "", filled(words.unit_bias, { bias: readable(weights.bias) })));
    if (folded) parts.push(element("p", "", filled(words.unit_folded, { layer: folded.layer, scale: readable(folded.scale), shift: readable(folded.shift) })));
    this.root.replaceChildren(...parts);
    return undefined;
  }

  // Width that the picture may have.
  get room() {
    return Math.max(120, this.root.clientWidth - 28);
  }
}

// Scale of the weights' colours, from blue to red.
/** @param {number} limit */
function scale(limit) {
  const root = element("div", "lg-unit-scale");
  root.append(element("span", "", readable(-limit)), element("span", "lg-unit-colours"), element("span", "", readable(limit)));
  return root;
}
