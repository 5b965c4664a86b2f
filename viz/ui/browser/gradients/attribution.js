// Where a class is seen: Grad-CAM of the layer on screen, and saliency, laid over what the model saw.

import { addressOf, queryOf, seenAddress } from "../maps/addresses.js";
import { element, filled, find } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { answerOf } from "../page/asking.js";

const KEPT = 64;

/** @typedef {Answer & {png?: Png, empty?: boolean}} Laid - over the picture: cam.json or saliency.json */
/** @typedef {Address<"cam.json" | "saliency.json">} Laying */
/** @typedef {ReturnType<typeof photoFigure>} Figure */

export class Attribution {
  /** @type {Map<string, Laid>} */
  known = new Map();

  /** @type {Words} */
  words = {};

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = element("section", "lg-attribution");
    this.cam = photoFigure();
    this.saliency = photoFigure();
    this.strength = strengthControl((share) => this.root.style.setProperty("--strength", share));
    this.root.append(this.cam.root, this.saliency.root, this.strength.root);
    parent.append(this.root);
  }

  // Takes the look and the subject; only what they change is asked for.
  /** @type {(look: Look, data: SubjectFacts) => void} */
  follow(look, { subject, words }) {
    this.words = words;
    this.strength.name(words.strength);
    for (const figure of [this.cam, this.saliency]) figure.photo(seenAddress(subject));
    this.show(this.saliency, addressOf(subject, "saliency.json", queryOf(look, ["edit", "target"])), words.saliency);
    const layer = queryOf(look, ["view", "layer", "call", "edit", "target"]);
    this.show(this.cam, addressOf(subject, "cam.json", layer), filled(words.grad_cam, { layer: look.layer }));
  }

  /** @type {(figure: Figure, address: Laying, title: string) => Promise<void>} */
  async show(figure, address, title) {
    if (figure.address === address && figure.title === title) return;
    Object.assign(figure, { address, title });
    await this.ask(figure, address);
  }

  /** @type {(figure: Figure, address: Laying) => Promise<void>} */
  async ask(figure, address) {
    const found = this.known.get(address) ?? await answerOf(address, () => figure.address === address);
    if (!found) return;
    if (!found.error) this.keep(address, found); // the reason of a refusal may have gone by the next time
    figure.draw(figure.title, found, this.words);
  }

  /** @type {(address: string, found: Laid) => void} */
  keep(address, found) {
    this.known.set(address, found);
    if (this.known.size > KEPT) this.known.delete([...this.known.keys()][0]);
  }
}

function photoFigure() {
  const root = element("figure");
  root.innerHTML = `<figcaption></figcaption><div><img class="lg-under" alt=""><img class="lg-over"></div><p role="status"></p>`;
  const [caption, problem] = [find(root, "figcaption"), find(root, "p")];
  const [under, over] = [find(root, "img.lg-under"), find(root, "img.lg-over")];
  return {
    root,
    address: "",
    title: "",
    /** @param {string} source */
    photo: (source) => { if (under.getAttribute("src") !== source) under.src = source; },
    /** @type {(title: string, found: Laid, words: Words) => void} */
    draw: (title, found, words) => {
      caption.textContent = title;
      caption.title = title;
      const sentence = found.of_edit ? "" : said(found, "error", words); // if an edit is the reason, the maps beside this say so
      problem.textContent = sentence || (found.empty ? words.grad_cam_empty : "");
      over.hidden = !found.png;
      over.alt = title;
      if (found.png) over.src = `data:image/png;base64,${found.png}`;
    },
  };
}

/** @param {(share: string) => void} changed */
function strengthControl(changed) {
  const root = element("label", "lg-overlay");
  root.innerHTML = `<span></span><input type="range" min="0" max="1" step="0.05" value="0.6">`;
  const input = find(root, "input");
  input.addEventListener("input", () => changed(input.value));
  return { root, name: (/** @type {string} */ text) => { find(root, "span").textContent = text; } };
}
