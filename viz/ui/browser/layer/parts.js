// The viewer's elements, and functions that write facts into them.

import { channelFigures, figures } from "../maps/figures.js";
import { element, filled, find, meansNote, percent, readable, tileBox } from "../maps/mosaic.js";
import { joined, said, tell, withMore } from "../maps/said.js";
import { scaleNote } from "../maps/scales.js";
import { shapeText } from "../maps/shape.js";
import { stands } from "../page/stands.js";
import { drawDownloads } from "./downloads.js";
import { drawLegend, legendOf } from "./legend.js";
import { sentenceOf } from "./sentence.js";

// The name of the layer, the buttons to its neighbours, and what type of layer it is; the comparison has the same.
export const HEAD = `<header class="lg-head">
      <h2 class="lg-layer"></h2>
      <nav class="lg-steps"><button type="button" class="lg-previous"></button><button type="button" class="lg-next"></button></nav>
    </header>
    <div class="lg-about"><p class="lg-sentence"></p><ul class="lg-legend"></ul></div>
    <p class="lg-kind" hidden></p>`;

/** @typedef {ReturnType<typeof headParts>} HeadParts */
/** @typedef {ReturnType<typeof buildViewer>} ViewerParts */
/** @typedef {import("./viewer.js").LayerView} LayerView */

/** The parts of HEAD. @param {HTMLElement} root */
export function headParts(root) {
  return {
    layer: find(root, "h2.lg-layer"), sentence: find(root, "p.lg-sentence"), kind: find(root, "p.lg-kind"),
    previous: find(root, "button.lg-previous"), next: find(root, "button.lg-next"),
  };
}

/** @param {HTMLElement} parent */
export function buildViewer(parent) {
  const root = element("section", "lg-viewer");
  root.dataset.part = "viewer";
  root.tabIndex = 0;
  root.innerHTML = `
    ${HEAD}
    <section class="lg-reading" hidden></section>
    <div class="lg-quiet"><p class="lg-facts"></p><p class="lg-note"></p><p class="lg-figures"></p></div>
    <div class="lg-edits" hidden></div>
    <div class="lg-body">
      <div class="lg-main"><div class="lg-options"></div><div class="lg-room"><div class="lg-frame"><div class="lg-mark lg-selected"></div><div class="lg-mark lg-hovered"></div></div>
        <p class="lg-reason" role="status"></p></div>
        <footer class="lg-foot"><span class="lg-zooms"><button type="button" class="lg-zoom-out"></button><button type="button" class="lg-zoom-in"></button><button type="button" class="lg-brighter" hidden></button><button type="button" class="lg-reduce" hidden></button></span><span class="lg-status" role="status"></span><span class="lg-take"><button type="button" class="lg-link"></button><button type="button" class="lg-code"></button><details class="lg-menu lg-downloads"><summary></summary><div></div></details></span></footer>
        <div class="lg-drawing-place"></div></div>
      <aside class="lg-panel"></aside>
    </div>
    <section class="lg-number" hidden></section>
    <section class="lg-study" hidden></section>`;
  parent.append(root);
  return {
    root, ...headParts(root), facts: find(root, "p.lg-facts"), figures: find(root, "p.lg-figures"), edits: find(root, "div.lg-edits"), note: find(root, "p.lg-note"),
    legend: find(root, "ul.lg-legend"), options: find(root, "div.lg-options"), main: find(root, "div.lg-main"), room: find(root, "div.lg-room"), zooms: find(root, "span.lg-zooms"), brighter: find(root, "button.lg-brighter"), reduce: find(root, "button.lg-reduce"), frame: find(root, "div.lg-frame"),
    selected: find(root, "div.lg-selected"), hovered: find(root, "div.lg-hovered"), reason: find(root, "p.lg-reason"),
    panel: find(root, "aside.lg-panel"), status: find(root, "span.lg-status"), link: find(root, "button.lg-link"),
    code: find(root, "button.lg-code"), downloads: find(root, "details.lg-downloads"), number: find(root, "section.lg-number"),
    study: find(root, "section.lg-study"), reading: find(root, "section.lg-reading"),
  };
}

/**
 * @param {Object} viewer
 * @param {HeadParts} viewer.parts
 * @param {readonly LayerRow[]} viewer.rows
 * @param {number} viewer.index
 * @param {boolean} viewer.veiled - whether sizes and settings are hidden
 * @param {(by: number) => import("./way.js").Stop<LayerRow> | undefined} viewer.stop
 * @param {Words} viewer.words
 * @param {SubjectFacts} viewer.data
 * @param {import("./kind.js").Kind} viewer.kind
 */
export function drawHeading(viewer) {
  const { parts, rows, index, words } = viewer;
  const { name: layer, type, detail } = rows[index];
  parts.layer.replaceChildren(document.createTextNode(layer), element("small", "", ` ${type} ${viewer.veiled ? "" : detail}`));
  viewer.kind.draw(type, viewer.data.kinds, words);
  /** @type {(button: HTMLButtonElement, by: number, label: string, before: string, after: string) => void} */
  const neighbour = (button, by, label, before, after) => {
    const stop = viewer.stop(by);
    const nth = stop && stop.row.calls > 1 ? ` (${stop.call + 1})` : "";
    button.disabled = !stop;
    button.textContent = stop ? `${before}${shortName(stop.row.name)}${nth}${after}` : `${before}${after}`;
    button.title = stop ? stop.row.name + nth : "";
    button.setAttribute("aria-label", stop ? `${label}: ${stop.row.name}${nth}` : label);
  };
  neighbour(parts.previous, -1, words.previous, "‹ ", "");
  neighbour(parts.next, 1, words.next, "", " ›");
}

// The last two parts of a dotted name: enough to recognise a neighbour.
/** @param {string} name */
function shortName(name) {
  return name.split(".").slice(-2).join(".");
}

/** @type {(viewer: LayerView, page: DrawnPage) => void} */
export function drawMosaic(viewer, { facts, image }) {
  const { parts, layer, words } = viewer;
  const s = facts.statistics;
  /** @type {(text: string) => string} */
  const unless = (text) => (viewer.hidden ? "?" : text);
  image.className = "lg-maps";
  image.alt = filled(viewer.gradient ? words.alt_gradient : words.alt, {
    layer, shape: viewer.veiled ? "?" : facts.shape.join(" × "), 
    min: unless(readable(s.minimum)), max: unless(readable(s.maximum)), mean: unless(readable(s.mean)), zeros: unless(percent(s.zeros)),
  });
  image.dataset.layer = layer;
  image.dataset.call = String(viewer.call);
  parts.frame.querySelector("img")?.remove();
  parts.frame.prepend(image);
  parts.frame.hidden = false;
  showWithMaps(parts, true);
  parts.reason.textContent = "";
}

// Without maps there is nothing to enlarge, to download or to write as code. The page stands with and without.
/** @type {(parts: ViewerParts, there: boolean) => void} */
function showWithMaps({ panel, code, downloads, zooms }, there) {
  for (const part of [panel, code, downloads, zooms]) part.hidden = !there;
  stands();
}

// A layer without maps: the reason in place of the maps.
/** @type {(viewer: LayerView, ...reason: (string | Node)[]) => void} */
export function drawReason(viewer, ...reason) {
  const { parts } = viewer;
  viewer.page = null;
  viewer.zoom.end();
  parts.root.removeAttribute("aria-busy");
  parts.frame.querySelector("img")?.remove();
  parts.frame.hidden = true;
  showWithMaps(parts, false);
  viewer.copying.draw(viewer.words);
  for (const part of [parts.sentence, parts.facts, parts.figures, parts.legend, parts.note, parts.status]) part.textContent = "";
  parts.options.replaceChildren();
  parts.reason.replaceChildren(...reason);
  viewer.study.keepTo(null);
  viewer.number.close();
  viewer.reading.hide();
  viewer.form.draw(null, viewer.channel, false, viewer.data);
}

// Write the sentence about the maps; below it, more quietly, the exact facts of their numbers, and the legend.
/** @type {(viewer: LayerView, page: DrawnPage) => void} */
export function drawFacts(viewer, page) {
  const { parts, words, data } = viewer;
  const { facts } = page;
  const made = data.sentences[data.sentence_of[data.rows.findIndex(({ name }) => name === facts.layer)]] ?? "";
  parts.sentence.textContent = viewer.veiled ? words.asking_hides : sentenceOf(facts, made, viewer.gradient, words);
  parts.sentence.title = viewer.veiled ? "" : said(facts, "note", words);
  const strip = [
    ...(viewer.veiled ? [] : [shapeText(facts.shape)]),
    ...(facts.rows > 1 ? [filled(words.row_of, { row: facts.row + 1, rows: facts.rows })] : []),
    ...(facts.calls > 1 ? [filled(words.call, { call: facts.call + 1, calls: facts.calls })] : []),
    ...(page.live ? [words.is_live] : []), ...viewer.edits.facts(words), data.trained, words.eval, facts.dtype, facts.device,
  ];
  parts.facts.textContent = strip.join(" · ");
  parts.figures.textContent = layerFigures(facts.statistics, words).join(" · ");
  drawLegend(parts.legend, legendOf(facts, words));
  viewer.brighter.draw(facts, words);
  drawNote(viewer, page);
  parts.status.textContent = words.choose_channel;
  viewer.copying.draw(words);
  drawDownloads(viewer);
}

// The statistics of a whole layer, with its values that are no numbers. Without a finite value nothing is constant.
/** @type {(found: LayerFigures, words: Words) => string[]} */
export function layerFigures(found, words) {
  const infinities = found.positive_infinities + found.negative_infinities;
  return [
    ...figures(found, words),
    ...(found.nan ? [`${words.nan} ${found.nan}`] : []),
    ...(infinities ? [`${words.inf} ${infinities}`] : []),
    ...(found.minimum !== null && found.minimum === found.maximum ? [words.constant] : []),
  ];
}

// Write a note on the drawing, if there is one; before it, anything that a link asked for and that does not exist.
/** @type {(viewer: LayerView, page: DrawnPage) => void} */
export function drawNote(viewer, { facts, live = false }) {
  const { parts, words } = viewer;
  const { refused } = viewer;
  const usual = refused ? filled(words.as_usual, { reason: said(refused, "error", words) }) : "";
  const vain = viewer.vain ? filled(words.in_vain, viewer.vain) : "";
  tell(parts.note, joined([vain, refused?.document ? withMore(usual, refused.document, words) : usual, facts.plain ? "" : said(facts, "note", words), scaleNote(facts, words, live), meansNote(facts.geometry, words)]));
}

/** @type {(facts: LayerFacts, channel: number, words: Words) => string} */
export function channelFacts({ channels }, channel, words) {
  return [filled(words.channel, { channel }), ...channelFigures(channels, channel, words)].join(" · ");
}

/** @type {(mark: HTMLElement, geometry: Geometry, channel: ?number, drawn: {scale: number, stretch: number}) => void} */
export function frameTile(mark, geometry, channel, { scale, stretch }) {
  mark.hidden = channel === null;
  if (channel === null) return;
  const box = tileBox(geometry, channel);
  mark.style.transform = `translate(${box.x * scale}px, ${box.y * scale * stretch}px)`;
  mark.style.width = `${box.width * scale}px`;
  mark.style.height = `${box.height * scale * stretch}px`;
}
