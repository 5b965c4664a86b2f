// The teacher's line above the maps: the step, its text, a note, the time.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";
import { inAll, inStep, spelt } from "./clock.js";
import { paragraph } from "./marked.js";
import { drawQuestion } from "./question_view.js";
import { StepList } from "./steps.js";

const TICK_MS = 1000;
const MINUTE_MS = 60_000;

export class PlanBar {
  drawn = "";
  noted = { shown: true, presented: false }; // a projector shows what its teacher sees

  /**
   * @param {HTMLElement} root
   * @param {import("./player.js").Player} player
   */
  constructor(root, player) {
    this.root = root;
    this.player = player;
    this.root.classList.add("lg-plan");
    this.root.hidden = true;
    this.root.setAttribute("role", "region");
    this.row = element("div", "lg-plan-row");
    this.said = element("div", "lg-plan-said");
    this.said.setAttribute("role", "status");
    this.note = element("div", "lg-plan-note");
    this.note.dataset.part = "plan_note";
    this.question = element("div", "lg-plan-question");
    this.time = element("p", "lg-plan-time");
    this.time.setAttribute("role", "timer");
    this.previous = partNamed("previous");
    this.all = partNamed("steps");
    this.next = partNamed("next");
    this.noteSwitch = partNamed("note_switch");
    this.ending = partNamed("end");
    this.lay();
    this.steps = new StepList(root, player);
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.stop = player.hear(() => this.show());
  }

  lay() {
    const { player } = this;
    const steps = element("div", "lg-plan-steps"), doing = element("div", "lg-plan-doing");
    steps.append(this.previous, this.all, this.next);
    doing.append(this.time, this.noteSwitch, this.ending);
    this.row.append(steps, doing);
    this.root.append(this.row, this.said, this.note, this.question);
    this.previous.onclick = () => player.move(-1);
    this.next.onclick = () => player.move(1);
    this.all.onclick = () => this.steps.open();
    this.ending.onclick = () => player.end();
    this.noteSwitch.onclick = () => {
      const mode = this.mode;
      this.noted = { ...this.noted, [mode]: !this.noted[mode] };
      this.show();
    };
  }

  /** @returns {"shown" | "presented"} */
  get mode() {
    return this.player.page.store.get().present ? "presented" : "shown";
  }

  show() {
    const { player } = this, { plan } = player;
    this.root.hidden = plan === null;
    document.documentElement.classList.toggle("lg-of-plan", plan !== null);
    if (!plan) return;
    const { words } = player.page.data, { at } = player.clock;
    this.name(words, plan);
    this.previous.disabled = at === 0;
    this.next.disabled = at === plan.steps.length - 1;
    this.noteSwitch.hidden = !player.step.note.length;
    this.noteSwitch.setAttribute("aria-pressed", String(this.noted[this.mode]));
    this.note.hidden = !player.step.note.length || !this.noted[this.mode];
    this.draw(words);
    this.steps.show(words);
    this.tick();
  }

  /** @type {(words: Words, plan: import("../plan/reading.js").Plan) => void} */
  name(words, plan) {
    const of = filled(words.plan_of, { step: this.player.clock.at + 1, steps: plan.steps.length });
    this.root.setAttribute("aria-label", `${words.plan_bar}: ${plan.title}`);
    write(this.previous, "‹", words.plan_previous);
    write(this.next, "›", words.plan_next);
    write(this.all, of, words.plan_of_title, `${of}: ${words.plan_of_title}`);
    write(this.noteSwitch, words.plan_note, words.plan_note_title, words.plan_note);
    write(this.ending, "×", words.plan_end);
    this.row.title = words.plan_keys;
  }

  // Draw the class's text and the teacher's note: anew only if they have changed, so that they are read aloud once.
  /** @param {Words} words */
  draw(words) {
    const { step, answered, waiting, late, clock, teaches, asks, text } = this.player;
    const drawn = JSON.stringify([clock.at, text.length, step.title, answered, waiting, late, teaches, asks, words.language_code]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const missing = late ? [element("p", "lg-plan-missing", words.plan_missing)] : [];
    this.said.replaceChildren(element("h3", "", step.title), ...step.text.map((each) => paragraph(each)), ...missing);
    this.note.replaceChildren(...step.note.map((each) => paragraph(each)));
    this.note.setAttribute("aria-label", words.plan_note_title);
    this.note.setAttribute("role", "note");
    this.root.setAttribute("aria-busy", String(waiting && !late));
    drawQuestion(this.question, this.player, words);
  }

  tick() {
    const { player } = this;
    if (!player.plan || this.root.hidden) return;
    const now = Date.now(), { words } = player.page.data;
    const planned = player.plan.steps.reduce((sum, { minutes }) => sum + minutes, 0), { minutes } = player.step;
    const [spent, all] = [inStep(player.clock, now), inAll(player.clock, now)];
    const [part, whole] = [timed(spent, minutes, words.plan_time_step, words), timed(all, planned, words.plan_time_all, words)];
    if (this.time.textContent === part.textContent + whole.textContent) return;
    this.time.replaceChildren(part, whole);
  }

  close() {
    clearInterval(this.timer);
    this.stop();
    this.steps.close();
  }
}

/** @param {string} part */
function partNamed(part) {
  const made = button("", "", () => {});
  made.dataset.part = `plan_${part}`;
  return made;
}

/** @type {(spent: number, planned: number, label: string, words: Words) => HTMLElement} */
function timed(spent, planned, label, words) {
  const made = element("span", spent > planned * MINUTE_MS ? "lg-plan-late" : "");
  made.append(element("span", "", `${label} `), element("b", "", filled(words.plan_time, { spent: spelt(spent), planned })));
  return made;
}

/** @type {(made: HTMLButtonElement, text: string, title: string, label?: string) => void} */
function write(made, text, title, label = title) {
  if (made.textContent !== text) made.textContent = text;
  made.title = title;
  made.setAttribute("aria-label", label);
}
