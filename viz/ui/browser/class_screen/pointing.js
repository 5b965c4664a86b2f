// The leader's pointer, on the same map on every screen, at any size.

import { follows, leads } from "../classroom/membership.js";
import { element } from "../maps/mosaic.js";

const POINTED = "img, canvas, svg, p, li, pre, h2, h3, button, td"; // what can be pointed at where a view does not say it better
const AGAIN_MS = 250; // what is pointed at may move without a word: pictures arrive, the page scrolls

/** @typedef {{left: number, top: number, width: number, height: number}} Box */

/**
 * A view that knows what lies under the pointer: `under` names it, `boxOf` says where that is on this screen,
 * `chosen` names what the keys are on, and `count` says how many maps there are.
 * @typedef {{under: (event: MouseEvent) => ?string, boxOf: (what: string) => ?Box, chosen?: () => ?string, count?: () => number}} Pointable
 */

export class Pointing {
  /** @type {?PointerPosition} */
  mine = null;

  /** @type {ReturnType<typeof setInterval> | undefined} */
  timer;

  /**
   * @param {HTMLElement} place - in which the view is
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {() => ?{pointable?: Pointable}} shown - the view
   */
  constructor(place, classroom, shown) {
    this.place = place;
    this.classroom = classroom;
    this.shown = shown;
    this.mark = element("div", "lg-class-pointer");
    this.mark.setAttribute("aria-hidden", "true");
    this.mark.hidden = true;
    document.body.append(this.mark);
    this.hearing = new AbortController();
    const { signal } = this.hearing;
    document.addEventListener("pointermove", (event) => this.moved(event), { signal });
    document.addEventListener("scroll", () => this.draw(), { signal, capture: true, passive: true });
    this.stop = classroom.hear(() => this.follow());
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (!this.classroom.pointing || !leads(this.classroom.now)) return;
    const at = this.under(event);
    if (!at && !this.mine) return;
    this.mine = at;
    this.classroom.point(at);
    this.draw();
  }

  /** @type {(event: MouseEvent) => ?PointerPosition} */
  under(event) {
    const what = this.shown()?.pointable?.under(event) ?? this.nameOf(event.target);
    const box = what === null ? null : this.boxOf(what);
    if (what === null || !box?.width || !box.height) return null;
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    return x >= 0 && x <= 1 && y >= 0 && y <= 1 ? { what, x: rounded(x), y: rounded(y) } : null;
  }

  /** @param {?EventTarget} target */
  nameOf(target) {
    const part = target instanceof Element && this.place.contains(target) ? target.closest(POINTED) : null;
    if (!part || !this.place.contains(part)) return null;
    return `part ${[...this.place.querySelectorAll(POINTED)].indexOf(part)}`;
  }

  /** @type {(what: string) => ?Box} */
  boxOf(what) {
    const [, number] = /^part (\d{1,5})$/.exec(what) ?? [];
    if (number === undefined) return this.shown()?.pointable?.boxOf(what) ?? null;
    return this.place.querySelectorAll(POINTED)[Number(number)]?.getBoundingClientRect() ?? null;
  }

  follow() {
    if (!leads(this.classroom.now) || !this.classroom.pointing) this.mine = null;
    clearInterval(this.timer);
    if (this.at) this.timer = setInterval(() => this.draw(), AGAIN_MS);
    this.draw();
  }

  get at() {
    const { now, pointed } = this.classroom;
    return leads(now) ? this.mine : follows(now) ? pointed : null;
  }

  draw() {
    const { at } = this;
    const box = at && this.boxOf(at.what);
    this.mark.hidden = !box?.width;
    if (!at || !box) return;
    this.mark.style.transform = `translate(${box.left + at.x * box.width}px, ${box.top + at.y * box.height}px)`;
  }

  close() {
    clearInterval(this.timer);
    this.hearing.abort();
    this.stop();
    this.mark.remove();
  }
}

/** @param {number} share */
function rounded(share) {
  return Math.round(share * 10_000) / 10_000;
}
