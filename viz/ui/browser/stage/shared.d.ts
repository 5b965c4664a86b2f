// Types that the parts of the stage share, for tsc: nothing of this is served, and every script knows them by name.
// (stage.d.ts would hide stage.js from tsc.)

type Look = import("../look/look.js").Look;
type Action = import("../look/look.js").Action;

/** The state that the parts of the page share: the subject as `data`, and the look in `store`. */
type StagePage = import("./page.js").Page;

/** A layer, or an operation, of the subject's model. */
type LayerRow = SubjectFacts["rows"][number];

/** Maps on screen; a frame of the camera brings its picture, and the channel that was shown large. */
type DrawnPage = Extract<Page, { facts: LayerFacts }> & {
  live?: boolean;
  seen?: string;
  values?: "reduced"; // the question for its numbers, if they are not one channel's
  large?: { channel: number; image: HTMLImageElement } | null;
};

/**
 * A part of the stage, made for an element: `show` draws what the look says of the page's subject; `expect` hears of a
 * layer that the visitor is about to choose; `keyed` is what keys do in it; `pointable` knows what a pointer of a class
 * is on.
 */
interface Feature {
  show(look: Look): void;
  expect?(layer: string): void;
  readonly keyed?: import("../layer/keys.js").Keyed;
  readonly pointable?: import("../class_screen/pointing.js").Pointable;
  close(): void;
}

/** Values that Streamlit gives to a part of the page. */
interface PartGiven<Data> {
  data: Data;
  parentElement: HTMLElement;
  setTriggerValue: (name: string, value: unknown) => void;
}

/** The pixels that a number sees: top, left, bottom and right in a picture of so many rows and columns. */
type Field = Pick<NumberFacts, "box" | "size">;

/** The model's input from a frame of the camera, and its best guesses. */
type LiveSight = Pick<LiveFacts, "seen" | "top">;

/** Events between parts of the page. */
interface WindowEventMap {
  "layerglass:gone": CustomEvent<string>;
  "layerglass:moving": CustomEvent<string>;
  "layerglass:asked": CustomEvent<number>;
  "layerglass:answered": CustomEvent<number>;
  "layerglass:guess": CustomEvent<null>;
  "layerglass:returned": Event;
  "layerglass:field": CustomEvent<Field | null>;
  "layerglass:frame": CustomEvent<{ frame: Blob; done: (taken: boolean) => void }>;
  "layerglass:live": CustomEvent<LiveSight>;
  "layerglass:live-end": CustomEvent<null>;
}
