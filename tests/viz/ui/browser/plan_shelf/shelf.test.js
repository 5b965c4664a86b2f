import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { keptOwn, OWN } from "../../../../../viz/ui/browser/plan/kept_plan.js";
import { planFrom } from "../../../../../viz/ui/browser/plan/reading.js";
import { changed, nothing, withStep } from "../../../../../viz/ui/browser/plan_shelf/own.js";
import { OwnLesson } from "../../../../../viz/ui/browser/plan_shelf/own_lesson.js";
import { PlanShelf } from "../../../../../viz/ui/browser/plan_shelf/shelf.js";
import { plainPage } from "./plain_page.js";

const WORDS = new Proxy({}, { get: (_, name) => `${String(name)} {title}` });
const BLANK = { look: "", minutes: 1, net: "", picture: "", text: [], note: [], question: null, code: "" };
const step = (title) => ({ title, ...BLANK });
const titles = () => planFrom(keptOwn()).steps.map(({ title }) => title).join("");
const tab = () => new OwnLesson(() => "Mine");

/** Another tab writes the lesson, and this one hears of it. */
function elsewhere(act, key = OWN) {
  const other = tab();
  other.write(act(other.plan));
  globalThis.window.dispatchEvent(Object.assign(new Event("storage"), { key }));
}

/** The shelf of a page that shows nothing; what comes along with it is there already. */
function shelfOn(body) {
  const data = { words: WORDS, address: { model: "lenet", weights: "pretrained" } };
  const shelf = new PlanShelf(body, { page: { data, mine: { subject: "x" }, rowOf: () => undefined } });
  shelf.language = WORDS.language_code;
  shelf.open();
  return shelf;
}

/** Type into a field of a step. */
function type(shelf, place, name, value) {
  const field = shelf.editor.list.children[place].querySelector(`[name=${name}]`);
  field.value = value;
  field.oninput?.();
  return field;
}

let body;
beforeEach(() => {
  body = plainPage();
  tab().write(["a", "b"].map(step).reduce(withStep, nothing("Mine")));
});

test("a step that another tab added stays as one types on", () => {
  const shelf = shelfOn(body);
  shelf.edit();
  type(shelf, 1, "title", "B");
  elsewhere((plan) => withStep({ ...plan, title: "Edges" }, step("c")));
  assert.equal(shelf.editor.list.children.length, 3);
  assert.equal(shelf.editor.root.querySelector("input").value, "Edges");
  const downs = shelf.editor.list.querySelectorAll("[data-do=down]");
  assert.deepEqual(downs.map(({ disabled }) => disabled), [false, false, true]);
  type(shelf, 0, "title", "A");
  assert.equal(titles(), "ABc");
});

test("a step that another tab left alone keeps what is half typed in it; another is drawn anew", () => {
  const shelf = shelfOn(body);
  shelf.edit();
  shelf.editor.list.children[1].querySelector("[data-part=question_open]").click();
  const half = type(shelf, 1, "choices", "yes\nn");
  elsewhere((plan) => withStep(changed(plan, 0, { title: "A" }), step("c")));
  assert.equal(shelf.editor.list.children[0].querySelector("[name=title]").value, "A");
  assert.equal(shelf.editor.list.children[1].querySelector("[name=choices]"), half);
  assert.equal(half.value, "yes\nn");
  elsewhere((plan) => ({ ...plan, steps: plan.steps.slice(0, 1) }));
  assert.equal(shelf.editor.list.children.length, 1);
  assert.equal(shelf.editor.question.forms.size, 0);
});

test("a half-typed question stays when its step moves, when others go, and when the shelf is closed", () => {
  const shelf = shelfOn(body), { editor } = shelf;
  shelf.edit();
  editor.list.children[1].querySelector("[data-part=question_open]").click();
  type(shelf, 1, "choices", "yes\nn");
  editor.list.children[0].querySelector("[data-part=question_open]").click();
  const typed = () => editor.list.children.map((item) => item.querySelector("[name=choices]")?.value);
  assert.deepEqual(typed(), ["", "yes\nn"]);
  editor.move(1, 0);
  assert.deepEqual(typed(), ["yes\nn", ""]);
  editor.remove(1);
  shelf.undo();
  assert.deepEqual(typed(), ["yes\nn", undefined]);
  elsewhere((plan) => withStep(plan, step("c")));
  shelf.dialog.open = false;
  elsewhere((plan) => ({ ...plan, steps: plan.steps.toReversed() }));
  shelf.open();
  shelf.edit();
  assert.deepEqual(typed(), [undefined, undefined, "yes\nn"]);
});

test("a question is half typed no more once it is kept or left", () => {
  const shelf = shelfOn(body), { forms } = shelf.editor.question;
  shelf.edit();
  shelf.editor.list.children[1].querySelector("[data-part=question_open]").click();
  for (const [name, value] of [["text", "Which?"], ["choices", "yes\nno"], ["right", "1"], ["explanation", "So."]]) forms.get(1).fields[name].value = value;
  forms.get(1).root.onsubmit(new Event("submit"));
  assert.deepEqual([forms.size, shelf.own.plan.steps[1].question.text], [0, "Which?"]);
  shelf.editor.list.children[0].querySelector("[data-part=question_open]").click();
  shelf.editor.list.children[0].querySelector("[data-part=question_leave]").click();
  assert.equal(forms.size, 0);
});

test("the shelf shows the lesson of another tab, and hears nothing once it is closed", () => {
  const shelf = shelfOn(body);
  elsewhere((plan) => ({ ...plan, title: "Edges" }), "another");
  assert.doesNotMatch(shelf.dialog.textContent, /Edges/);
  elsewhere((plan) => ({ ...plan, title: "Shapes" }));
  assert.match(shelf.dialog.textContent, /Shapes/);
  shelf.close();
  elsewhere((plan) => ({ ...plan, title: "Ends" }));
  assert.equal(shelf.own.plan.title, "Shapes");
});

test("a deleted step comes back and what was typed since stays; no undo is of a lesson before", () => {
  const shelf = shelfOn(body), undo = () => shelf.status.querySelector("[data-part=lesson_undo]");
  shelf.edit();
  shelf.editor.remove(0);
  type(shelf, 0, "title", "B");
  undo().click();
  assert.equal(titles(), "aB");
  shelf.editor.remove(0);
  elsewhere((plan) => withStep(plan, step("c")));
  assert.equal(undo(), null);
});

test("a kept lesson that cannot be read is said, until the teacher deletes it", () => {
  localStorage.setItem(OWN, "# Mine\n\n## S\n");
  const shelf = shelfOn(body);
  assert.match(shelf.status.textContent, /plan_unread/);
  shelf.status.querySelector("[data-part=lesson_forget_lost]").click();
  assert.equal(shelf.status.textContent, "");
  assert.equal(keptOwn(), "");
  shelf.open();
  assert.equal(shelf.status.textContent, "");
});
