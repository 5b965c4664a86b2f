// The page of a unit, one channel: map, weights, inputs, readers, and worth.

import { ChannelPanel } from "../channel/channel.js";
import { liveliest } from "../channel/liveliest.js";
import { ExemplarsSection, hasExemplars } from "../exemplars/exemplars.js";
import { button } from "../layer/help.js";
import { toMaps } from "../layer/keys.js";
import { channelFacts } from "../layer/parts.js";
import { stopAfter } from "../layer/way.js";
import { addressOf, drawnQuery, queryOf, seenAddress } from "../maps/addresses.js";
import { element, filled, placeOf } from "../maps/mosaic.js";
import { fetchPage } from "../maps/layer_file.js";
import { Pages } from "../maps/pages.js";
import { refusal, withMore, withoutMaps } from "../maps/said.js";
import { onPage } from "../maps/scheme.js";
import { canBeOptimised, OptimisedSection } from "../optimised/optimised.js";
import { answerOf } from "../page/asking.js";
import { layerOf, unitOf } from "./choosing.js";
import { layerName, NeighboursCard } from "./neighbours.js";
import { WeightsCard } from "./weights_card.js";
import { WorthCard } from "./worth.js";

const AGAIN_MS = 1000;
const ROOM = "room=640x640"; // pixels that the mosaic may have, of which one tile is shown; the map itself is fetched
/** Fields that a unit's answer depends on. @type {(keyof Look)[]} */
const ASKED = ["layer", "call", "channel", "colormap", "scale", "edit", "show", "training"];

/** @type {Pages<Page>} */
const pages = new Pages(fetchPage);
/** @type {Pages<UnitFacts & {error?: string}>} */
const units = new Pages(async ({ subject, query }) => {
  const found = await answerOf(addressOf(subject, "unit.json", query), () => true);
  if (!found) throw new Error("nobody waits any more");
  return found;
});

export class UnitView {
  about = ""; // what is on screen, or asked for
  closed = false;
  /** @type {?LayerFacts} */
  facts = null; // of the layer on screen
  /** @type {Look} */
  look;

  /**
   * @param {HTMLElement} root
   * @param {StagePage} page
   */
  constructor(root, page) {
    this.page = page;
    this.look = page.store.get();
    this.root = element("section", "lg-unit");
    this.root.tabIndex = -1;
    this.head = element("header", "lg-unit-head");
    this.title = element("h2");
    this.steps = element("div", "lg-unit-ways");
    this.back = button("lg-unit-back", "", () => this.unit.toggle());
    this.previous = button("lg-unit-previous", "", () => this.stepChannel(-1));
    this.next = button("lg-unit-next", "", () => this.stepChannel(1));
    this.steps.append(this.previous, this.next, this.back);
    this.head.append(this.title, this.steps);
    this.note = element("p", "lg-unit-note");
    this.note.setAttribute("role", "status");
    const [middle, map] = [element("div", "lg-unit-middle"), element("section", "lg-unit-card lg-unit-map")];
    this.panel = new ChannelPanel(map);
    this.panel.laid = (action) => this.page.store.dispatch(action);
    this.panel.cursor.onlyTells((at) => this.panel.tell(at), () => { this.panel.pointAway(); toMaps(); });
    const choose = (/** @type {UnitName} */ unit) => this.page.store.dispatch({ type: "link", look: unitOf(this.page.store.get(), unit) });
    this.weights = new WeightsCard();
    this.worth = new WorthCard();
    this.before = new NeighboursCard("before", choose);
    this.after = new NeighboursCard("after", choose);
    this.wanted = element("section", "lg-unit-card lg-unit-wanted");
    this.exemplars = new ExemplarsSection(this.wanted, page, true);
    this.optimised = new OptimisedSection(this.wanted, page, true);
    middle.append(map, this.worth.root, this.weights.root);
    this.body = element("div", "lg-unit-body");
    this.body.append(middle, this.before.root, this.after.root, this.wanted);
    this.root.append(this.head, this.note, this.body);
    root.append(this.root);
  }

  /** @param {Look} look */
  show(look) {
    const { data } = this.page;
    const { subject, words } = data;
    const about = [subject, words.language_code, onPage(), queryOf(look, ASKED)].join(" ");
    this.look = look;
    if (about === this.about) return this.panel.lie(look);
    this.about = about;
    this.root.dataset.subject = subject;
    this.name(look, words);
    const reason = this.page.rowOf(look.layer)?.reason;
    this.refuse(...withoutMaps(reason ?? "", words));
    if (!reason) this.load(look, about);
  }

  // Draw the parts that never wait: the unit's name, and the ways on from it.
  /** @type {(look: Look, words: Words) => void} */
  name(look, words) {
    const row = this.page.rowOf(look.layer);
    const call = (row?.calls ?? 1) > 1 ? ` · ${filled(words.hooks_call, { call: look.call + 1 })}` : "";
    const layer = layerName(look.layer);
    layer.append(call);
    this.title.replaceChildren(layer, ...(look.channel === null ? [] : [element("b", "", filled(words.unit_title, { channel: look.channel }))]));
    const about = element("small", "", row?.type ?? "");
    this.title.append(about);
    this.back.textContent = words.unit_back;
    this.back.title = words.unit_back_title;
    for (const [step, text, title] of /** @type {const} */ ([[this.previous, "↑", words.unit_previous], [this.next, "↓", words.unit_next]])) {
      step.textContent = text;
      step.title = title;
      step.setAttribute("aria-label", title);
    }
  }

  /** @type {(look: Look, about: string) => Promise<void>} */
  async load(look, about) {
    const { subject, words } = this.page.data;
    const wanted = () => this.about === about && !this.closed;
    this.root.setAttribute("aria-busy", "true");
    const page = await this.layerPage(look).catch(() => null);
    if (!wanted()) return;
    if (!page) return this.lose(look, about);
    if (!page.facts) return this.refuse(...refusal(page, words));
    if (look.channel === null || look.channel >= page.facts.geometry.channels) return this.settle(page.facts);
    this.facts = page.facts;
    this.drawMap(page, look.channel);
    const query = [queryOf(look, ASKED), onPage()].filter(Boolean).join("&");
    const found = await units.open({ subject, query }).catch(() => null);
    if (!wanted()) return;
    this.root.removeAttribute("aria-busy");
    if (!found) return this.lose(look, about);
    if (found.error) return this.refuse(...refusal(found, words));
    this.draw(found);
  }

  // The maps of the look's layer, with as many values as a mosaic of that size shows.
  /** @param {Look} look */
  layerPage(look) {
    const drawn = drawnQuery({ ...layerOf(look), view: "unit" });
    return pages.open({ subject: this.page.data.subject, query: [drawn, ROOM, onPage()].filter(Boolean).join("&") });
  }

  // Without a channel of this layer, the page shows the one that says most: nobody chose it, so nobody undoes it.
  /** @param {LayerFacts} facts */
  settle(facts) {
    this.about = "";
    this.page.store.settle({ type: "channel", channel: liveliest(facts) });
  }

  /** @type {(page: DrawnPage, channel: number) => void} */
  drawMap(page, channel) {
    const { words, colours, subject } = this.page.data, { lay, overlay } = this.page.store.get();
    this.body.hidden = false;
    const label = `${channelFacts(page.facts, channel, words)}. ${words.cell_keys_tell}`;
    this.panel.show(page, channel, { words, colours, seen: seenAddress(subject), lay, overlay, label });
    this.panel.title.textContent = words.unit_map;
    const { layer, call, kind } = page.facts;
    this.exemplars.follow(hasExemplars(page.facts) ? { subject, layer, call, kind, channel } : null);
    this.optimised.follow(canBeOptimised(page.facts) ? { subject, layer, call, kind, channel } : null);
    this.wanted.hidden = this.exemplars.root.hidden && this.optimised.root.hidden;
  }

  /** @param {UnitFacts} found */
  draw(found) {
    const { words, subject, rows } = this.page.data;
    this.note.replaceChildren(...found.strength === 0 ? withMore(words.unit_silent, "colours#why-is-a-map-blank-or-black-after-a-relu", words) : []);
    this.weights.show(found, words);
    this.before.show(found, found.before, words, rows);
    this.after.show(found, found.after, words, rows);
    const query = [queryOf(this.look, ASKED.filter((name) => name !== "channel")), `first=${found.channel}`, "size=1"].filter(Boolean).join("&");
    this.worth.show(addressOf(subject, "ablation.json", query), words);
    for (const card of [this.weights, this.before, this.after]) card.root.removeAttribute("aria-busy");
  }

  // Show the reason for no such page; nothing if there is one.
  /** @param {(string | Node)[]} reason */
  refuse(...reason) {
    this.note.replaceChildren(...reason);
    this.body.hidden = reason.length > 0;
    if (this.body.hidden) this.root.removeAttribute("aria-busy");
  }

  // The server does not answer: ask once more, a little later.
  /** @type {(look: Look, about: string) => void} */
  lose(look, about) {
    this.note.textContent = this.page.data.words.lost;
    setTimeout(() => { if (this.about === about && !this.closed) this.load(look, about); }, AGAIN_MS);
  }

  // Actions of the keys.
  get keyed() {
    return this;
  }

  // Back to the maps of the layer, with this channel.
  unit = {
    toggle: () => { this.page.store.dispatch({ type: "view", view: "layer" }); },
  };

  // Go to another layer: its unit that says most.
  /** @param {number} by */
  step(by) {
    const { way, rows, store } = this.page;
    const stop = stopAfter(way, rows, this.look, by);
    if (stop) store.dispatch({ type: "layer", layer: stop.row.name, call: stop.call });
  }

  /** @param {number} by */
  stepChannel(by) {
    const { facts, look } = this;
    if (!facts || facts.layer !== look.layer || look.channel === null) return;
    const { geometry } = facts;
    const place = (placeOf(geometry, look.channel) + by + geometry.channels) % geometry.channels;
    this.page.store.dispatch({ type: "channel", channel: geometry.order.length ? geometry.order[place] : place });
  }

  close() {
    this.closed = true;
    for (const part of [this.worth, this.exemplars, this.optimised]) part.close();
  }
}
