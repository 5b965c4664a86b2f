// Where a class is seen: Grad-CAM of the layer on screen, and saliency, laid over what the model saw.

import { aboutOf, addressOf, placeFields } from "../maps/question.js";
import { said } from "../maps/said.js";
import { onceGone } from "../page/gone.js";

const AGAIN_MS = 400;
const KEPT = 64;
const attributions = new WeakMap();

class Attribution {
  constructor(parent) {
    this.known = new Map();
    this.root = document.createElement("section");
    this.root.className = "lg-attribution";
    this.cam = photoFigure();
    this.saliency = photoFigure();
    this.strength = strengthControl((share) => this.root.style.setProperty("--strength", share));
    this.root.append(this.cam.root, this.saliency.root, this.strength.root);
    parent.append(this.root);
    const shown = ({ detail }) => this.showLayer(detail.layer, detail.call);
    window.addEventListener("layerglass:shown", shown);
    this.close = () => window.removeEventListener("layerglass:shown", shown);
  }

  update(data) {
    const other = !this.data || aboutOf(this.data) !== aboutOf(data);
    this.data = data;
    this.root.dataset.subject = data.subject;
    this.strength.name(data.words.strength);
    for (const figure of [this.cam, this.saliency]) figure.photo(addressOf(data.subject, "seen.png"));
    if (!other) return;
    this.show(this.saliency, addressOf(data.subject, "saliency.json", data.look), data.words.saliency);
    this.showLayer(data.layer, data.call);
  }

  showLayer(layer, call) {
    const { subject, look, layers } = this.data;
    if (!layers.includes(layer)) return;
    this.show(this.cam, addressOf(subject, "cam.json", { ...look, ...placeFields(layer, call) }), this.data.words.grad_cam.replace("{layer}", layer));
  }

  async show(figure, address, title) {
    figure.address = address;
    const found = await this.found(address);
    if (figure.address !== address) return;
    if (found.again) return setTimeout(() => { if (figure.address === address) this.show(figure, address, title); }, AGAIN_MS);
    figure.draw(title, found, this.data.words);
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

export default function ({ data, parentElement }) {
  let attribution = attributions.get(parentElement);
  if (!attribution) {
    attribution = new Attribution(parentElement);
    attributions.set(parentElement, attribution);
  }
  attribution.update(data);
  return onceGone(parentElement, () => {
    attribution.close();
    attribution.root.remove();
    attributions.delete(parentElement);
  });
}
