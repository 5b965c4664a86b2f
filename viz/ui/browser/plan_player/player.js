// The player of a lesson plan, taught or rehearsed: its step and its clock. A step is a look, as any other that the
// visitor chooses: undo goes back from it, and a class follows it.

import { asksForSizes, sizesOf } from "../classroom/asking_state.js";
import { keeps } from "../layer/keys.js";
import { lookFromQuery } from "../look/look.js";
import { said } from "../maps/said.js";
import { keepTaught, keptTaught } from "../plan/kept_plan.js";
import { planFrom } from "../plan/reading.js";
import { classQuestion } from "./class_question.js";
import { begun, clockFrom, turned } from "./clock.js";

/** @typedef {import("../plan/reading.js").Plan} Plan */
/** @typedef {import("./clock.js").Clock} Clock */

/** @type {Readonly<Record<string, number>>} */
const STEPS = Object.freeze({ ArrowLeft: -1, ArrowRight: 1, PageUp: -1, PageDown: 1 });
const MAPS = ".lg-viewer, .lg-feature";
const MOST_CAPTION = 1000; // characters that a class is told
const LATE_MS = 20_000; // after which it is said that a step's subject has not come

export class Player {
  /** @type {?Plan} */
  plan = null;

  text = "";
  /** @type {Clock} */
  clock = begun(1, 0);

  answered = false; // whether the right answer of the step's question is shown
  given = false; // whether it was shown at all, so that nothing need be hidden any more
  waiting = false; // for the subject of the step
  resumes = false; // a reload came while its step was waiting
  late = false; // whether that has taken so long that it may never come
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @type {Set<() => void>} */
  listeners = new Set();

  /**
   * @param {StagePage} page
   * @param {import("../classroom/classroom.js").Classroom} classroom
   */
  constructor(page, classroom) {
    this.page = page;
    this.classroom = classroom;
    const hearing = new AbortController();
    document.addEventListener("keydown", (event) => this.pressed(event), { signal: hearing.signal, capture: true });
    this.goOn();
    this.stops = [() => hearing.abort(), () => clearTimeout(this.timer), page.listen(() => this.told()), classroom.hear(() => this.saidSo())];
  }

  /** @param {string} text - of a plan that can be read */
  start(text) {
    this.unask();
    this.plan = planFrom(text);
    Object.assign(this, { text, answered: false, given: false, clock: begun(this.plan.steps.length, Date.now()) });
    this.arrive();
  }

  // The lesson that was taught before a reload: the page comes back to what was on screen by itself.
  goOn() {
    const kept = keptTaught();
    if (!kept) return;
    try {
      const plan = planFrom(kept.text), clock = clockFrom(kept.clock, plan.steps.length);
      if (clock) Object.assign(this, { plan, text: kept.text, clock, resumes: kept.waiting === true });
    } catch { /* another version of the page wrote it */ }
    Object.assign(this.page, { caption: this.caption, hides: this.hides });
    this.page.captionChanged();
  }

  get step() {
    if (!this.plan) throw new Error("no lesson is taught");
    return this.plan.steps[this.clock.at];
  }

  get caption() {
    return this.plan ? this.step.text.join("\n").slice(0, MOST_CAPTION) : "";
  }

  // What pages keep to themselves: figures while this step's question is open. Sizes if it, or one to come, asks for some:
  // from the beginning, because a size that has been on the projector for ten minutes is no question any more.
  /** @returns {import("../stage/page.js").Hides} */
  get hides() {
    const { plan, clock: { at }, given } = this;
    const open = (plan?.steps ?? []).map(({ question }, place) => (place < at || (place === at && given) ? null : question));
    if (open.some((question) => question && asksForSizes({ kind: question.kind, choices: question.choices.map(({ words }) => words) }))) return "sizes";
    return open[at] ? "figures" : "";
  }

  /** @param {number} at - from 0; where no step is, nothing happens */
  go(at) {
    if (!this.plan || at === this.clock.at || at < 0 || at >= this.plan.steps.length) return;
    this.unask();
    this.clock = turned(this.clock, at, Date.now());
    Object.assign(this, { answered: false, given: false });
    this.arrive();
  }

  /** @param {number} by */
  move(by) {
    this.go(this.clock.at + by);
  }

  // Show the step, once its picture and its model are there.
  arrive() {
    const { mine } = this.page, wanted = this.wanted();
    this.wait(!isOf(mine.address, wanted));
    this.keep();
    if (this.waiting) {
      const { crop: _, ...address } = mine.address;
      this.page.ask({ ...address, ...wanted });
    } else this.apply();
    this.saidSo();
  }

  keep() {
    keepTaught({ text: this.text, clock: this.clock, waiting: this.waiting });
  }

  // A model that cannot be loaded never comes. The step's sentence is said all the same, and the teacher can go on.
  /** @param {boolean} waiting */
  wait(waiting) {
    clearTimeout(this.timer);
    Object.assign(this, { waiting, late: false });
    if (!waiting) return;
    this.timer = setTimeout(() => {
      this.late = true;
      this.tellClass();
      this.saidSo();
    }, LATE_MS);
  }

  // The names of the subject that the step is about, as far as it says them.
  wanted() {
    const net = this.step.net || this.plan?.net, sample = this.step.picture || this.plan?.picture;
    return { ...(net ? { model: net, weights: "pretrained" } : {}), ...(sample ? { sample } : {}) };
  }

  apply() {
    const { page } = this, { present } = page.store.get(), { look } = this.step;
    Object.assign(page, { caption: this.caption, hides: this.hides });
    page.store.dispatch({ type: "link", look: Object.freeze({ ...lookFromQuery(look).look, present }) });
    page.restore([look, ...(present ? ["present=1"] : [])].filter(Boolean).join("&"));
    page.captionChanged();
  }

  told() {
    if (this.resumes) {
      this.resumes = false;
      return this.arrive();
    }
    if (this.plan && this.waiting && isOf(this.page.data.address, this.wanted())) {
      this.wait(false);
      this.keep();
      this.apply();
    }
    return this.saidSo();
  }

  showAnswer(shown = !this.answered) {
    if (!this.plan || !this.step.question || this.answered === shown) return;
    this.answered = shown;
    this.saidSo();
  }

  get teaches() {
    return this.classroom.now.role === "teacher";
  }

  // True if the class has the step's question before it; the card of the class shows it then.
  get asks() {
    const asked = this.classroom.asking.now.question, question = this.plan && this.step.question;
    return this.teaches && Boolean(asked && question) && asked?.text === (question && classQuestion(question, "", 0).text);
  }

  // Ask the class; a refusal is shown above the maps.
  async ask() {
    const { page, classroom, step: { question } } = this;
    if (!question || !this.teaches) return;
    const { layer } = page.store.get(), [maps = 0] = sizesOf(page.rowOf(layer)?.shape ?? "") ?? [];
    const refusal = await classroom.asking.ask(classQuestion(question, layer, maps));
    if (refusal) page.say(said(refusal, "error", page.data.words), refusal.document);
  }

  unask() {
    if (this.asks) this.classroom.asking.unask();
  }

  end() {
    this.unask();
    this.wait(false);
    Object.assign(this, { plan: null, text: "" });
    keepTaught(null);
    this.tellClass();
    this.saidSo();
  }

  // A remote's keys count wherever no field needs them; arrows walk through layers while the maps have the focus.
  /** @param {KeyboardEvent} event */
  pressed(event) {
    const by = STEPS[event.key], { target } = event;
    if (!this.plan || !by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || keeps(target, event.key)) return;
    const isReached = target instanceof HTMLElement && target.tabIndex >= 0; // a lesson focuses its next paragraph by itself
    const inMaps = isReached && target.closest(MAPS) !== null;
    if (event.key.startsWith("Arrow") && inMaps && !this.page.store.get().present) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(by);
  }

  // Tell the class the caption, and what is hidden.
  tellClass() {
    Object.assign(this.page, { caption: this.caption, hides: this.hides });
    this.page.captionChanged();
  }

  saidSo() {
    this.given ||= this.answered || Boolean(this.asks && this.classroom.asking.now.question?.revealed);
    if (this.page.hides !== this.hides) this.tellClass();
    for (const act of this.listeners) act();
  }

  /** Hear of each change; what is returned ends it. @param {() => void} act */
  hear(act) {
    this.listeners.add(act);
    return () => this.listeners.delete(act);
  }

  close() {
    this.stops.forEach((stop) => stop());
  }
}

/** @type {(address: Readonly<Record<string, string>>, wanted: Record<string, string>) => boolean} */
function isOf(address, wanted) {
  return Object.entries(wanted).every(([name, value]) => address[name] === value);
}
