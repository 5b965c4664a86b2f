// Where a class is seen: Grad-CAM of the layer on screen, and saliency, laid over what the model saw.

import { addressOf, queryOf, seenAddress } from "../maps/addresses.js";
import { said } from "../maps/said.js";

const AGAIN_MS = 400;
const KEPT = 64;

export class Attribution {
  constructor(parent) {
    this.known = new Map();
    this.root = document.createElement("section");
    this.root.className = "lg-attribution";
    this.cam = photoFigure();
    this.saliency = photoFigure();
    this.strength = strengthControl((share) => this.root.style.setProperty("--strength", share));
    this.root.append(this.cam.root, this.saliency.root, this.strength.root);
    parent.append(this.root);
  }

  // Takes the look and the subject; only what they change is asked for.
  follow(look, { subject, words }) {
    Object.assign(this, { words });
    this.strength.name(words.strength);
    for (const figure of [this.cam, this.saliency]) figure.photo(seenAddress(subject));
    this.show(this.saliency, addressOf(subject, "saliency.json", queryOf(look, ["edit", "target"])), words.saliency);
    const layer = queryOf(look, ["view", "layer", "call", "edit", "target"]);
    this.show(this.cam, addressOf(subject, "cam.json", layer), words.grad_cam.replace("{layer}", look.layer));
  }

  async show(figure, address, title) {
    if (figure.address === address && figure.title === title) return;
    Object.assign(figure, { address, title });
    await this.ask(figure);
  }

  async ask(figure) {
    const { address, title } = figure;
    const found = await this.found(address);
    if (figure.address !== address) return;
    if (found.again) return void setTimeout(() => { if (figure.address === address) this.ask(figure); }, AGAIN_MS);
    figure.draw(title, found, this.words);
  }

  // What the server says; only lasting answers are kept.
  async found(address) {
    if (this.known.has(address)) return this.known.get(address);
    try {
      const answer = await fetch(address);
      const found = await answer.json();
      if (found.superseded || answer.status >= 500) return { again: true };
      this.known.set(address, found);
      if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value);
      return found;
    } catch {
      return { again: true };
    }
  }
}

function photoFigure() {
  const root = document.createElement("figure");
  root.innerHTML = `<figcaption></figcaption><div><img class="lg-under" alt=""><img class="lg-over"></div><p role="status"></p>`;
  const [under, over] = root.querySelectorAll("img");
  return {
    root,
    photo: (source) => { if (under.getAttribute("src") !== source) under.src = source; },
    draw: (title, found, words) => {
      root.querySelector("figcaption").textContent = title;
      root.querySelector("figcaption").title = title;
      const problem = found.of_edit ? "" : said(found, "error", words); // if an edit is the reason, the maps beside this say so
      root.querySelector("p").textContent = problem ?? (found.empty ? words.grad_cam_empty : "");
      over.hidden = !found.png;
      over.alt = title;
      if (found.png) over.src = `data:image/png;base64,${found.png}`;
    },
  };
}

function strengthControl(changed) {
  const root = document.createElement("label");
  root.className = "lg-overlay";
  root.innerHTML = `<span></span><input type="range" min="0" max="1" step="0.05" value="0.6">`;
  const input = root.querySelector("input");
  input.addEventListener("input", () => changed(input.value));
  return { root, name: (text) => { root.querySelector("span").textContent = text; } };
}
