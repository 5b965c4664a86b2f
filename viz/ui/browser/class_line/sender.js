// A sender of the newest value: during a request only the latest one waits.

const GAP_MS = 50; // the server takes twenty a second
const AGAIN_MS = 1000;

/** @template Value */
export class Sender {
  /** @type {{value: Value} | null} */
  waiting = null;

  busy = false;

  /**
   * @param {(value: Value) => Promise<boolean>} say - false if it has to be said again
   * @param {(milliseconds: number) => Promise<void>} [pause]
   */
  constructor(say, pause = (milliseconds) => new Promise((go) => { setTimeout(go, milliseconds); })) {
    this.say = say;
    this.pause = pause;
  }

  /** @param {Value} value */
  send(value) {
    this.waiting = { value };
    if (!this.busy) this.work();
  }

  // Discard the waiting value.
  drop() {
    this.waiting = null;
  }

  async work() {
    this.busy = true;
    while (this.waiting) {
      const said = this.waiting;
      this.waiting = null;
      const heard = await this.say(said.value);
      if (!heard) this.waiting ??= said;
      await this.pause(heard ? GAP_MS : AGAIN_MS);
    }
    this.busy = false;
  }
}
