// The elements of the timeline: a strip of bars, a list of events, and what one event says.

import { element, filled, fitted, readable, rendering } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { HOOKS } from "./hook_kinds.js";

/** @typedef {ReturnType<typeof buildTimeline>} Parts */

/**
 * What the elements need to know of the timeline that they belong to.
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
  const root = element("section", "lg-hooks");
  root.innerHTML = `
    <header class="lg-hooks-head"><h2></h2>
      <nav><button type="button" class="lg-hooks-previous">‹</button><output class="lg-hooks-count"></output><button type="button" class="lg-hooks-next">›</button></nav></header>
    <p class="lg-hooks-note" role="status"></p>
    <div class="lg-hooks-stage">
      <div class="lg-strip" aria-hidden="true"></div>
      <div class="lg-hooks-body">
        <ol class="lg-events"></ol>
        <div class="lg-event">
          <h3></h3><p class="lg-event-about"></p><dl></dl>
          <figure class="lg-event-maps"><figcaption></figcaption><div></div><p role="status"></p></figure>
          <button type="button" class="lg-hooks-choose"></button>
        </div>
      </div>
    </div>
    <section class="lg-memory"></section>`;
  parent.append(root);
  /** @param {string} name */
  const part = (name) => /** @type {HTMLElement} */ (root.querySelector(name));
  return {
    root, title: part("h2"), previous: buttonIn(root, "previous"), next: buttonIn(root, "next"), count: part(".lg-hooks-count"),
    note: part(".lg-hooks-note"), stage: part(".lg-hooks-stage"), strip: part(".lg-strip"), list: part(".lg-events"),
    event: part(".lg-event"), maps: part(".lg-event-maps"), choose: buttonIn(root, "choose"), memory: part(".lg-memory"),
    cursor: element("i"),
  };
}

/** @type {(root: HTMLElement, name: string) => HTMLButtonElement} */
function buttonIn(root, name) {
  return /** @type {HTMLButtonElement} */ (root.querySelector(`.lg-hooks-${name}`));
}

/** @type {(parts: Parts, words: Words) => void} */
export function nameParts(parts, words) {
  parts.title.textContent = words.hooks_title;
  parts.previous.setAttribute("aria-label", words.hooks_previous);
  parts.next.setAttribute("aria-label", words.hooks_next);
  parts.list.setAttribute("aria-label", words.hooks_list);
  parts.choose.textContent = words.hooks_choose;
}

// Each call is a bar from the hook that opens it to the hook that closes it, below the layers that contain it.
/** @param {Shown} timeline */
export function drawStrip(timeline) {
  const { parts, events, bars, words } = timeline;
  const share = 100 / events.length;
  const deepest = Math.max(0, ...bars.map(({ depth }) => depth));
  const made = bars.map(({ layer, backward, first, last, depth }) => {
    const bar = element("span", backward ? "lg-bar-back" : "lg-bar-there", layer.split(".").at(-1));
    Object.assign(bar.style, { left: `${first * share}%`, width: `${(last - first + 1) * share}%`, top: `${depth * 1.15}rem` });
    bar.title = layer;
    bar.onclick = () => timeline.choosePlace(backward ? first : last);
    return bar;
  });
  const turn = events.findIndex((event) => HOOKS[event.kind].back);
  /** @type {[string, number][]} */
  const begins = [[words.hooks_forward, 0], [words.hooks_backward, turn]];
  const halves = begins.filter(([, at]) => at >= 0).map(([text, at]) => {
    const label = element("em", "", text);
    label.style.left = `${at * share}%`;
    return label;
  });
  parts.cursor = element("i");
  parts.cursor.style.width = `max(2px, ${share}%)`;
  const lanes = element("div");
  lanes.style.height = `${(deepest + 1) * 1.15}rem`;
  lanes.append(...made, parts.cursor);
  const heads = element("div", "lg-strip-heads");
  heads.append(...halves);
  parts.strip.replaceChildren(heads, lanes);
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
function calledLayer(event, words) {
  return event.call ? `${event.layer} · ${filled(words.hooks_call, { call: event.call + 1 })}` : event.layer;
}

// Mark the event of this step in the list and in the strip; the list scrolls, the page does not.
/** @param {Shown} timeline */
export function markPlace(timeline) {
  const { parts, place, events } = timeline;
  parts.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = /** @type {HTMLElement} */ (parts.list.children[place].firstChild);
  button.setAttribute("aria-current", "step");
  parts.list.scrollTop = button.offsetTop - parts.list.offsetTop - (parts.list.clientHeight - button.offsetHeight) / 2;
  parts.cursor.style.left = `${(100 * place) / events.length}%`;
}

/** @type {(timeline: Shown, event: HookEvent) => void} */
export function drawEvent({ parts, words }, event) {
  const hook = HOOKS[event.kind];
  const [title, about, table] = childrenOf(parts.event);
  title.replaceChildren(document.createTextNode(`${hook.name(words)} `), element("small", "", calledLayer(event, words)));
  about.textContent = filled(hook.about(words), { layer: event.layer });
  /** @type {[string, HookEvent["inputs"]][]} */
  const given = [
    [words.hooks_inputs, event.inputs], [words.hooks_outputs, event.outputs],
    [words.hooks_output_gradients, event.output_gradients], [words.hooks_input_gradients, event.input_gradients],
  ];
  const rows = given.filter(([, shapes]) => shapes.length);
  table.replaceChildren(...rows.flatMap(([name, shapes]) => [element("dt", "", name), element("dd", "", shapes.map((shape) => shapeText(shape, words)).join(", "))]));
}

/** @type {(shape: readonly number[] | null, words: Words) => string} */
function shapeText(shape, words) {
  return shape ? `(${shape.join(", ")})` : words.hooks_none;
}

// Until the maps are there, say what they will be; those of the last step would be wrong.
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
  place.style.visibility = "visible";
  problem.textContent = page.error ? said(page, "error", words) : "";
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
