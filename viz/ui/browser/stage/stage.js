// The stage: one view of the subject at a time, drawn from the look alone.

import { TargetBox } from "../gradients/target_box.js";
import { button, Help } from "../layer/help.js";
import { isWriting, listenToKeys } from "../layer/keys.js";
import { Presentation } from "../layer/present.js";
import { VIEWS } from "../look/fields.js";
import { element } from "../maps/mosaic.js";
import { drawNotices } from "../maps/said.js";
import { isOtherScheme } from "../maps/scheme.js";
import { watchConnection } from "../page/connection.js";
import { closeMenus } from "../page/menu.js";
import { onceRemoved } from "../page/removed.js";
import { onceConnected } from "../page/sending.js";
import { standing, stands } from "../page/stands.js";
import { withWords } from "../page/kept_words.js";
import { closeSidebar } from "../phone/phone.js";
import { Strip } from "../phone/strip.js";
import { Ribbon } from "../ribbon/ribbon.js";
import { bring, bringPictures } from "../side/bringing.js";
import { Invitation } from "../side/invitation.js";
import { Costs } from "./costs.js";
import { Drawing } from "./drawing.js";
import { featureOf, fetchFeatures } from "./features.js";
import { page } from "./page.js";
import { Teaching } from "./teaching.js";
import { Turn } from "./turn.js";
import { ViewSwitch } from "./views.js";

const THEME_MS = 300; // Streamlit takes less to follow it
/** @type {WeakMap<HTMLElement, Stage>} */
const stages = new WeakMap();
const ask = onceConnected();

class Stage {
  /** @type {?string} */
  question = null; // what is asked

  /** @type {?Look["view"]} */
  view = null;

  /** @type {?Feature} */
  shown = null; // the view

  awaits = false; // what the views are made of
  closed = false;
  unlisten = () => {};

  /** @param {HTMLElement} parent */
  constructor(parent) {
    this.root = element("section", "lg-stage");
    const strip = new Strip(parent, page);
    const [row, seen, views, target, invitation, tools, classBar, planBar, caption, asked, ribbon] = ["lg-view-row", "lg-present-seen", "lg-views", "lg-target", "lg-invitation-place", "lg-tools", "lg-class", "", "", "lg-asked", "lg-ribbon"].map((name) => element("div", name));
    this.notices = element("div", "lg-notices");
    this.notices.setAttribute("role", "status");
    this.asking = element("div", "lg-asking");
    this.place = element("div", "lg-feature");
    this.below = element("div", "lg-drawing");
    this.place.tabIndex = -1; // the keys come back to it in a view without maps
    const [present, ask] = ["lg-present", "lg-ask"].map((name) => button(name, "", () => {}));
    this.teaching = new Teaching({ root: this.root, feature: this.place, rows: { bar: classBar, plan: planBar, caption, asked } }, () => this.shown, () => this.listen());
    tools.append(this.teaching.opener, present, ask);
    row.append(seen, views, target, invitation, tools);
    this.root.append(row, classBar, planBar, caption, asked, ribbon, this.notices, this.asking, this.place, this.below);
    parent.append(this.root);
    this.fixed = [strip, new ViewSwitch(views, page), new TargetBox(target, page), new Drawing(this.below, page)];
    this.invitation = new Invitation(invitation, bring);
    this.ribbon = new Ribbon(ribbon, page);
    this.turn = new Turn(this.root, page);
    this.help = new Help(this.root, ask, () => page.store.get().view);
    this.presentation = page.presenting = new Presentation(seen, present, page);
    this.costs = page.costs = new Costs(page);
    page.expecting = (layer) => this.shown?.expect?.(layer);
    standing().then(fetchFeatures); // so a change of view waits for nothing, not even without a line
    this.stops = [
      () => this.unlisten(), listenToUndo(page.store), listenToKeys(this), listenToScheme(() => page.tell()), closeMenus(),
      watchConnection(() => page.data.words.server_away), bringPictures(this.root),
      () => strip.close(), () => this.presentation.set(false),
    ];
    this.listen();
  }

  // Hear of each look, behind the parts that may choose another.
  listen() {
    this.unlisten();
    this.unlisten = page.listen((look) => this.show(look));
  }

  /** @param {Look} look */
  show(look) {
    if (this.root.dataset.subject && this.root.dataset.subject !== page.data.subject) closeSidebar(); // it has been chosen there
    this.root.dataset.subject = page.data.subject;
    this.root.dataset.view = look.view;
    document.documentElement.dataset.view = look.view; // what Streamlit draws for one view only follows it
    this.presentation.show(look, page.data.words);
    this.help.name(page.data.words);
    this.teaching.show(page.data.words);
    for (const part of this.fixed) part.show(look);
    this.invitation.show(look, page.data);
    drawNotices(this.notices, page.notices, page.data.words);
    const question = this.costs.question(look);
    const { activeElement: before } = document, answered = this.asking.contains(before);
    // A heading that a lesson focused by itself is not where the visitor's keys were.
    const held = before instanceof HTMLElement && before.tabIndex >= 0 && this.place.contains(before);
    this.ask(question);
    if (question && !question.ofLayer) this.end();
    else this.feature(look.view)?.show(look);
    if (question || (this.shown && !VIEWS[look.view].waits)) stands();
    this.ribbon.show(look); // what it asks for comes after the maps
    if (answered || (held && document.activeElement === document.body)) this.keepFocus();
  }

  // Draw the question of costs, before anything is done: the feature waits for the answer. If only the layer costs
  // much, the view of it says so in place of its maps, and the arrow keys still go on to its neighbours.
  /** @param {?import("./costs.js").Question} question */
  ask(question) {
    const about = question?.about ?? null;
    if (this.question === about) return;
    this.question = about;
    this.asking.replaceChildren(...(question ? [question.draw()] : []));
  }

  // The button that answered a question, or led to another view, is gone, and would take the keyboard's focus with it.
  keepFocus() {
    if (this.asking.contains(document.activeElement)) return;
    /** @type {?HTMLElement} */
    const next = this.asking.querySelector("button") ?? this.place.querySelector(".lg-viewer") ?? this.place;
    next?.focus({ preventScroll: true });
  }

  // The class, for the keys.
  get classroom() {
    return this.teaching.parts?.classroom ?? null;
  }

  // The view, which is none as long as it has not been fetched.
  /** @param {Look["view"]} view */
  feature(view) {
    if (this.shown && this.view === view) return this.shown;
    this.end();
    const Feature = featureOf(view);
    if (!Feature) {
      this.place.setAttribute("aria-busy", "true");
      this.awaitFeatures();
      return null;
    }
    const root = element("div", `lg-feature-${view}`);
    this.place.replaceChildren(root);
    const shown = new Feature(root, page);
    (root.querySelector(".lg-drawing-place") ?? this.root).append(this.below); // beside the panel of the channel, if there is one
    Object.assign(this, { view, shown });
    return shown;
  }

  async awaitFeatures() {
    if (this.awaits) return;
    this.awaits = true;
    await fetchFeatures();
    if (!this.closed && !this.shown) this.show(page.store.get());
  }

  end() {
    if (this.shown) this.presentation.withChannel(false);
    this.shown?.close();
    this.root.append(this.below);
    this.place.replaceChildren();
    this.place.removeAttribute("aria-busy");
    Object.assign(this, { shown: null, view: null });
  }

  close() {
    this.closed = true;
    this.end();
    this.stops.forEach((stop) => stop());
    this.ribbon.close();
    this.teaching.close();
    this.turn.close();
    this.root.remove();
  }
}

// Ctrl+Z goes back to the look before, Ctrl+Shift+Z and Ctrl+Y go on again.
/** @param {StagePage["store"]} store */
function listenToUndo(store) {
  /** @param {KeyboardEvent} event */
  const pressed = (event) => {
    const key = event.key.toLowerCase();
    if (!(event.ctrlKey || event.metaKey) || event.altKey || !["z", "y"].includes(key) || isWriting(event.target)) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) store.redo();
    else if (!page.isWhereItCameTo() || !page.undoSubject()) store.undo();
  };
  document.addEventListener("keydown", pressed);
  return () => document.removeEventListener("keydown", pressed);
}

// The machine turns dark or light: maps have other colours then.
/** @param {() => void} act */
function listenToScheme(act) {
  const scheme = window.matchMedia("(prefers-color-scheme: dark)");
  const changed = () => setTimeout(() => { if (isOtherScheme()) act(); }, THEME_MS);
  scheme.addEventListener("change", changed);
  return () => scheme.removeEventListener("change", changed);
}

/** @param {PartGiven<SubjectFacts>} given */
export default function ({ data, parentElement, setTriggerValue }) {
  const stage = stages.get(parentElement) ?? new Stage(parentElement);
  stages.set(parentElement, stage);
  withWords(data, async (sent) => {
    await stage.teaching.ready;
    if (!stage.closed) page.take(sent, (names) => void ask(() => setTriggerValue("subject", names)));
  });
  return onceRemoved(parentElement, () => {
    stages.get(parentElement)?.close();
    stages.delete(parentElement);
  });
}
