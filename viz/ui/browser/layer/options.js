// Options of drawing a layer: its call, tensor, layout and slice. Chosen in the browser.

import { element, filled, find } from "../maps/mosaic.js";
import { helpLink, withHelp } from "../page/menu.js";

export const SHIFTED = "why-this-class#why-does-the-heatmap-look-shifted"; // of how cells lie on the picture

/** @type {(look: Look, other: Pick<Look, "leaf" | "kind" | "row" | "index">) => boolean} */
export function isLaidOutAs(look, other) {
  return look.leaf === other.leaf && look.kind === other.kind && look.row === other.row && look.index === other.index;
}

// Each choice is dispatched as an action of the look.
/** @type {(root: HTMLElement, facts: LayerFacts, words: Words, choose: (action: Action) => void) => void} */
export function drawOptions(root, facts, words, choose) {
  /** @type {HTMLElement[]} */
  const parts = [];
  if (facts.calls > 1) {
    /** @type {[number, string][]} */
    const calls = Array.from({ length: facts.calls }, (_, n) => [n, filled(words.call, { call: n + 1, calls: facts.calls })]);
    parts.push(named("call", selectBox(words.call_label, calls, facts.call, (call) => choose({ type: "call", call }))));
  }
  if (facts.leaves.length > 1) {
    parts.push(named("leaf", selectBox(words.value_label, facts.leaves.map((leaf) => /** @type {const} */ ([leaf, leaf])), facts.leaf, (leaf) => choose({ type: "leaf", leaf }))));
  }
  if (facts.kinds.length > 1) {
    parts.push(named("kind", selectBox(layoutLabel(facts, words), facts.kinds.map((kind) => /** @type {const} */ ([kind, layoutName(kind, words)])), facts.kind, (kind) => choose({ type: "kind", kind }))));
  }
  if (facts.rows > 1) parts.push(named("row", slider(words.row_label, facts.rows, facts.row, (row) => choose({ type: "row", row }))));
  if (facts.slices > 1) parts.push(named("index", slider(words.slice_label, facts.slices, facts.index, (index) => choose({ type: "index", index }))));
  redraw(root, parts);
}

/**
 * A box or slider whose control has a name, by which `redraw` knows its successor.
 * @type {(name: string, box: HTMLElement) => HTMLElement}
 */
export function named(name, box) {
  const control = box.querySelector("select") ?? find(box, "input");
  control.dataset.part = name;
  return box;
}

/** A box to choose how cells lie on the picture. @type {(part: string, lay: Look["lay"], words: Words, choose: (action: Action) => void) => HTMLElement} */
export function lyingBox(part, lay, words, choose) {
  const ways = /** @type {const} */ ([["centred", words.lay_centred], ["stretched", words.lay_stretched]]);
  const box = named(part, selectBox(words.lay, ways, lay, (chosen) => choose({ type: "lay", lay: chosen })));
  return withHelp(box, filled(words.more_about, { name: words.lay }), words.lay_title, helpLink(SHIFTED, words.help_more));
}

// Replace a root's contents. A named control that had the keys gives them to the one that comes after it: the next
// arrow is for that, not for the layers.
/** @type {(root: HTMLElement, parts: readonly HTMLElement[]) => void} */
export function redraw(root, parts) {
  const { activeElement } = document;
  const held = activeElement instanceof HTMLElement && root.contains(activeElement) ? activeElement.dataset.part : undefined;
  root.replaceChildren(...parts);
  const next = [...root.querySelectorAll("[data-part]")].find((each) => held && each instanceof HTMLElement && each.dataset.part === held);
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

// Label of the layout on screen: known or guessed; one that the visitor chose is neither.
/** @type {(facts: LayerFacts, words: Words) => string} */
function layoutLabel(facts, words) {
  if (facts.kind !== facts.kinds[0]) return words.kind_label;
  return `${words.kind_label} · ${facts.known ? words.layout_known : words.layout_guessed}`;
}

/** @type {(kind: string, words: Words) => string} */
function layoutName(kind, words) {
  /** @type {Record<string, string>} */
  const names = {
    maps: words.layout_maps,
    "channels-last": words.layout_channels_last,
    attention: words.layout_attention,
    "attention-query": words.layout_attention_query,
    tokens: words.layout_tokens,
    table: words.layout_table,
    "sequence-first": words.layout_sequence_first,
    signals: words.layout_signals,
    vector: words.layout_vector,
    bar: words.layout_bar,
    scalar: words.layout_scalar,
    volume: words.layout_volume,
    "volume-last": words.layout_volume_last,
    placed: words.layout_placed,
    phase: words.layout_phase,
  };
  return names[kind] ?? kind;
}

/**
 * @template {string | number} Value
 * @param {string} label
 * @param {readonly (readonly [Value, string])[]} options
 * @param {Value} current
 * @param {(value: Value) => void} chosen
 * @returns {HTMLLabelElement}
 */
export function selectBox(label, options, current, chosen) {
  const root = element("label", "lg-option", label);
  const select = element("select");
  for (const [value, text] of options) {
    const option = element("option", "", text);
    option.value = String(value);
    option.selected = value === current;
    select.append(option);
  }
  select.addEventListener("change", () => chosen(options[select.selectedIndex][0]));
  root.append(select);
  return root;
}

/** @type {(label: string, count: number, current: number, chosen: (value: number) => void) => HTMLElement} */
function slider(label, count, current, chosen) {
  const root = element("label", "lg-option", label);
  const input = element("input");
  Object.assign(input, { type: "range", min: 0, max: count - 1, step: 1, value: current });
  const number = element("output", "", `${current + 1} / ${count}`);
  input.addEventListener("input", () => { number.textContent = `${Number(input.value) + 1} / ${count}`; });
  input.addEventListener("change", () => chosen(Number(input.value)));
  root.append(input, number);
  return root;
}
