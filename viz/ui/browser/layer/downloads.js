// Downloads of the view on screen: pictures, figures, numbers, the script that makes it.

import { addressOf, asPrinted, withoutRoom } from "../maps/addresses.js";
import { element, find } from "../maps/mosaic.js";
import { homeAddress } from "./home.js";

/** @typedef {import("./viewer.js").LayerView} LayerView */

/** @param {LayerView} viewer */
export function drawDownloads(viewer) {
  const { downloads } = viewer.parts;
  find(downloads, "summary").textContent = viewer.words.download;
  downloads.ontoggle ??= () => listDownloads(viewer);
  listDownloads(viewer);
}

// Only while the menu is open: a flip through layers need not build what is not visible.
/** @param {LayerView} viewer */
function listDownloads(viewer) {
  const { parts, page, words } = viewer;
  if (!parts.downloads.open || !page) return;
  const look = { ...viewer.look, channel: viewer.channel };
  const forms = [["png", words.download_figure], ["svg", words.download_svg], ["pdf", words.download_pdf], ["npz", words.download_npz], ["safetensors", words.download_safetensors]];
  /** @type {(text: string, href: string, name: string) => HTMLElement} */
  const link = (text, href, name) => {
    const made = element("a", "", text);
    Object.assign(made, { href, download: name });
    return made;
  };
  find(parts.downloads, "div").replaceChildren(
    link(words.download_png, wholeAddress(page), `${viewer.data.model}-${viewer.layer}-maps.png`),
    ...forms.map(([form, text]) => link(text, asPrinted(page, `export.${form}`), "")),
    scriptButton(viewer),
    link(words.download_picture, addressOf(page.subject, "picture.png"), "picture.png"),
    link(words.home_layer_html, homeAddress(viewer.data.subject, look, "html", viewer.layer, words), ""),
    link(words.home_all_html, homeAddress(viewer.data.subject, look, "html", "", words), ""),
    link(words.home_all_gif, homeAddress(viewer.data.subject, look, "gif", "", words), ""),
  );
}

// The mosaic on screen, but with a pixel for each value.
/** @param {DrawnPage} page */
function wholeAddress(page) {
  return asPrinted(withoutRoom(page), "layer.png", `columns=${page.facts.geometry.columns}`);
}

// The server may refuse a script, so it is fetched first.
/** @param {LayerView} viewer */
function scriptButton({ copying, words }) {
  const button = element("button", "", words.download_code);
  button.type = "button";
  button.onclick = () => copying.saveCode();
  return button;
}
