// The elements of the timeline: a list of events, and the panel of one event.

import { element, filled, fitted, readable, rendering } from "../maps/mosaic.js";
import { refusal } from "../maps/said.js";
import { HOOKS } from "./hook_kinds.js";

/** @typedef {ReturnType<typeof buildTimeline>} Parts */

/**
 * The part of the timeline that its elements use.
 * @typedef {Object} Shown
 * @property {Parts} parts
 * @property {readonly HookEvent[]} events
 * @property {readonly HookBar[]} bars
 * @property {number} place - the event on screen
 * @property {Words} words
 * @property {(place: number) => void} choosePlace
 * @property {() => {width: number, height: number}} room
 */

/** @param {HTMLElement} parent */
export function buildTimeline(parent) {
  const root = element("section", "lg-hooks lg-hooks-empty");
  root.innerHTML = `
    <header class="lg-hooks-head"><h2></h2><div class="lg-player"></div></header>
    <p class="lg-hooks-note" role="status"></p>
    <p class="lg-hooks-said lg-unseen" role="status"></p>
    <div class="lg-hooks-stage">
      <div class="lg-strip" aria-hidden="true"></div>
      <div class="lg-near" aria-hidden="true"></div>
      <div class="lg-hooks-body">
        <div class="lg-event">
          <div class="lg-event-head"><h3></h3><button type="button" class="lg-hooks-choose"></button></div>
          <p class="lg-event-about"></p>
          <figure class="lg-code"></figure>
          <dl></dl>
          <figure class="lg-event-maps"><figcaption></figcaption><div></div><p role="status"></p></figure>
        </div>
        <section class="lg-memory"></section>
        <div class="lg-listed"><ol class="lg-events"></ol><p class="lg-hooks-left"></p></div>
      </div>
    </div>`;
  parent.append(root);
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (root.querySelector(name));
  return {
    root, title: part("h2"), player: part(".lg-player"), note: part(".lg-hooks-note"), said: part(".lg-hooks-said"),
    strip: part(".lg-strip"), near: part(".lg-near"), list: part(".lg-events"), left: part(".lg-hooks-left"),
    event: part(".lg-event h3"), about: part(".lg-event-about"), code: part(".lg-code"), table: part(".lg-event dl"),
    maps: part(".lg-event-maps"), choose: /** @type {HTMLButtonElement} */ (part(".lg-hooks-choose")), memory: part(".lg-memory"),
  };
}

/** @type {(parts: Parts, words: Words) => void} */
export function nameParts(parts, words) {
  parts.title.textContent = words.hooks_title;
  parts.list.setAttribute("aria-label", words.hooks_list);
  parts.choose.textContent = words.hooks_choose;
}

/** @param {Shown} timeline */
export function drawList(timeline) {
  const { parts, events, words } = timeline;
  const depths = new Map(timeline.bars.map(({ layer, depth }) => [layer, depth]));
  parts.list.replaceChildren(...events.map((event, place) => {
    const item = element("li", HOOKS[event.kind].back ? "lg-back" : "");
    const button = element("button");
    button.type = "button";
    button.style.setProperty("--depth", String(Math.min(6, depths.get(event.layer) ?? 0)));
    const layer = element("span", "lg-event-layer");
    layer.append(element("bdi", "", calledLayer(event, words))); // a long name is cut at its beginning
    button.title = calledLayer(event, words);
    button.append(element("span", "lg-event-kind", HOOKS[event.kind].name(words)), layer);
    button.onclick = () => timeline.choosePlace(place);
    item.append(button);
    return item;
  }));
}

/** @type {(event: HookEvent, words: Words) => string} */
export function calledLayer(event, words) {
  return event.call ? `${event.layer} · ${filled(words.hooks_call, { call: event.call + 1 })}` : event.layer;
}

// Mark the event of this step in the list, which scrolls; the page does not.
/** @param {Shown} timeline */
export function markPlace(timeline) {
  const { parts, place } = timeline;
  parts.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = /** @type {HTMLElement} */ (parts.list.children[place].firstChild);
  button.setAttribute("aria-current", "step");
  parts.list.scrollTop = button.offsetTop - parts.list.offsetTop - (parts.list.clientHeight - button.offsetHeight) / 2;
}

/** @type {(timeline: Shown, event: HookEvent) => void} */
export function drawEvent({ parts, words }, event) {
  const hook = HOOKS[event.kind];
  const { event: title, about, table } = parts;
  title.replaceChildren(document.createTextNode(`${hook.name(words)} `), element("small", "", calledLayer(event, words)));
  about.textContent = filled(hook.about(words), { layer: event.layer });
  /** @type {[string, HookEvent["inputs"]][]} */
  const given = [
    [words.hooks_inputs, event.inputs], [words.hooks_outputs, event.outputs],
    [words.hooks_output_gradients, event.output_gradients], [words.hooks_input_gradients, event.input_gradients],
  ];
  const rows = given.filter(([, shapes]) => shapes.length);
  table.replaceChildren(...rows.map(([name, shapes]) => {
    const row = element("div");
    row.append(element("dt", "", name), element("dd", "", shapes.map((shape) => shapeText(shape, words)).join(", ")));
    return row;
  }));
}

/** @type {(shape: readonly number[] | null, words: Words) => string} */
function shapeText(shape, words) {
  return shape ? `(${shape.join(", ")})` : words.hooks_none;
}

// Until the maps are there, announce them; those of the last step would be wrong.
/** @param {Shown} timeline */
export function awaitEventMaps({ parts, words, events, place }) {
  const [caption, image, problem] = childrenOf(parts.maps);
  const event = events[place];
  caption.textContent = filled(HOOKS[event.kind].maps(words), { layer: event.layer });
  parts.maps.setAttribute("aria-busy", "true");
  image.style.visibility = "hidden";
  problem.textContent = "";
}

/** @type {(timeline: Shown, page: Page) => void} */
export function drawEventMaps(timeline, page) {
  awaitEventMaps(timeline);
  const { parts, words } = timeline;
  const [caption, place, problem] = childrenOf(parts.maps);
  const room = timeline.room();
  parts.maps.removeAttribute("aria-busy");
  place.style.visibility = ""; // as far as no question hides it
  problem.replaceChildren(...page.error ? refusal(page, words) : []);
  if (!page.facts) return place.replaceChildren();
  const { facts, image } = page;
  const { width, height } = facts.geometry;
  const scale = fitted(width, height, room.width, room.height);
  const s = facts.statistics;
  image.style.width = `${width * scale}px`;
  image.style.height = `${height * scale}px`;
  image.style.imageRendering = rendering(scale);
  image.dataset.layer = facts.layer;
  image.alt = filled(words.hooks_maps_alt, { title: caption.textContent, shape: facts.shape.join(" × "), min: readable(s.minimum), max: readable(s.maximum) });
  return place.replaceChildren(image);
}

/** @param {HTMLElement} parent */
function childrenOf(parent) {
  return /** @type {HTMLElement[]} */ ([...parent.children]);
}
