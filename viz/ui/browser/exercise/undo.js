// Undo of a field's text. Each browser's own forgets something else of what a script writes.

/** @typedef {{text: string, start: number, end: number}} Written - a text, and the selection in it */

const TOGETHER_MS = 1000; // letters that follow each other so soon are taken back together

export class Undo {
  /** @type {{back: Written[], forth: Written[]}} */
  kept = { back: [], forth: [] };

  last = { kind: "", at: 0 };

  // Keep what is about to change.
  /** @type {(now: Written, kind?: string, at?: number) => void} */
  keep(now, kind = "", at = 0) {
    const goesOn = /^(insertText|delete\w+)$/.test(kind) && kind === this.last.kind && at - this.last.at < TOGETHER_MS;
    this.kept = { back: goesOn ? this.kept.back : [...this.kept.back, now], forth: [] };
    this.last = { kind, at };
  }

  // What to write in place of a text; undefined if that is all.
  /** @type {(way: "back" | "forth", now: Written) => Written | undefined} */
  turn(way, now) {
    let there = this.kept[way].pop();
    while (there?.text === now.text) there = this.kept[way].pop(); // as of a Backspace with nothing before it
    if (there) this.kept[way === "back" ? "forth" : "back"].push(now);
    this.last.kind = "";
    return there;
  }
}
