// The server's event line to a page of its class. The browser reopens it by itself; anything missed in between comes as
// the newest state.

const SILENCE_MS = 30_000; // the server is heard of every ten seconds

/**
 * @typedef {Object} Told
 * @property {(state: ClassroomState) => void} look
 * @property {(point: Point) => void} point
 * @property {(roster: ClassroomRoster) => void} roster
 * @property {(told: ClassroomAsking) => void} question
 * @property {(told: ClassroomAnswers) => void} answers
 * @property {(told: {removed?: boolean}) => void} end - of the class, or of this student in it
 * @property {(why: Answer) => void} moved - another page has taken this one's place
 * @property {(connected: boolean) => void} line
 * @property {() => void} refused - the server does not know the page in this class
 */

export class Line {
  /** @type {?EventSource} */
  source = null;

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  silence;

  /**
   * @param {string} address
   * @param {Told} told
   */
  constructor(address, told) {
    this.address = address;
    this.told = told;
    this.online = () => { if (this.source?.readyState !== EventSource.OPEN) this.open(); };
    window.addEventListener("online", this.online);
    this.open();
  }

  open() {
    this.source?.close();
    const source = this.source = new EventSource(this.address);
    /** @type {(name: string, act: (said: any) => void) => void} */
    const on = (name, act) => source.addEventListener(name, (event) => {
      this.heard();
      act(JSON.parse(/** @type {MessageEvent} */ (event).data));
    });
    on("look", this.told.look);
    on("point", this.told.point);
    on("roster", this.told.roster);
    on("question", this.told.question);
    on("answers", this.told.answers);
    on("beat", () => {});
    on("end", this.told.end);
    on("moved", this.told.moved);
    source.addEventListener("open", () => this.heard());
    source.addEventListener("error", () => this.failed(source));
    this.listen();
  }

  heard() {
    this.told.line(true);
    this.listen();
  }

  // A line that has gone without a word, as when a laptop was closed.
  listen() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      this.told.line(false);
      this.open();
    }, SILENCE_MS);
  }

  /** @param {EventSource} source */
  failed(source) {
    if (source !== this.source) return;
    this.told.line(false);
    if (source.readyState === EventSource.CLOSED) this.told.refused();
  }

  close() {
    clearTimeout(this.silence);
    window.removeEventListener("online", this.online);
    this.source?.close();
    this.source = null;
  }
}
