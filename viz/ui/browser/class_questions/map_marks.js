// Answers on the maps. A student clicks one, or presses Enter on it; the teacher, and once it is shown everybody, sees
// how many have clicked each.

import { isOpen, isRight, tallied } from "../classroom/asking_state.js";
import { element, filled } from "../maps/mosaic.js";

const AGAIN_MS = 250; // maps move without a word: pictures arrive, the page scrolls
const MOST_MARKS = 120;

export class MapMarks {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  timer;

  drawn = "";

  /**
   * @param {HTMLElement} place - in which the view is
   * @param {import("../classroom/classroom.js").Classroom} classroom
   * @param {() => ?{pointable?: import("../class_screen/pointing.js").Pointable}} shown - the view
   */
  constructor(place, classroom, shown) {
    this.place = place;
    this.classroom = classroom;
    this.shown = shown;
    this.root = element("div", "lg-asked-marks");
    document.body.append(this.root);
    this.hearing = new AbortController();
    const { signal } = this.hearing;
    place.addEventListener("click", (event) => this.clicked(event), { signal, capture: true });
    place.addEventListener("keydown", (event) => this.pressed(event), { signal, capture: true });
    document.addEventListener("scroll", () => this.draw(), { signal, capture: true, passive: true });
    this.stop = classroom.hear(() => this.follow());
  }

  // True if the question is about the maps on screen.
  get isHere() {
    const { question } = this.classroom.asking.now;
    const { layer } = this.classroom.page.store.get();
    return question?.kind === "map" && (!question.layer || question.layer === layer) && Boolean(this.shown()?.pointable);
  }

  get takes() {
    const { asking, now } = this.classroom;
    return now.role === "student" && isOpen(asking.now) && this.isHere;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (this.takes && this.answer(this.shown()?.pointable?.under(event) ?? null)) event.stopPropagation();
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const { target } = event;
    if (event.key !== "Enter" || !this.takes || !(target instanceof Element) || !target.matches(".lg-viewer")) return;
    if (this.answer(this.shown()?.pointable?.chosen?.() ?? null)) event.preventDefault();
  }

  // Answer with a map; false if it is none.
  /** @param {?string} what */
  answer(what) {
    const [, number] = /^(?:map|large) (\d{1,5})$/.exec(what ?? "") ?? [];
    if (number === undefined) return false;
    this.classroom.asking.answer([Number(number)]);
    return true;
  }

  follow() {
    clearInterval(this.timer);
    const { question } = this.classroom.asking.now;
    document.documentElement.classList.toggle("lg-asked-maps", this.takes);
    if (question?.kind === "map") this.timer = setInterval(() => this.draw(), AGAIN_MS);
    this.draw();
  }

  // The channels that are marked.
  /** @returns {{channel: number, count: number, mine: boolean, right: boolean}[]} */
  get marks() {
    const { asking } = this.classroom;
    const { question, mine, answers } = asking.now;
    if (!question || !this.isHere) return [];
    const tallies = question.revealed?.answers ?? (asking.hidden ? [] : tallied(answers));
    const channels = new Set([...tallies.map(({ value }) => value[0]), ...mine, ...(question.revealed?.right ?? [])]);
    return [...channels].slice(0, MOST_MARKS).map((channel) => ({
      channel, count: tallies.find(({ value }) => value[0] === channel)?.count ?? 0, mine: mine[0] === channel, right: isRight(question, [channel]),
    }));
  }

  draw() {
    const { marks } = this;
    const { words } = this.classroom.page.data;
    const drawn = JSON.stringify(marks);
    if (drawn !== this.drawn) this.root.replaceChildren(...marks.map((mark) => marked(mark, words)));
    this.drawn = drawn;
    marks.forEach(({ channel }, place) => lay(this.root.children[place], this.shown()?.pointable?.boxOf(`map ${channel}`) ?? null));
  }

  close() {
    clearInterval(this.timer);
    this.hearing.abort();
    this.stop();
    document.documentElement.classList.remove("lg-asked-maps");
    this.root.remove();
  }
}

/** @type {(mark: {channel: number, count: number, mine: boolean, right: boolean}, words: Words) => HTMLElement} */
function marked({ channel, count, mine, right }, words) {
  const mark = element("div", ["lg-asked-mark", mine && "lg-mine", right && "lg-right"].filter(Boolean).join(" "));
  mark.dataset.channel = String(channel);
  const said = [count && String(count), right && "✓"].filter(Boolean).join(" ") || (mine ? "●" : "");
  const badge = element("span", "", said);
  badge.title = [`${words.asking_map} ${channel}`, mine && words.asking_yours, right && words.asking_is_right, count && filled(words.asking_students, { count })].filter(Boolean).join(" · ");
  mark.append(badge);
  return mark;
}

/** @type {(mark: Element, box: ?import("../class_screen/pointing.js").Box) => void} */
function lay(mark, box) {
  if (!(mark instanceof HTMLElement)) return;
  mark.hidden = !box?.width;
  if (!box) return;
  mark.style.left = `${box.left}px`; // a transform would keep the count among its own, under the frame of the map beside it
  mark.style.top = `${box.top}px`;
  mark.style.width = `${box.width}px`;
  mark.style.height = `${box.height}px`;
}
