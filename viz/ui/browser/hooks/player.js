// The player of the timeline as a plain value: event, playing or paused, speed.

/** @typedef {{readonly place: number, readonly count: number, readonly playing: boolean, readonly speed: number}} Player */

export const SPEEDS = Object.freeze([0.5, 1, 2, 4]);
export const EVENT_MS = 1000; // how long an event stays at speed 1

/** @type {(count: number, place: number, speed?: number) => Player} */
export function begin(count, place, speed = 1) {
  return { place: within(place, count), count, playing: false, speed };
}

/** Play on from here, or from the first event if the player is at the last. @type {(player: Player) => Player} */
export function play(player) {
  if (player.playing || player.count < 2) return player;
  return { ...player, place: isAtEnd(player) ? 0 : player.place, playing: true };
}

/** @type {(player: Player) => Player} */
export function pause(player) {
  return player.playing ? { ...player, playing: false } : player;
}

/** @type {(player: Player) => Player} */
export function toggle(player) {
  return player.playing ? pause(player) : play(player);
}

/** The time of an event is over: the next one comes, and the last one ends it. @type {(player: Player) => Player} */
export function tick(player) {
  if (!player.playing) return player;
  const next = { ...player, place: within(player.place + 1, player.count) };
  return isAtEnd(next) ? pause(next) : next;
}

/** Another event by hand, which nothing plays away. @type {(player: Player, place: number) => Player} */
export function seek(player, place) {
  return { ...player, place: within(place, player.count), playing: false };
}

/** A speed that there is; any other changes nothing. @type {(player: Player, speed: number) => Player} */
export function paced(player, speed) {
  return SPEEDS.includes(speed) ? { ...player, speed } : player;
}

/** Time for which the event on screen stays, in milliseconds. @param {Player} player */
export function stay({ speed }) {
  return EVENT_MS / speed;
}

/** @param {Player} player */
export function isAtEnd({ place, count }) {
  return place >= count - 1;
}

/** @type {(place: number, count: number) => number} */
function within(place, count) {
  return Math.max(0, Math.min(Math.round(place), count - 1));
}

/**
 * Place of the moment that holds at an event: the last one that is not after it; -1 before the first. At the last event
 * all are over.
 * @type {(numbers: readonly number[], number: number, isLast?: boolean) => number}
 */
export function momentAt(numbers, number, isLast = false) {
  return isLast ? numbers.length - 1 : numbers.findLastIndex((begins) => begins <= number);
}

/**
 * The place of the first of some events, in their order, that is not before a number; the last one if all are.
 * @type {(numbers: readonly number[], number: number) => number}
 */
export function placeFrom(numbers, number) {
  const found = numbers.findIndex((each) => each >= number);
  return found < 0 ? numbers.length - 1 : found;
}
