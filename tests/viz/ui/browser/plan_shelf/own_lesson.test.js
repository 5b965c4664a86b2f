import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { keptOwn, OWN, UNREAD } from "../../../../../viz/ui/browser/plan/kept_plan.js";
import { planFrom } from "../../../../../viz/ui/browser/plan/reading.js";
import { changed, nothing, withStep } from "../../../../../viz/ui/browser/plan_shelf/own.js";
import { OwnLesson } from "../../../../../viz/ui/browser/plan_shelf/own_lesson.js";

const UNREADABLE = "# Mine\n\n## S\nminutes: 1\nanswer: 1\n\n? Which?\n- 1 = a\n- 1 = b\n\n! So.\n";
const QUESTION = { kind: "map", text: "Where?", answer: "3", why: ["There."], choices: [], guess: null };
const BLANK = { look: "", minutes: 1, net: "", picture: "", text: [], note: [], question: null, code: "" };
const step = (title) => ({ title, ...BLANK });
const titles = ({ steps }) => steps.map(({ title }) => title).join("");

/** A lesson of steps with these titles, in a browser that keeps nothing else. */
function lessonOf(...names) {
  const lesson = new OwnLesson(() => "Mine");
  lesson.write(names.map(step).reduce(withStep, nothing("Mine")));
  return lesson;
}

let full = false; // whether the browser takes no more
beforeEach(() => {
  const kept = new Map();
  full = false;
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => {
      if (full) throw new Error("full");
      kept.set(key, text);
    },
    removeItem: (key) => kept.delete(key),
  } });
});

test("undo puts a deleted step back, and what was typed since stays", () => {
  const lesson = lessonOf("a", "b", "c");
  lesson.remove(1);
  lesson.write({ ...changed(lesson.plan, 1, { title: "C" }), title: "Edges" });
  lesson.undo();
  assert.deepEqual([titles(lesson.plan), lesson.plan.title], ["abC", "Edges"]);
  assert.equal(titles(planFrom(keptOwn())), "abC");
  lesson.undo();
  assert.equal(titles(lesson.plan), "abC", "there is nothing more to bring back");
});

test("undo brings back the first and the last step, also after others were moved", () => {
  const cases = [[0, null, "abc"], [2, null, "abc"], [0, [1, 0], "cab"], [2, [0, 1], "bac"]];
  for (const [place, move, found] of cases) {
    const lesson = lessonOf("a", "b", "c");
    lesson.remove(place);
    if (move) assert.ok(lesson.move(...move));
    lesson.undo();
    assert.equal(titles(lesson.plan), found);
  }
});

test("undo gives a step its question and code again, wherever the step is, and keeps what was typed", () => {
  const lesson = lessonOf("a", "b", "c");
  lesson.write(changed(lesson.plan, 0, { question: QUESTION, code: "print(3)" }));
  lesson.ask(0, { ...QUESTION, text: "Where now?" });
  assert.equal(lesson.plan.steps[0].code, "print(3)", "the answer is the same");
  lesson.ask(0, null);
  assert.equal(lesson.plan.steps[0].code, "");
  lesson.move(0, 2);
  lesson.move(0, 1);
  lesson.write(changed(lesson.plan, 2, { title: "A" }));
  lesson.undo();
  assert.deepEqual(lesson.plan.steps.map(({ title, question, code }) => [title, question?.text, code]), [
    ["c", undefined, ""], ["b", undefined, ""], ["A", "Where now?", "print(3)"],
  ]);
});

test("another lesson in place of this one is undone as a whole", () => {
  const lesson = lessonOf("a", "b");
  lesson.change(nothing("Mine"));
  assert.equal(keptOwn(), "");
  lesson.undo();
  assert.equal(titles(planFrom(keptOwn())), "ab");
});

test("what another tab wrote is taken over, and nothing before it can be brought back", () => {
  const here = lessonOf("a", "b");
  here.remove(0);
  assert.equal(here.refresh(), false);
  const there = new OwnLesson(() => "Mine");
  there.change(withStep(there.plan, step("c")));
  assert.equal(here.refresh(), true);
  here.undo();
  assert.equal(titles(here.plan), "bc");
});

test("a kept lesson that cannot be read stays, and is set aside before another is written", () => {
  localStorage.setItem(OWN, UNREADABLE);
  const lesson = new OwnLesson(() => "Mine");
  assert.deepEqual([titles(lesson.plan), lesson.lost, keptOwn()], ["", UNREADABLE, UNREADABLE]);
  lesson.change(withStep(lesson.plan, step("a")));
  assert.equal(titles(planFrom(keptOwn())), "a");
  assert.deepEqual([keptOwn(UNREAD), lesson.lost], [UNREADABLE, UNREADABLE]);
  localStorage.setItem(OWN, "# Another");
  lesson.refresh();
  lesson.write(nothing("Mine"));
  assert.equal(keptOwn(UNREAD), `${UNREADABLE}\n\n# Another`);
  assert.equal(new OwnLesson(() => "Mine").lost, keptOwn(UNREAD));
  lesson.forgetLost();
  assert.equal(lesson.lost, "");
});

test("what cannot be set aside is not written over", () => {
  localStorage.setItem(OWN, UNREADABLE);
  const lesson = new OwnLesson(() => "Mine");
  full = true;
  lesson.change(withStep(lesson.plan, step("a")));
  assert.deepEqual([keptOwn(), lesson.kept], [UNREADABLE, false]);
});
