// Channels that the picture on screen excites more than the folder's pictures do.

import { element, filled, readable } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";

/** @type {(found: UnusualFacts, words: Words, open: (layer: string, call: number, channel: number) => void) => HTMLElement[]} */
export function drawUnusual({ layer, model, pictures }, words, open) {
  if (!layer.length && !model.length) return [paragraph(withMore(words.unusual_none, "pictures-folder#what-is-unusual-about-my-picture", words), "lg-unusual-none")];
  return [
    ...drawList(layer, filled(words.unusual_layer, { count: pictures }), false),
    ...drawList(model, filled(words.unusual_model, { count: pictures }), true),
  ];

  /** @type {(found: readonly ExcitedFacts[], label: string, named: boolean) => HTMLElement[]} */
  function drawList(found, label, named) {
    if (!found.length) return [];
    const list = element("ul", "lg-unusual-list");
    list.setAttribute("aria-label", label);
    list.append(...found.map((each) => drawOne(each, named)));
    return [element("h4", "", label), list];
  }

  /** @type {(found: ExcitedFacts, named: boolean) => HTMLElement} */
  function drawOne({ layer: name, call, channel, value, score, above }, named) {
    const [item, button] = [element("li"), element("button")];
    button.type = "button";
    button.append(element("b", "", named ? `${name} · ${channel}` : String(channel)), element("span", "", `+${score.toFixed(1)} σ`));
    button.title = filled(words.unusual_item, { layer: name, channel, value: readable(value), score: score.toFixed(1), above, count: pictures });
    button.setAttribute("aria-label", button.title);
    button.onclick = () => open(name, call, channel);
    item.append(button);
    return item;
  }
}
