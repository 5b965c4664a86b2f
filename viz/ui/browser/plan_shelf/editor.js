// The editor of the teacher's own lesson, step by step: text, note, minutes. Steps are moved by keyboard and by hand,
// deleted and brought back.

import { button } from "../layer/help.js";
import { element, filled } from "../maps/mosaic.js";
import { paragraph, withMore } from "../maps/said.js";
import { MOST_MINUTES } from "../plan/reading.js";
import { saveLesson } from "./files.js";
import { changed, isSame, minutesOf, oneLine, paragraphs } from "./own.js";
import { QuestionPart } from "./question_part.js";

export const OWN_LESSON = "plan-a-lesson#how-do-i-make-my-own-lesson-on-the-page";

/** @typedef {import("./own.js").Plan} Plan */
/** @typedef {import("./own.js").PlanStep} PlanStep */

export class Editor {
  /** @type {?number} */
  dragged = null;

  /** @param {import("./shelf.js").PlanShelf} shelf */
  constructor(shelf) {
    this.shelf = shelf;
    this.root = element("div", "lg-plan-editor");
    this.question = new QuestionPart(shelf);
  }

  draw() {
    const { words, own: { plan } } = this.shelf;
    this.list = element("ol", "lg-plan-own");
    this.list.append(...plan.steps.map((step, place) => this.item(step, place)));
    const title = field(words.plan_name, "title", plan.title, (typed) => this.type({ title: oneLine(typed) }));
    const doing = element("div", "lg-plan-doing");
    doing.append(
      button("", words.plan_back, () => {
        this.shelf.editing = false;
        this.shelf.draw();
      }),
      ...(plan.steps.length ? [
        button("lg-primary", words.plan_start, () => this.shelf.start(this.shelf.own.text)),
        button("", words.plan_save, () => saveLesson(this.shelf.own.text, plan.title)),
        button("", words.plan_clear, () => this.shelf.clear()),
      ] : []),
    );
    this.root.replaceChildren(title, paragraph(plan.steps.length ? [words.plan_move_how] : withMore(words.plan_nothing, OWN_LESSON, words)), this.list, doing);
    return this.root;
  }

  // Another tab changed the lesson: steps that it left alone keep their fields, and what is half typed there.
  /** @param {Plan} before */
  follow(before) {
    const { list, shelf: { own: { plan } } } = this, { steps, title } = plan;
    if (!list || !steps.length || !before.steps.length) return this.shelf.draw();
    /** @param {number} place */
    const isKept = (place) => place < steps.length && isSame(steps[place], before.steps[place]);
    while (list.children.length > steps.length) list.lastElementChild?.remove();
    steps.forEach((step, place) => {
      if (isKept(place)) return;
      const item = this.item(step, place), old = list.children[place];
      if (old) old.replaceWith(item);
      else list.append(item);
    });
    const downs = /** @type {NodeListOf<HTMLButtonElement>} */ (list.querySelectorAll("[data-do=down]"));
    downs.forEach((down, place) => { down.disabled = place === steps.length - 1; });
    const name = this.root.querySelector("input");
    if (name && title !== before.title) name.value = title;
    return undefined;
  }

  focus() {
    this.root.querySelector("input")?.focus();
  }

  /** @type {(step: PlanStep, place: number) => HTMLElement} */
  item(step, place) {
    const { words } = this.shelf, item = element("li");
    const named = filled(words.plan_step_named, { step: place + 1, title: step.title });
    item.setAttribute("aria-label", named);
    item.dataset.step = String(place);
    const fields = element("div", "lg-plan-fields");
    /** @type {(change: Partial<PlanStep>) => void} */
    const type = (change) => this.shelf.own.write(changed(this.shelf.own.plan, place, change));
    fields.append(
      field(words.plan_step_title, "title", step.title, (typed) => type({ title: oneLine(typed) || words.plan_untitled })),
      field(words.plan_step_minutes, "minutes", String(step.minutes), (typed) => type({ minutes: minutesOf(typed) }), { type: "number", min: "1", max: String(MOST_MINUTES) }),
      area(words.plan_step_text, "text", step.text, (typed) => type({ text: paragraphs(typed) })),
      area(words.plan_step_note, "note", step.note, (typed) => type({ note: paragraphs(typed) })),
    );
    fields.append(this.question.draw(step, place));
    item.append(this.handle(place), fields, this.doing(place, named));
    this.takeDrops(item, place);
    item.onkeydown = (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!by || !event.altKey) return;
      event.preventDefault();
      this.move(place, place + by);
    };
    return item;
  }

  /** @param {number} place */
  handle(place) {
    const handle = element("span", "lg-plan-handle", String(place + 1));
    handle.draggable = true;
    handle.title = this.shelf.words.plan_move_how;
    handle.ondragstart = (event) => {
      this.dragged = place;
      event.dataTransfer?.setData("text/plain", String(place + 1)); // without data, some browsers drag nothing
    };
    handle.ondragend = () => { this.dragged = null; };
    return handle;
  }

  /** @type {(item: HTMLElement, place: number) => void} */
  takeDrops(item, place) {
    item.ondragover = (event) => {
      if (this.dragged === null) return;
      event.preventDefault();
      item.dataset.over = this.dragged < place ? "below" : "above";
    };
    item.ondragleave = () => { delete item.dataset.over; };
    item.ondrop = (event) => {
      event.preventDefault();
      const from = this.dragged;
      this.dragged = null;
      delete item.dataset.over;
      if (from !== null) this.move(from, place);
    };
  }

  /** @type {(place: number, named: string) => HTMLElement} */
  doing(place, named) {
    const { words, own: { plan } } = this.shelf, root = element("div", "lg-plan-doing");
    /** @type {(part: string, text: string, title: string, act: () => void, off?: boolean) => void} */
    const add = (part, text, title, act, off = false) => {
      const made = button("", text, act);
      Object.assign(made, { title, disabled: off });
      made.dataset.do = part;
      made.setAttribute("aria-label", `${title}: ${named}`);
      root.append(made);
    };
    add("up", "↑", words.plan_up, () => this.move(place, place - 1), place === 0);
    add("down", "↓", words.plan_down, () => this.move(place, place + 1), place === plan.steps.length - 1);
    add("delete", "×", words.plan_delete, () => this.remove(place));
    return root;
  }

  /** @type {(place: number, to: number) => void} */
  move(place, to) {
    const held = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    const { own } = this.shelf, before = own.plan;
    const again = held?.dataset.do ? `[data-do="${held.dataset.do}"]` : held?.getAttribute("name") ? `[name="${held.getAttribute("name")}"]` : "button";
    if (!own.move(place, to)) return;
    this.question.follow(before);
    this.shelf.draw();
    const item = this.list?.children[to];
    /** @type {?HTMLElement} */
    const found = held?.isConnected ? held : item?.querySelector(`${again}:not(:disabled)`) ?? item?.querySelector("button:not(:disabled)") ?? null;
    found?.focus();
  }

  /** @param {number} place */
  remove(place) {
    const { own, words } = this.shelf, { plan } = own, { title } = plan.steps[place];
    own.remove(place);
    this.question.follow(plan);
    this.shelf.draw();
    this.shelf.say(filled(words.plan_deleted, { title }), true);
    this.shelf.status.querySelector("button")?.focus();
  }

  /** @param {{title: string}} change */
  type(change) {
    const { own } = this.shelf;
    own.write({ ...own.plan, ...change });
  }
}

/** @type {(label: string, name: string, value: string, typed: (value: string) => void, more?: Partial<HTMLInputElement>) => HTMLElement} */
function field(label, name, value, typed, more = {}) {
  const root = element("label", "", label), input = element("input");
  Object.assign(input, { name, value, type: "text", maxLength: 200, ...more });
  input.oninput = () => typed(input.value);
  root.append(input);
  return root;
}

/** @type {(label: string, name: string, lines: readonly string[], typed: (value: string) => void) => HTMLElement} */
function area(label, name, lines, typed) {
  const root = element("label", "", label), input = element("textarea");
  Object.assign(input, { name, rows: 2, value: lines.join("\n"), maxLength: 4000 });
  input.oninput = () => typed(input.value);
  root.append(input);
  return root;
}
