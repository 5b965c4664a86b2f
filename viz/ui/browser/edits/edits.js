// The edits in force: listed above the maps, each with its undo, and what is shown of them: after, before, difference.

import { element } from "../maps/mosaic.js";

const SHOWS = ["after", "before", "difference"];
const GRADIENTS = { output: "gradient", inputs: "inputs_gradient" };

export class EditList {
  constructor(root, { changed, send, compare }) {
    Object.assign(this, { root, changed, send, compare, show: "after", edits: [], inForce: [] });
  }

  // The field of the look that says what is shown; none for the default.
  fields() {
    return this.show === "after" ? {} : { show: this.show };
  }

  begin({ show }) {
    if (SHOWS.includes(show)) this.show = show;
  }

  // While values are shown, edits of gradients change nothing, so there is nothing to choose.
  draw(edits, words, gradient) {
    this.edits = edits;
    this.inForce = edits.filter(({ backward }) => gradient || !backward);
    if (!this.inForce.length) this.show = "after";
    this.root.hidden = !edits.length;
    if (!edits.length) return this.root.replaceChildren();
    const list = element("ul", "lg-edit-list");
    list.append(element("li", "lg-edited", words.edited_list), ...edits.map((edit, place) => this.item(edit, place, words)));
    if (edits.length > 1) list.append(this.clearing(words));
    this.root.replaceChildren(list, ...(this.inForce.length ? [this.shows(words, gradient)] : []));
  }

  item(edit, place, words) {
    const { label, text } = edit;
    const item = element("li", "", label);
    if (!this.inForce.includes(edit)) item.append(element("small", "", ` (${words.edit_idle})`));
    const undo = element("button", "lg-undo", "×");
    undo.type = "button";
    undo.title = words.undo;
    undo.setAttribute("aria-label", `${words.undo}: ${label}`);
    undo.onclick = () => this.take({ undo: text, place });
    item.append(undo);
    return item;
  }

  // The button disappears with its edit, so the keyboard's focus moves to the maps; otherwise it would be lost.
  take(back) {
    this.root.closest(".lg-viewer").focus({ preventScroll: true });
    this.send(back);
  }

  clearing(words) {
    const item = element("li", "lg-undo-all");
    const button = element("button", "", words.undo_all);
    button.type = "button";
    button.onclick = () => this.take({ clear: 1 });
    item.append(button);
    return item;
  }

  // What can be shown here; both side by side is the comparison, which shows values but no gradients.
  shows(words, gradient) {
    const shows = element("div", "lg-shows");
    shows.append(this.choice(words));
    if (gradient) return shows;
    const both = element("button", "lg-beside", words.show_beside);
    both.type = "button";
    both.title = words.show_beside_title;
    both.onclick = () => this.compare();
    shows.append(both);
    return shows;
  }

  choice(words) {
    const group = element("div", "lg-show");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", words.show_label);
    const texts = { after: words.show_after, before: words.show_before, difference: words.show_difference };
    group.append(...SHOWS.map((show) => {
      const button = element("button", "", texts[show]);
      button.type = "button";
      button.dataset.show = show;
      button.setAttribute("aria-pressed", String(show === this.show));
      button.onclick = () => this.choose(show);
      return button;
    }));
    return group;
  }

  choose(show) {
    this.show = show;
    for (const button of this.root.querySelectorAll("[data-show]")) button.setAttribute("aria-pressed", String(button.dataset.show === show));
    this.changed();
  }

  // What the provenance strip says.
  facts(words) {
    if (!this.inForce.length) return [];
    if (this.show === "before") return [words.is_before];
    return this.show === "difference" ? [words.edited, words.is_difference] : [words.edited];
  }

  removed({ layer, call, side }, channel) {
    return this.edits.some((edit) => edit.layer === layer && edit.side === side && (edit.call ?? null) === call && edit.removed.includes(channel));
  }
}

// Where an edit of what is on screen would go; null if the view cannot tell which channels are meant.
export function editTarget(viewer) {
  const { facts } = viewer.page ?? {};
  if (!facts) return null;
  const given = facts.leaf.startsWith("inputs");
  const side = given ? "inputs" : "output";
  const firsts = facts.leaves.filter((leaf) => leaf.startsWith(side));
  if (firsts.length && firsts[0] !== facts.leaf && firsts[0] !== side) return null;
  if (facts.kinds.length && facts.kind !== facts.kinds[0]) return null;
  const whole = ["signals", "bar", "table", "scalar"].includes(facts.kind);
  return { layer: viewer.layer, call: facts.calls > 1 ? facts.call : null, side: viewer.data.gradient ? GRADIENTS[side] : side, whole };
}

// An edit as the address says it: layer:kind:channels:detail, where the detail is an amount or a picture.
export function editText({ layer, call, side }, kind, channel, detail) {
  const name = encodeURIComponent(layer).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const where = call === null ? name : `${name}@${call + 1}`;
  const parts = [where, side === "output" ? kind : `${side}.${kind}`, channel === null ? "all" : channel];
  if (detail !== null) parts.push(detail);
  return parts.join(":");
}
