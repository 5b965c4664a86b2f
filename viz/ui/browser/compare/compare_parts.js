// The comparison's elements, and how a comparison is written into them.

import { HEAD, inkColour } from "../layer/parts.js";
import { aboutPage } from "../maps/addresses.js";
import { element, filled, meansNote, readable } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { shapesApart, SIDES } from "./pairs.js";

export function buildComparison(parent) {
  const root = element("section", "lg-viewer lg-compare");
  root.tabIndex = 0;
  root.innerHTML = `
    <div class="lg-pair-notices" role="status"></div>
    <div class="lg-other" hidden></div>
    ${HEAD}
    <p class="lg-note"></p>
    <div class="lg-asking"></div>
    <p class="lg-reason" role="status"></p>
    <div class="lg-sides"></div>
    <footer class="lg-foot"><span class="lg-status" role="status"></span></footer>`;
  const body = root.querySelector(".lg-sides");
  const sides = Object.fromEntries(SIDES.map((side) => [side, buildSide(side)]));
  body.append(...SIDES.map((side) => sides[side].root));
  parent.append(root);
  const part = (name) => root.querySelector(`.lg-${name}`);
  const names = ["layer", "note", "previous", "next", "present", "ask", "kind", "title", "reason", "status", "asking"];
  return { root, body, sides, choices: part("other"), notices: part("pair-notices"), ...Object.fromEntries(names.map((name) => [name, part(name)])) };
}

function buildSide(side) {
  const root = element("figure", "lg-side");
  root.dataset.side = side;
  root.innerHTML = `
    <figcaption><b></b> <span class="lg-side-label"></span><span class="lg-side-facts"></span></figcaption>
    <div class="lg-frame"><div class="lg-mark lg-selected"></div><div class="lg-mark lg-hovered"></div></div>
    <p class="lg-side-reason" role="status"></p>
    <div class="lg-closer" hidden><span class="lg-closer-name"></span><div class="lg-closer-row"><div class="lg-stack"><canvas class="lg-large"></canvas></div><img class="lg-bar" alt=""></div></div>`;
  const part = (name) => root.querySelector(name);
  return {
    root, letter: part("b"), label: part(".lg-side-label"), facts: part(".lg-side-facts"), frame: part(".lg-frame"),
    selected: part(".lg-selected"), hovered: part(".lg-hovered"), reason: part(".lg-side-reason"),
    closer: part(".lg-closer"), channelName: part(".lg-closer-name"), canvas: part("canvas"), stack: part(".lg-stack"), bar: part(".lg-bar"),
  };
}

// A sentence for each thing that the look asks of the other side in vain.
export function drawNotices({ parts }, found) {
  const notices = found?.notices ?? [];
  const shown = [...parts.notices.children].map(({ textContent }) => textContent);
  if (notices.join("\n") === shown.join("\n")) return; // said again, it would be read out again
  parts.notices.replaceChildren(...notices.map((text) => element("p", "lg-notice", text)));
}

export function nameSides({ parts, other: { found: { labels } }, words }) {
  const names = { left: ["A", labels.left], right: ["B", labels.right], difference: [words.pair_difference, ""] };
  for (const side of SIDES) {
    const [letter, label] = names[side];
    parts.sides[side].letter.textContent = letter;
    parts.sides[side].label.textContent = label;
    parts.sides[side].label.title = label;
  }
}

export function drawSides(comparison) {
  const { parts, page, words, other } = comparison;
  parts.reason.textContent = "";
  parts.asking.replaceChildren();
  parts.body.hidden = false;
  for (const side of SIDES) drawSide(comparison, side);
  const reasons = { left: said(page, "problem_left", words), right: said(page, "problem_right", words), difference: "" };
  if (!page.sides.difference && page.sides.left && page.sides.right) reasons.difference = shapesApart(page.sides, words);
  for (const side of SIDES) parts.sides[side].reason.textContent = reasons[side];
  parts.note.textContent = [pairScale(page, words), pairMeans(page, words), other.found.alike ? "" : words.pair_meaning].filter(Boolean).join(" · ");
  comparison.say("");
}

// What the colours of both sides stand for.
function pairScale({ sides }, words) {
  const { facts } = sides.left ?? sides.right ?? {};
  if (!facts) return "";
  const text = { clipped: words.pair_scale_clipped, model: words.pair_scale_model }[facts.scale] ?? words.pair_scale;
  return filled(text, { low: readable(facts.vmin), high: readable(facts.vmax) });
}

// How many values a pixel stands for, on the side where that is most.
function pairMeans({ sides }, words) {
  const share = ({ facts: { geometry } }) => geometry.tile_height / geometry.map_height;
  const [coarsest] = Object.values(sides).sort((one, other) => share(one) - share(other));
  return coarsest ? meansNote(coarsest.facts.geometry, words) : "";
}

function drawSide({ parts, page, words, layer, theirs }, side) {
  const { frame, facts } = parts.sides[side];
  const found = page.sides[side];
  frame.querySelector("img")?.remove();
  frame.hidden = !found;
  facts.textContent = "";
  if (!found) return;
  const { image } = found;
  const s = found.facts.statistics;
  const name = side === "right" ? theirs.row.name : layer;
  const shape = found.facts.shape.slice(side === "difference" ? 0 : 1).join(" × ");
  const values = { layer: name, side: side === "left" ? "A" : "B", label: parts.sides[side].label.textContent, shape, min: readable(s.minimum), max: readable(s.maximum), mean: readable(s.mean) };
  image.className = "lg-maps";
  image.alt = filled(side === "difference" ? words.pair_difference_alt : words.pair_alt, values);
  image.dataset.layer = name;
  image.dataset.call = String(found.facts.call);
  frame.prepend(image);
  const same = side === "difference" && s.minimum === 0 && s.maximum === 0;
  facts.textContent = [side === "difference" ? "" : name, shape, same ? words.pair_identical : filled(words.pair_range, values)].filter(Boolean).join(" · ");
}

// The colour bars: one for both sides, beside B if there is a B, and one for their difference.
export function drawBars({ parts, page }) {
  const ink = inkColour(parts.root);
  for (const side of SIDES) {
    const { bar, canvas, closer } = parts.sides[side];
    bar.hidden = closer.hidden || (side === "left" && !parts.sides.right.closer.hidden);
    if (bar.hidden) continue;
    bar.src = aboutPage(page, `pair.${side}.bar.svg`, `ink=${ink}`);
    bar.style.visibility = "visible";
    bar.style.height = `${Math.max(150, parseFloat(canvas.style.height))}px`;
  }
}

// A layer that cannot be shown: the reason in place of both sides.
export function drawProblem({ parts }, sentence) {
  parts.root.removeAttribute("aria-busy");
  parts.body.hidden = true;
  parts.asking.replaceChildren();
  parts.note.textContent = "";
  parts.status.textContent = "";
  parts.reason.textContent = sentence;
}
