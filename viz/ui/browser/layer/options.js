// What is drawn of a layer, and how: its call, one tensor of several, its layout, its slice. Chosen in the browser.

import { element, filled } from "../maps/mosaic.js";

const NO_OPTIONS = { leaf: "", kind: "auto", row: 0, index: 0 };

export class Options {
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.chosen = { ...NO_OPTIONS };
  }

  // Take over what a link says, in the terms of `fields`.
  begin({ leaf = "", kind = "auto", row = "0", index = "0" }) {
    this.chosen = { leaf, kind, row: Number(row) || 0, index: Number(index) || 0 };
  }

  reset() {
    this.chosen = { ...NO_OPTIONS };
  }

  // Whether these facts belong to the chosen leaf and layout, so that channel numbers mean the same.
  fit({ leaf, kind }) {
    const { chosen } = this;
    return (!chosen.leaf || chosen.leaf === leaf) && (chosen.kind === "auto" || chosen.kind === kind);
  }

  // The fields of the look that say what was chosen; defaults are left out.
  fields() {
    return Object.fromEntries(Object.entries(this.chosen).filter(([name, value]) => value !== NO_OPTIONS[name]));
  }

  choose(name, value) {
    const again = { leaf: { kind: "auto", row: 0, index: 0 }, kind: { row: 0, index: 0 } }; // what becomes meaningless with another choice
    this.chosen = { ...this.chosen, ...again[name], [name]: value };
    this.changed();
  }

  draw(facts, words, call) {
    const parts = [];
    if (facts.calls > 1) {
      const calls = Array.from({ length: facts.calls }, (_, n) => [n, filled(words.call, { call: n + 1, calls: facts.calls })]);
      parts.push(selectBox(words.call_label, calls, facts.call, (value) => call(Number(value))));
    }
    if (facts.leaves.length > 1) {
      parts.push(selectBox(words.value_label, facts.leaves.map((leaf) => [leaf, leaf]), facts.leaf, (value) => this.choose("leaf", value)));
    }
    if (facts.kinds.length > 1) {
      parts.push(selectBox(layoutLabel(facts, words), facts.kinds.map((kind) => [kind, layoutName(kind, words)]), facts.kind, (value) => this.choose("kind", value)));
    }
    if (facts.rows > 1) parts.push(slider(words.row_label, facts.rows, facts.row, (value) => this.choose("row", value)));
    if (facts.slices > 1) parts.push(slider(words.slice_label, facts.slices, facts.index, (value) => this.choose("index", value)));
    this.root.replaceChildren(...parts);
  }
}

// Whether the layout on screen is known or guessed; one that the visitor chose is neither.
function layoutLabel(facts, words) {
  if (facts.kind !== facts.kinds[0]) return words.kind_label;
  return `${words.kind_label} · ${facts.known ? words.layout_known : words.layout_guessed}`;
}

function layoutName(kind, words) {
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

export function selectBox(label, options, current, chosen) {
  const root = element("label", "lg-option", label);
  const select = element("select");
  for (const [value, text] of options) {
    const option = element("option", "", text);
    option.value = value;
    option.selected = value === current;
    select.append(option);
  }
  select.addEventListener("change", () => chosen(select.value));
  root.append(select);
  return root;
}

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
