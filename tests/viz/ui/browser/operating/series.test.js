import assert from "node:assert/strict";
import { test } from "node:test";

import {
  answerSeries, bytesText, countText, decades, durationText, growth, linePath, marks, memorySeries, rate, rateText, secondsText,
} from "../../../../../viz/ui/browser/operating/series.js";

const moment = (at, answers, memory = {}) => ({ at, answers, memory });
const count = (each) => each.answers.View;

test("a rate is what a count has grown by, per second of the moments behind it", () => {
  const moments = [moment(10, { View: 100 }), moment(12, { View: 104 }), moment(15, { View: 104 }), moment(20, { View: 154 })];
  assert.deepEqual(growth(moments, count, 1), [0, 4, 0, 50]);
  assert.deepEqual(growth(moments, count, 3), [0, 4, 4, 54]);
  assert.deepEqual(rate(moments, count, 1), [0, 2, 0, 10]);
  assert.deepEqual(rate(moments, count, 2), [0, 2, 0.8, 6.25]);
});

test("a count that fell began anew, and is no negative rate", () => {
  assert.deepEqual(growth([moment(1, { View: 90 }), moment(2, { View: 3 })], count, 1), [0, 0]);
});

test("the kinds answered most come first, and rare ones together at the end", () => {
  const names = ["A", "B", "C", "D", "E", "F", "G"];
  const all = (each) => Object.fromEntries(names.map((name, place) => [name, each * (place + 1)]));
  const series = answerSeries([moment(0, { ...all(0), Idle: 5 }), moment(1, { ...all(1), Idle: 5 })], 1, "others");
  assert.deepEqual(series.map((each) => each.name), ["G", "F", "E", "D", "C", "others"]);
  assert.deepEqual(series.at(-1).values, [0, 3]);
  assert.deepEqual(answerSeries([], 1, "others"), []);
});

test("the page's memory comes first, then the processes in order; one that was not there yet has a gap", () => {
  const series = memorySeries([moment(0, {}, { "models-2": 5, page: 1 }), moment(1, {}, { "models-10": 7, "models-2": 6, page: 2 })]);
  assert.deepEqual(series, [
    { name: "page", values: [1, 2] },
    { name: "models-2", values: [5, 6] },
    { name: "models-10", values: [null, 7] },
  ]);
});

test("marks are few, round, and reach what is drawn", () => {
  for (const most of [0, 0.003, 0.99, 1, 3.2, 7, 41, 999, 1000, 1001, 8.7e8, 2.3e10]) {
    const found = marks(most, 0.001);
    const step = found[1] - found[0];
    assert.ok(found.length >= 3 && found.length <= 6, `${most}: ${found}`);
    assert.ok(found.at(-1) >= most * 0.999 && found.at(-2) < Math.max(most, 0.001));
    assert.ok([1, 2, 5].includes(Math.round(step / 10 ** Math.floor(Math.log10(step) + 1e-9))), `${most}: ${found}`);
  }
  assert.deepEqual(marks(0, 4), [0, 1, 2, 3, 4]);
});

test("a logarithmic axis has powers of ten around all values", () => {
  const near = (found, expected) => expected.forEach((each, place) => assert.ok(Math.abs(found[place] / each - 1) < 1e-9, `${found}`));
  near(decades([0.004, 0.3], 1), [0.001, 0.01, 0.1, 1]);
  near(decades([0, 12], 1), [0.001, 0.01, 0.1, 1, 10, 100]);
  assert.equal(decades([], 1).length, 4);
  assert.equal(decades([1e-9], 1)[0], 0.0001);
});

test("a line has gaps where there are no values, and a lonely value is a dot", () => {
  assert.equal(linePath([[0, 1], [2, 3], null, [4, 5], null]), "M0.0 1.0L2.0 3.0M4.0 5.0h0.1");
  assert.equal(linePath([null, null]), "");
});

test("values are short, in the unit that fits", () => {
  assert.deepEqual([0, 1200, 4.8e7, 9.72e8, 1.55e9, 2.34e10, null].map(bytesText), ["0 kB", "1 kB", "48 MB", "972 MB", "1.6 GB", "23 GB", "–"]);
  assert.deepEqual([0, 0.0012, 0.017, 0.9, 1.26, 70, null].map(secondsText), ["0 ms", "1.2 ms", "17 ms", "900 ms", "1.3 s", "70 s", "–"]);
  assert.deepEqual([0, 12345, null].map(countText), ["0", "12,345", "–"]);
  assert.deepEqual([0, 0.25, 12.6].map(rateText), ["0/s", "0.3/s", "13/s"]);
  assert.deepEqual([59, 3599, 3600 * 30.5, 86400 * 3].map(durationText), ["0 min", "59 min", "30 h 30 min", "3 days"]);
});
