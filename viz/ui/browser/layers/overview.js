// Every layer on one canvas; a click goes to the layer.

import { homeChoice } from "../layer/home.js";
import { LiveCards } from "../live/live_cards.js";
import { addressOf, allDrawnQuery } from "../maps/addresses.js";
import { element } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { shapeText } from "../maps/shape.js";
import { answerOf } from "../page/asking.js";

export class Overview {
  constructor(root, page) {
    this.page = page;
    this.root = element("section", "lg-overview");
    root.append(this.root);
    this.live = new LiveCards(this.root, () => this.load());
  }

  show(look) {
    const { subject, words } = this.page.data;
    const query = allDrawnQuery(look);
    const about = `${subject} ${query} ${words.language_code}`;
    if (about === this.about) return;
    if (!this.about) this.root.textContent = words.overview_loading;
    Object.assign(this, { about, subject, query, look, words });
    this.root.dataset.subject = subject;
    this.live.follow(subject, query);
    this.load();
  }

  // Keep what is on screen until the new pictures are there.
  async load() {
    const { about, subject, query, look, words } = this;
    this.root.setAttribute("aria-busy", "true");
    const found = await answerOf(addressOf(subject, "overview.json", query), () => this.about === about && !this.closed);
    if (!found) return;
    this.root.removeAttribute("aria-busy");
    if (found.error) return void (this.root.textContent = said(found, "error", words));
    const exports = element("p", "lg-overview-exports");
    exports.append(`${words.download}: `, ...["png", "svg", "pdf"].map((form) => exportLink(addressOf(subject, `overview.${form}`, query), form)));
    exports.append(homeChoice(subject, look, found.map(({ layer }) => layer), words));
    if (found[0] && found[0].low !== null) exports.append(overviewScale(found[0], words));
    const grid = element("div", "lg-overview-grid");
    const choose = (layer) => {
      this.page.store.dispatch({ type: "layer", layer });
      this.page.store.dispatch({ type: "view", view: "layer" });
    };
    grid.append(...found.map((thumb, place) => card({ ...thumb, problem: said(thumb, "problem", words) }, place, choose)));
    this.root.replaceChildren(exports, grid);
  }

  close() {
    this.closed = true;
    this.live.close();
  }
}

// What the colours stand for, if all pictures share one scale.
function overviewScale({ low, high }, words) {
  const note = document.createElement("span");
  note.className = "lg-overview-scale";
  const digits = (number) => String(Number(number.toPrecision(4))).replace("-", "−");
  note.textContent = words.scale_overview_note.replace("{low}", digits(low)).replace("{high}", digits(high));
  return note;
}

function exportLink(href, form) {
  const link = document.createElement("a");
  Object.assign(link, { href, download: "", textContent: form.toUpperCase() });
  return link;
}

function card({ layer, type, shape, png, problem }, place, chosen) {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.layer = layer;
  button.onclick = () => chosen(layer);
  const size = shapeText(shape);
  const label = document.createElement("span");
  label.className = "lg-card-name";
  label.textContent = layer;
  const about = document.createElement("span");
  about.className = "lg-card-about";
  about.textContent = problem || `${type} · ${size}`;
  button.title = `${place + 1}. ${layer}: ${problem || `${type}, ${size}`}`;
  if (png) {
    const image = document.createElement("img");
    image.src = `data:image/png;base64,${png}`;
    image.alt = `${layer}, ${type}, ${size}`;
    button.append(image);
  }
  button.append(label, about);
  return button;
}
