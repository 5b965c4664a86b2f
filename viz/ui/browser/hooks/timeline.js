// The elements of the timeline: a strip of bars, a list of events, and what one event says.

import { element, filled, fitted, readable, rendering } from "../maps/mosaic.js";
import { said } from "../maps/said.js";
import { HOOKS } from "./hook_kinds.js";

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
  const part = (name) => root.querySelector(name);
  return {
    root, title: part("h2"), previous: part(".lg-hooks-previous"), next: part(".lg-hooks-next"), count: part(".lg-hooks-count"),
    note: part(".lg-hooks-note"), stage: part(".lg-hooks-stage"), strip: part(".lg-strip"), list: part(".lg-events"),
    event: part(".lg-event"), maps: part(".lg-event-maps"), choose: part(".lg-hooks-choose"), memory: part(".lg-memory"),
  };
}

export function nameParts(parts, words) {
  parts.title.textContent = words.hooks_title;
  parts.previous.setAttribute("aria-label", words.hooks_previous);
  parts.next.setAttribute("aria-label", words.hooks_next);
  parts.list.setAttribute("aria-label", words.hooks_list);
  parts.choose.textContent = words.hooks_choose;
}

// Each call is a bar from the hook that opens it to the hook that closes it, below the layers that contain it.
export function drawStrip(timeline) {
  const { parts, events, bars, words } = timeline;
  const share = 100 / events.length;
  const deepest = Math.max(0, ...bars.map((bar) => bar[5]));
  const made = bars.map(([layer, , back, first, last, depth]) => {
    const bar = element("span", back ? "lg-bar-back" : "lg-bar-there", layer.split(".").at(-1));
    Object.assign(bar.style, { left: `${first * share}%`, width: `${(last - first + 1) * share}%`, top: `${depth * 1.15}rem` });
    bar.title = layer;
    bar.onclick = () => timeline.go(back ? first : last);
    return bar;
  });
  const turn = events.findIndex((event) => HOOKS[event.kind].back);
  const halves = [[words.hooks_forward, 0], ...(turn < 0 ? [] : [[words.hooks_backward, turn]])].map(([text, at]) => {
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

export function drawList(timeline) {
  const { parts, events, words } = timeline;
  const depths = new Map(timeline.bars.map((bar) => [bar[0], bar[5]]));
  parts.list.replaceChildren(...events.map((event, place) => {
    const item = element("li", HOOKS[event.kind].back ? "lg-back" : "");
    const button = element("button");
    button.type = "button";
    button.style.setProperty("--depth", Math.min(6, depths.get(event.layer) ?? 0));
    button.append(element("span", "lg-event-kind", HOOKS[event.kind].name(words)), element("span", "lg-event-layer", calledLayer(event, words)));
    button.onclick = () => timeline.go(place);
    item.append(button);
    return item;
  }));
}

function calledLayer(event, words) {
  return event.call ? `${event.layer} · ${filled(words.hooks_call, { call: event.call + 1 })}` : event.layer;
}

// Mark the event of this step in the list and in the strip; the list scrolls, the page does not.
export function markPlace(timeline) {
  const { parts, place, events } = timeline;
  parts.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = parts.list.children[place].firstChild;
  button.setAttribute("aria-current", "step");
  parts.list.scrollTop = button.offsetTop - parts.list.offsetTop - (parts.list.clientHeight - button.offsetHeight) / 2;
  parts.cursor.style.left = `${(100 * place) / events.length}%`;
}

export function drawEvent({ parts, words }, event) {
  const hook = HOOKS[event.kind];
  const [title, about, table] = parts.event.children;
  title.replaceChildren(document.createTextNode(`${hook.name(words)} `), element("small", "", calledLayer(event, words)));
  about.textContent = filled(hook.about(words), { layer: event.layer });
  const rows = [
    [words.hooks_inputs, event.inputs], [words.hooks_outputs, event.outputs],
    [words.hooks_output_gradients, event.output_gradients], [words.hooks_input_gradients, event.input_gradients],
  ].filter(([, shapes]) => shapes.length);
  table.replaceChildren(...rows.flatMap(([name, shapes]) => [element("dt", "", name), element("dd", "", shapes.map((shape) => shapeText(shape, words)).join(", "))]));
}

function shapeText(shape, words) {
  return shape ? `(${shape.join(", ")})` : words.hooks_none;
}

// Until the maps are there, say what they will be; those of the last step would be wrong.
export function awaitEventMaps({ parts, words, events, place }) {
  const [caption, image, problem] = parts.maps.children;
  const event = events[place];
  caption.textContent = filled(HOOKS[event.kind].maps(words), { layer: event.layer });
  parts.maps.setAttribute("aria-busy", "true");
  image.style.visibility = "hidden";
  problem.textContent = "";
}

export function drawEventMaps(timeline, page) {
  awaitEventMaps(timeline);
  const { parts, words } = timeline;
  const [caption, place, problem] = parts.maps.children;
  const room = timeline.room();
  parts.maps.removeAttribute("aria-busy");
  place.style.visibility = "visible";
  problem.textContent = page.error ? said(page, "error", words) : "";
  if (page.error) return place.replaceChildren();
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
