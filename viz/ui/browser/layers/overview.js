// Every layer on one canvas; a click goes to the layer.

import { homeChoice } from "../layer/home.js";
import { LiveCards } from "../live/live_cards.js";
import { aboutOf, addressOf } from "../maps/question.js";
import { said } from "../maps/said.js";
import { shapeText } from "../maps/shape.js";
import { onceGone } from "../page/gone.js";

export default function ({ data, parentElement, setTriggerValue }) {
  let root = parentElement.querySelector(".lg-overview");
  if (!root) {
    root = document.createElement("section");
    root.className = "lg-overview";
    parentElement.append(root);
    root.live = new LiveCards(root, () => load(root));
  }
  const another = !root.data || aboutOf(root.data) !== aboutOf(data);
  Object.assign(root, { data, choose: (layer) => setTriggerValue("layer", layer) });
  root.dataset.subject = data.subject;
  if (another) {
    root.textContent = data.words.overview_loading;
    load(root);
  }
  return onceGone(parentElement, () => {
    root.live.close();
    root.remove();
  });
}

// Keep what is on screen until the new pictures are there.
async function load(root) {
  const { data } = root;
  const { subject, look, words } = data;
  const answer = await fetch(addressOf(subject, "overview.json", look));
  const found = await answer.json();
  if (aboutOf(root.data) !== aboutOf(data)) return;
  if (!answer.ok) {
    root.textContent = said(found, "error", words);
    return;
  }
  const exports = document.createElement("p");
  exports.className = "lg-overview-exports";
  exports.append(`${words.download}: `, ...["png", "svg", "pdf"].map((form) => exportLink(data, form)));
  exports.append(homeChoice(data, found.map(({ layer }) => layer)));
  if (found[0] && found[0].low !== null) exports.append(overviewScale(found[0], words));
  const grid = document.createElement("div");
  grid.className = "lg-overview-grid";
  grid.append(...found.map((thumb, place) => card({ ...thumb, problem: said(thumb, "problem", words) }, place, (layer) => root.choose(layer))));
  root.replaceChildren(exports, grid);
}

// What the colours stand for, if all pictures share one scale.
function overviewScale({ low, high }, words) {
  const note = document.createElement("span");
  note.className = "lg-overview-scale";
  const digits = (number) => String(Number(number.toPrecision(4))).replace("-", "−");
  note.textContent = words.scale_overview_note.replace("{low}", digits(low)).replace("{high}", digits(high));
  return note;
}

function exportLink({ subject, look }, form) {
  const link = document.createElement("a");
  Object.assign(link, { href: addressOf(subject, `overview.${form}`, look), download: "", textContent: form.toUpperCase() });
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
