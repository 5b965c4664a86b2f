import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { BLANK, questionFrom, typedFrom } from "../../../../../viz/ui/browser/plan_shelf/own_question.js";
import { planFrom } from "../../../../../viz/ui/browser/plan/reading.js";
import { planText } from "../../../../../viz/ui/browser/plan/writing.js";

const step = { title: "S", look: "layer=fc", minutes: 1, net: "", picture: "", text: [], note: [], code: "" };
const readAgain = (question) => planFrom(planText({ title: "T", about: "", net: "", picture: "", steps: [{ ...step, question }] })).steps[0].question;
const plain = (value) => JSON.parse(JSON.stringify(value));
const shipped = ["en", "zh"].flatMap((language) => ["1-what-a-convolution-sees", "2-why-in-place-and-hooks-surprise", "3-how-a-net-makes-up-its-mind"].flatMap((name) => (
  planFrom(readFileSync(new URL(`../../../../../viz/plans/texts/${language}/${name}.md`, import.meta.url), "utf8")).steps)));

const { questions } = JSON.parse(readFileSync(new URL("../../../../plan_vectors.json", import.meta.url), "utf8"));
const WORDS = new Proxy({}, { get: (_, name) => name });

/** A form with what is given. */
const typed = (given) => ({ ...BLANK, text: "What is it?", explanation: "Because.", ...given });
/** What the page says is wrong. */
const wrong = (given, sizes = []) => {
  const found = questionFrom(typed(given), null, sizes, WORDS);
  return typeof found === "string" ? found.replace("plan_question_", "") : "";
};

test("every question of the ready lessons passes through the form unchanged", () => {
  assert.equal(shipped.length, 66);
  for (const { question } of shipped) {
    assert.deepEqual(plain(questionFrom(typedFrom(question), question, [])), plain(question));
  }
});

test("what was typed is read from its file as the same question, whatever signs are in it", () => {
  for (const given of [
    { kind: "choice", choices: "yes\n\n no = never \n- # maybe", right: "2", text: "? > Which\none?", explanation: "! One.\n- Two." },
    { kind: "map", right: "8 11;3" },
    { kind: "number", right: "−0,5", least: "-1", most: "1", within: "0.1" },
    { kind: "number", right: "3", least: "0", most: "10" },
    { kind: "shape", right: "32x112x112" },
  ]) {
    const question = questionFrom(typed(given), null, []);
    assert.deepEqual(plain(readAgain(question)), plain(question));
    assert.deepEqual(typedFrom(question).kind, given.kind);
  }
});

test("a plan says the right answer in its own form", () => {
  const answer = (given, sizes = []) => questionFrom(typed(given), null, sizes).answer;
  assert.equal(answer({ choices: "a\nb\nc", right: "3" }), "3");
  assert.equal(answer({ kind: "map", right: "8,11" }), "8, 11");
  for (const right of ["32×112×112", "(1, 32, 112, 112)", "32, 112, 112"]) assert.equal(answer({ kind: "shape", right }), "(1, 32, 112, 112)");
  assert.equal(answer({ kind: "shape", right: "torch.Size([1, 32, 112, 112])" }), "(1, 32, 112, 112)");
  assert.equal(answer({ kind: "shape" }, [64, 8, 8]), "(1, 64, 8, 8)");
  assert.equal(answer({ kind: "shape", right: "1×28×28" }), "(1, 1, 28, 28)");
});

test("a choice that stays keeps its name and its reason, and no two have one name", () => {
  const before = questionFrom(typed({ choices: "a\nb\nc", right: "2" }), null, []);
  const reasoned = { ...before, choices: before.choices.map((each) => ({ ...each, why: `not ${each.words}` })) };
  const { choices, answer } = questionFrom({ ...typedFrom(reasoned), choices: "b\nd\nc\na" }, reasoned, []);
  assert.deepEqual(choices.map(({ words, why }) => [words, why]), [["b", "not b"], ["d", ""], ["c", "not c"], ["a", "not a"]]);
  assert.equal(new Set(choices.map(({ value }) => value)).size, 4);
  assert.equal(choices.find(({ value }) => value === answer)?.words, "d");
});

test("choices that are kept, changed and changed again have names of their own each time", () => {
  const names = (choices, before) => {
    const question = questionFrom(typed({ choices: choices.split("").join("\n"), right: "1" }), before, []);
    const { choices: found } = question;
    assert.equal(new Set(found.map(({ value }) => value)).size, found.length, choices);
    assert.deepEqual(plain(readAgain(question)), plain(question));
    return question;
  };
  const edits = ["AB", "CAB", "DCAB", "DECAB", "FDECA", "AFGHIJ", "KLAFGH"];
  edits.reduce((before, choices) => names(choices, before), null);
});

test("a shape without a batch passes through the form unchanged, and one of one size too", () => {
  const asking = (answer) => ({ kind: "shape", text: "What?", answer, why: ["So."], choices: [], guess: null });
  for (const answer of ["(64, 3, 7, 7)", "(5,)", "(1,)", "(1, 1, 28, 28)", "(1, 64, 56, 56)"]) {
    assert.equal(questionFrom(typedFrom(asking(answer)), asking(answer), []).answer, answer);
  }
  assert.equal(typedFrom(asking("(64, 3, 7, 7)")).right, "64×3×7×7");
});

for (const { typed: given, word, own = word } of questions) {
  test(`${JSON.stringify(given)} is refused as by the server`, () => assert.equal(questionFrom(typed(given), null, [], WORDS), own));
}

test("what is missing is said in one sentence", () => {
  assert.equal(wrong({ choices: "a\na", right: "1" }), "same");
  for (const right of ["", "0", "3", "b", "1.5"]) assert.equal(wrong({ choices: "a\nb", right }), "no_right");
  for (const right of ["", "-1", "x", "1.5", "100000"]) assert.equal(wrong({ kind: "map", right }), "no_right");
  for (const right of ["", "many", "1e9"]) assert.equal(wrong({ kind: "shape", right }), "no_right");
  assert.equal(wrong({ kind: "number", right: "", least: "0", most: "9" }), "no_right");
  for (const bounds of [{}, { least: "9", most: "0" }, { least: "6", most: "9" }, { least: "0", most: "9", within: "-1" }]) assert.equal(wrong({ kind: "number", right: "5", ...bounds }), "no_bounds");
  assert.equal(wrong({ choices: "a\nb", right: "1", explanation: " \n" }), "no_why");
});
