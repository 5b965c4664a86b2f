// The timeline of one pass: every hook in firing order, stepped through, with the maps of the step beside it.

import { belongsElsewhere, searchLayer } from "../layer/keys.js";
import { filled } from "../maps/mosaic.js";
import { pageAddress, Pages } from "../maps/pages.js";
import { aboutOf, addressOf, placeFields } from "../maps/question.js";
import { Room } from "../maps/room.js";
import { said } from "../maps/said.js";
import { answerOf, ASK_AGAIN_MS } from "../page/asking.js";
import { onceGone } from "../page/gone.js";
import { HOOKS } from "./hook_kinds.js";
import { Memory } from "./memory.js";
import {
  awaitEventMaps, buildTimeline, drawEvent, drawEventMaps, drawList, drawStrip, markPlace, nameParts,
} from "./timeline.js";

const REST_BEFORE_MAPS_MS = 120;
const REST_BEFORE_TOLD_MS = 500;
const timelines = new WeakMap();

class Timeline {
  constructor(parent) {
    this.pages = new Pages();
    this.space = new Room();
    this.parts = buildTimeline(parent);
    this.memory = new Memory(this.parts.memory);
    this.parts.previous.onclick = () => this.step(-1);
    this.parts.next.onclick = () => this.step(1);
    this.parts.choose.onclick = () => this.choose(this.events[this.place].layer);
    this.stopListening = listenToSteps(this);
  }

  update(data, { choose, tell }) {
    Object.assign(this, { choose, tell, words: data.words });
    this.memory.choose = choose;
    const same = this.data && aboutOf(this.data) === aboutOf(data) && this.data.back === data.back && this.data.layer === data.layer && this.data.call === data.call;
    const spoken = this.data?.words.hooks_title === data.words.hooks_title;
    const led = same && this.data.serial !== data.serial;
    this.data = data;
    nameParts(this.parts, data.words);
    if (!same) this.load();
    else if (!spoken) this.draw();
    else if (led) this.begin();
    this.parts.root.dataset.subject = data.subject;
    this.memory.show(addressOf(data.subject, "memory.json", { ...data.look, ...placeFields(data.layer, data.call) }), data);
  }

  async load() {
    const { data, parts } = this;
    const { back, layer, call } = data;
    const about = aboutOf(data);
    const address = addressOf(data.subject, "timeline.json", { ...data.look, ...placeFields(layer, call), back: back ? 1 : null });
    parts.root.setAttribute("aria-busy", "true");
    if (!this.events) parts.note.textContent = data.words.hooks_loading;
    const found = await answerOf(address, () => this.data === data || (aboutOf(this.data) === about && this.data.back === back && this.data.layer === layer));
    if (!found) return;
    parts.root.removeAttribute("aria-busy");
    parts.stage.hidden = Boolean(found.error);
    parts.note.textContent = found.error ? said(found, "error", data.words) : "";
    if (found.error) return;
    const begins = found.events.findIndex((event) => event.layer === layer && event.call === call && event.kind === "forward hook");
    const stays = this.begun === `${layer} ${call}` && this.events.length === found.events.length;
    Object.assign(this, found, { begun: `${layer} ${call}`, begins: Math.max(0, begins) });
    if (!stays) Object.assign(this, { place: this.first(), vain: this.tooFar() }); // else only the colours have changed
    this.draw();
  }

  // The step that the address asks for, or the one at which the layer has its value.
  first() {
    const { step } = this.data;
    this.told = Math.min(step ?? this.begins + 1, this.events.length);
    return step ? Math.min(step, this.events.length) - 1 : this.begins;
  }

  // The step that the address asks for, if it is beyond the last; else null.
  tooFar() {
    const { step, asked } = this.data;
    return asked && step > this.events.length ? step : null;
  }

  // What is shown; before it, until the visitor goes on, the step that the address asked for and that does not exist.
  drawNote() {
    const { words, vain, events, left_out: left, total, folded } = this;
    this.parts.note.textContent = [
      vain && filled(words.in_vain, { name: "step", value: vain, instead: events.length }),
      this.data.back ? words.hooks_intro : words.hooks_forward_only,
      left && filled(words.hooks_left_out, { left, total, folded }),
    ].filter(Boolean).join(" ");
  }

  begin() {
    if (this.events) this.go(this.first(), this.tooFar());
  }

  draw() {
    if (!this.events) return;
    this.drawNote();
    drawStrip(this);
    drawList(this);
    this.go(this.place, this.vain);
  }

  step(by) {
    if (this.events) this.go(this.place + by);
  }

  go(place, vain = null) {
    const { parts, events, words } = this;
    if (!events || place < 0 || place >= events.length) return;
    const noted = vain === this.vain;
    Object.assign(this, { place, vain });
    if (!noted) this.drawNote();
    this.tellLater();
    parts.previous.disabled = place === 0;
    parts.next.disabled = place === events.length - 1;
    parts.count.textContent = filled(words.hooks_step, { step: place + 1, steps: events.length });
    markPlace(this);
    drawEvent(this, events[place]);
    parts.choose.hidden = events[place].layer === this.data.layer;
    const ready = this.pages.ready(this.address(events[place]));
    clearTimeout(this.resting);
    if (ready) return drawEventMaps(this, ready);
    awaitEventMaps(this);
    this.resting = setTimeout(() => this.fetchMaps(events[place]), REST_BEFORE_MAPS_MS);
  }

  // Tell the page the step for its address, once the visitor stays at it.
  tellLater() {
    const { layer, call } = this.data;
    const step = this.place + 1;
    clearTimeout(this.telling);
    if (step === this.told) return;
    this.telling = setTimeout(() => { this.told = step; this.tell({ layer, call, step }); }, REST_BEFORE_TOLD_MS);
  }

  // The space that a step's maps may take.
  room() {
    return { width: this.parts.maps.clientWidth || 320, height: Math.max(220, window.innerHeight - 460) };
  }

  // The address of a step's maps, of the same form as the viewer's.
  address(event) {
    const { data } = this;
    const hook = HOOKS[event.kind];
    return pageAddress(data, event.layer, event.call, this.space.measured(this.room()), { leaf: hook.leaf, back: hook.back ? 1 : null });
  }

  // Once the visitor stays at a step: fetch its maps, then those of the next one.
  async fetchMaps(event) {
    const { data, events, place } = this;
    const here = () => this.events?.[this.place] === event && this.data === data;
    try {
      const page = await this.pages.open(this.address(event));
      if (!here()) return;
      drawEventMaps(this, page);
      if (events[place + 1]) this.pages.open(this.address(events[place + 1]), true).catch(() => {});
    } catch {
      setTimeout(() => { if (here()) this.fetchMaps(event); }, ASK_AGAIN_MS);
    }
  }

  close() {
    this.stopListening();
    clearTimeout(this.resting);
    clearTimeout(this.telling);
    this.parts.root.remove();
  }
}

// Arrow keys step through the hooks, unless they belong to a field, a list or the tree.
function listenToSteps(timeline) {
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  const pressed = (event) => {
    const by = steps[event.key];
    if (event.key === "/" && !belongsElsewhere(event.target)) {
      event.preventDefault();
      return searchLayer();
    }
    if (!by || event.ctrlKey || event.metaKey || event.altKey || belongsElsewhere(event.target)) return;
    event.preventDefault();
    if (Number.isFinite(by)) timeline.step(by);
    else timeline.go(by < 0 ? 0 : timeline.events.length - 1);
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

export default function ({ data, parentElement, setTriggerValue }) {
  let timeline = timelines.get(parentElement);
  if (!timeline) {
    timeline = new Timeline(parentElement);
    timelines.set(parentElement, timeline);
  }
  timeline.update(data, { choose: (layer) => setTriggerValue("layer", layer), tell: (at) => setTriggerValue("at", at) });
  return onceGone(parentElement, () => {
    timeline.close();
    timelines.delete(parentElement);
  });
}
