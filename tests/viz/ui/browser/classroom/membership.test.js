import assert from "node:assert/strict";
import { test } from "node:test";

import { counts, follows, leads, onShared, OUTSIDE, spelt, step } from "../../../../../viz/ui/browser/classroom/membership.js";

const state = (version, more = {}) => ({ version, look: "layer=conv1", shared: 1, model: "lenet", weights: "pretrained", lead: 0, frozen: false, ...more });
const looked = (version, more) => ({ type: "look", state: state(version, more) });
const after = (...happenings) => happenings.reduce(step, OUTSIDE);
const OPENED = { type: "opened", code: "BCDFGH", secret: "right" };
const JOINED = { type: "joined", code: "BCDFGH", secret: "ticket", number: 3 };

test("a student follows from the first look on, and a teacher leads", () => {
  assert.equal(follows(after(JOINED)), false);
  assert.equal(follows(after(JOINED, looked(1))), true);
  assert.equal(leads(after(OPENED)), true);
  assert.equal(follows(after(OPENED, looked(1))), false);
});

test("whoever chooses something while following looks around alone, until they come back", () => {
  const alone = after(JOINED, looked(1), { type: "chosen" });
  assert.equal(follows(alone), false);
  assert.equal(follows(step(alone, looked(2))), false);
  assert.equal(follows(step(alone, { type: "back" })), true);
});

test("whoever leads does not leave the class by choosing", () => {
  const teacher = after(OPENED, looked(1));
  assert.equal(step(teacher, { type: "chosen" }), teacher);
  const student = after(JOINED, looked(1, { lead: 3 }));
  assert.equal(leads(student), true);
  assert.equal(step(student, { type: "chosen" }), student);
});

test("a student who is handed the lead is with the class again, on its picture", () => {
  const elsewhere = after(JOINED, looked(1), { type: "own", own: true }, { type: "hand", hand: true }, { type: "chosen" });
  const leading = step(elsewhere, looked(2, { lead: 3 }));
  assert.deepEqual([leading.following, leading.own, leading.hand, leads(leading)], [true, false, false, true]);
  assert.equal(leads(step(leading, looked(3, { lead: 0 }))), false);
});

test("a teacher follows a student who leads, and may look around alone", () => {
  const teacher = after(OPENED, looked(1), looked(2, { lead: 3 }));
  assert.deepEqual([leads(teacher), follows(teacher)], [false, true]);
  assert.equal(follows(step(teacher, { type: "chosen" })), false);
  assert.deepEqual(onShared(teacher), false);
});

test("the same state again changes nothing", () => {
  const student = after(JOINED, looked(1));
  assert.equal(step(student, looked(1)), student);
  assert.equal(step(student, { type: "line", connected: true }), student);
});

test("a student who joins again keeps whose picture it is, and another class begins anew", () => {
  const own = after(JOINED, looked(1), { type: "own", own: true });
  assert.equal(step(own, JOINED).own, true);
  assert.deepEqual(step(own, { type: "out" }), OUTSIDE);
  assert.equal(after(OPENED, JOINED).role, "student");
});

test("nothing of one class stays in another one", () => {
  const first = after(JOINED, looked(1), { type: "own", own: true }, { type: "hand", hand: true }, { type: "chosen" });
  const second = step(first, { type: "joined", code: "HGFDCB", secret: "other", number: 1 });
  assert.deepEqual(second, { ...OUTSIDE, role: "student", code: "HGFDCB", secret: "other", number: 1 });
  assert.equal(step(second, looked(1)).state.version, 1);
});

test("only a student has a picture of their own, and a hand to raise", () => {
  const teacher = after(OPENED);
  assert.equal(step(teacher, { type: "own", own: true }), teacher);
  assert.equal(step(teacher, { type: "hand", hand: true }), teacher);
  assert.equal(step(OUTSIDE, { type: "chosen" }), OUTSIDE);
});

test("the teacher counts who follows, who is alone and who is away", () => {
  const student = (here, following) => ({ number: 1, here, following, hand: false });
  assert.deepEqual(counts([student(true, true), student(true, false), student(false, true)]), { following: 1, alone: 1, away: 1 });
});

test("a code is read in two halves", () => {
  assert.equal(spelt("BCDFGHJK"), "BCDF GHJK");
});

test("the teacher is told who is in, whether others may join, and whether names are hidden", () => {
  const students = [{ number: 1, following: true, hand: false, here: true, nickname: "", hidden: true }];
  const teacher = after(OPENED, { type: "roster", students, shut: true, nameless: true });
  assert.deepEqual([teacher.students, teacher.shut, teacher.nameless], [students, true, true]);
  assert.deepEqual([step(teacher, { type: "out" }).shut, step(teacher, OPENED).nameless], [false, false]);
});
