// The player of the timeline: it goes on, stops at the end, begins anew, and knows what memory holds at an event.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  begin, EVENT_MS, isAtEnd, momentAt, paced, pause, placeFrom, play, seek, SPEEDS, stay, tick, toggle,
} from "../../../../../viz/ui/browser/hooks/player.js";

// Every place that is on screen until it stands still.
const played = (player) => {
  const places = [];
  for (let now = play(player); ; now = tick(now)) {
    places.push(now.place);
    if (!now.playing) return places;
  }
};

test("it plays from where it is to the last event, and stands still there", () => {
  assert.deepEqual(played(begin(5, 2)), [2, 3, 4]);
  assert.deepEqual(played(begin(2, 0)), [0, 1]);
});

test("what has ended begins anew", () => {
  assert.deepEqual(played(begin(4, 3)), [0, 1, 2, 3]);
});

test("with one event, or none, nothing plays", () => {
  for (const count of [0, 1]) assert.equal(play(begin(count, 0)).playing, false);
  assert.equal(begin(0, 3).place, 0);
});

test("a pause keeps the event, and Play goes on from it", () => {
  const paused = toggle(tick(toggle(begin(9, 3))));
  assert.deepEqual([paused.place, paused.playing], [4, false]);
  assert.equal(tick(paused), paused);
  assert.equal(pause(paused), paused);
  assert.deepEqual(played(paused).slice(0, 2), [4, 5]);
});

test("who goes to an event by hand stays there, between the first and the last", () => {
  const playing = play(begin(6, 1));
  assert.deepEqual(seek(playing, 4), { ...playing, place: 4, playing: false });
  assert.deepEqual([seek(playing, -2).place, seek(playing, 99).place, seek(playing, 2.6).place], [0, 5, 3]);
  assert.ok(isAtEnd(seek(playing, 99)));
});

test("a speed divides the time of an event, goes on while it plays, and is one of those that there are", () => {
  const playing = play(begin(6, 1));
  assert.deepEqual(SPEEDS.map((speed) => stay(paced(playing, speed))), [2, 1, 0.5, 0.25].map((times) => times * EVENT_MS));
  assert.equal(paced(playing, 4).playing, true);
  for (const none of [0, -1, 3, NaN, Infinity]) assert.equal(paced(playing, none), playing);
});

test("memory holds what was written last, nothing before the hook, and everything at the end", () => {
  const moments = [4, 7, 8];
  assert.deepEqual([0, 3, 4, 6, 7, 8, 20].map((number) => momentAt(moments, number)), [-1, -1, 0, 0, 1, 2, 2]);
  assert.equal(momentAt([4, 9], 8, true), 1);
});

test("a moment between events that are shown is at the next of them", () => {
  const shown = [0, 3, 4, 11];
  assert.deepEqual([0, 1, 4, 5, 11, 12].map((number) => placeFrom(shown, number)), [0, 1, 2, 3, 3, 3]);
});
