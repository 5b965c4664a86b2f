// The elements of the comparison, and their texts.

import { HEAD, headParts } from "../layer/parts.js";
import { drawColours, limits, placedColours } from "../maps/colours.js";
import { element, filled, find, meansNote, readable } from "../maps/mosaic.js";
import { drawNotices as draw, joined, said, tell, withMore } from "../maps/said.js";
import { sizesText } from "../maps/shape.js";
import { scaleInWords, shapesApart, shareScale, SIDES } from "./pairs.js";

/** @typedef {import("./compare.js").Compare} Compare */
/** @typedef {import("./compare.js").Theirs} Theirs */
/** @typedef {import("./pairs.js").Pair} Pair */
/** @typedef {import("./pairs.js").Side} Side */
/** @typedef {import("./pairs.js").SidePage} SidePage */
/** @typedef {ReturnType<typeof buildSide>} SideParts */
/** @typedef {ReturnType<typeof buildComparison>} ComparisonParts */

/** @param {HTMLElement} parent */
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
  const body = find(root, "div.lg-sides");
  const sides = { left: buildSide("left"), right: buildSide("right"), difference: buildSide("difference") };
  body.append(...SIDES.map((side) => sides[side].root));
  parent.append(root);
  return {
    root, body, sides, ...headParts(root), choices: find(root, "div.lg-other"), notices: find(root, "div.lg-pair-notices"),
    note: find(root, "p.lg-note"), reason: find(root, "p.lg-reason"), status: find(root, "span.lg-status"), asking: find(root, "div.lg-asking"),
  };
}

/** @param {Side} side */
function buildSide(side) {
  const root = element("figure", "lg-side");
  root.dataset.side = side;
  root.innerHTML = `
    <figcaption><b></b> <span class="lg-side-label"></span><span class="lg-side-facts"></span></figcaption>
    <div class="lg-frame"><div class="lg-mark lg-selected"></div><div class="lg-mark lg-hovered"></div></div>
    <p class="lg-side-reason" role="status"></p>
    <div class="lg-closer" hidden><span class="lg-closer-name"></span><div class="lg-closer-row"><div class="lg-stack"><canvas class="lg-large"></canvas></div><div class="lg-scale"></div></div></div>`;
  return {
    root, letter: find(root, "b"), label: find(root, "span.lg-side-label"), facts: find(root, "span.lg-side-facts"), frame: find(root, "div.lg-frame"),
    selected: find(root, "div.lg-selected"), hovered: find(root, "div.lg-hovered"), reason: find(root, "p.lg-side-reason"),
    closer: find(root, "div.lg-closer"), channelName: find(root, "span.lg-closer-name"), canvas: find(root, "canvas.lg-large"),
    stack: find(root, "div.lg-stack"), bar: find(root, "div.lg-scale"),
  };
}

// A sentence for each thing that the look asks of the other side in vain.
/** @type {(comparison: Compare, found: ?OtherFacts) => void} */
export function drawNotices({ parts, words, other }, found) {
  draw(parts.notices, found?.notices ?? [], words, found?.refused ? [againButton(words, other)] : []);
}

/** @type {(words: Words, other: import("./other.js").OtherSide) => HTMLElement} */
function againButton(words, other) {
  const button = element("button", "lg-again", String(words.refused_again));
  button.type = "button";
  button.onclick = () => other.again();
  return button;
}

/** @type {(comparison: Compare, labels: Labels) => void} */
export function nameSides({ parts }, labels) {
  for (const [side, letter] of /** @type {const} */ ([["left", "A"], ["right", "B"]])) {
    parts.sides[side].letter.textContent = letter;
    parts.sides[side].label.textContent = labels[side];
    parts.sides[side].label.title = labels[side];
  }
}

/** @type {(comparison: Compare, pair: Pair, theirs: Theirs) => void} */
export function drawSides(comparison, pair, theirs) {
  const { parts, words } = comparison;
  const { left, right, difference } = pair.sides;
  parts.reason.textContent = "";
  parts.asking.replaceChildren();
  parts.body.hidden = false;
  parts.sides.difference.letter.textContent = difference ? words.pair_difference : "";
  for (const side of SIDES) drawSide(comparison, pair, theirs, side);
  const apart = !difference && left && right ? shapesApart(left, right, words) : "";
  const reasons = { left: [said(pair, "problem_left", words)], right: [said(pair, "problem_right", words)], difference: withMore(apart, "compare#can-i-compare-the-colours-of-a-and-b", words) };
  for (const side of SIDES) tell(parts.sides[side].reason, reasons[side]);
  const instead = insteadNote(comparison, theirs), meaning = theirs.found.alike ? "" : words.pair_meaning;
  const models = instead ? meaning : withMore(meaning, "compare#how-do-i-compare-two-models", words); // one link is enough
  tell(parts.note, joined([scaleInWords(pair.sides, words), pairMeans(pair, words), withMore(instead, "compare#how-do-i-compare-two-layers", words), models]));
  comparison.say("");
}

// The reason for another layer in B than in A, if nobody chose it.
/** @type {(comparison: Compare, theirs: Theirs) => string} */
function insteadNote(comparison, { found }) {
  const { look, words, layer } = comparison;
  const instead = comparison.instead(look, found);
  return instead && filled(words.pair_instead, { layer, instead });
}

// Number of values per pixel, on the side where that is most, in words.
/** @type {(pair: Pair, words: Words) => string} */
function pairMeans({ sides }, words) {
  /** @param {SidePage} page */
  const share = ({ facts: { geometry } }) => geometry.tile_height / geometry.map_height;
  const [coarsest] = Object.values(sides).sort((one, other) => share(one) - share(other));
  return coarsest ? meansNote(coarsest.facts.geometry, words) : "";
}

/** @type {(comparison: Compare, pair: Pair, theirs: Theirs, side: Side) => void} */
function drawSide({ parts, words, layer, veiled }, pair, theirs, side) {
  const { frame, facts } = parts.sides[side];
  const found = pair.sides[side];
  frame.querySelector("img")?.remove();
  frame.hidden = !found;
  facts.textContent = "";
  if (!found) return;
  const { image } = found;
  const s = found.facts.statistics;
  const name = side === "right" ? theirs.row.name : layer;
  const sizes = found.facts.shape.slice(side === "difference" ? 0 : 1);
  const shape = sizesText(sizes);
  const values = { layer: name, side: side === "left" ? "A" : "B", label: parts.sides[side].label.textContent, shape: veiled ? "?" : shape, min: readable(s.minimum), max: readable(s.maximum), mean: readable(s.mean) };
  image.className = "lg-maps";
  image.alt = filled(side === "difference" ? words.pair_difference_alt : words.pair_alt, values);
  image.dataset.layer = name;
  image.dataset.call = String(found.facts.call);
  frame.prepend(image);
  const same = side === "difference" && s.minimum === 0 && s.maximum === 0;
  facts.textContent = [side === "difference" ? "" : name, shape, same ? words.pair_identical : filled(words.pair_range, values)].filter(Boolean).join(" · ");
}

// The colour bars: one for both sides, beside B if there is a B, and one for their difference; or one for each side.
/** @type {(parts: ComparisonParts, pair: Pair, colours: SubjectFacts["colours"]) => void} */
export function drawBars(parts, pair, colours) {
  const shared = shareScale(pair.sides) && !parts.sides.right.closer.hidden;
  for (const side of SIDES) {
    const { bar, canvas, closer } = parts.sides[side];
    bar.hidden = closer.hidden || (side === "left" && shared);
    const { facts } = pair.sides[side] ?? {};
    if (bar.hidden || !facts) continue;
    const ends = limits(facts, 0);
    drawColours(bar, placedColours(colours, facts), ends, ends, { length: parseFloat(canvas.style.height), upright: true });
    bar.style.height = canvas.style.height;
  }
}

// A layer that cannot be shown: the reason in place of both sides.
/** @type {(parts: ComparisonParts, reason: readonly (string | HTMLElement)[]) => void} */
export function drawProblem(parts, reason) {
  parts.root.removeAttribute("aria-busy");
  parts.body.hidden = true;
  parts.asking.replaceChildren();
  parts.note.textContent = "";
  parts.status.textContent = "";
  parts.reason.replaceChildren(...reason);
}
