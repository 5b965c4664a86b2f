// The look: everything on screen but the subject, as one frozen object. It is also the text of an address;
// viz/request/look.py reads and writes the same text, with the same names.

/** @typedef {"layer" | "layers" | "gradients" | "compare" | "hooks" | "lens" | "course" | "quiz" | "unit"} View */
/** @typedef {"layer" | "channel" | "clipped" | "model"} Scale */
/** @typedef {"index" | "mean" | "maximum" | "variance" | "zeros"} Order */
/** @typedef {"after" | "before" | "difference"} Show */
/** @typedef {"grad-cam" | "saliency" | "integrated-gradients" | "occlusion" | "conductance"} Method */
/** @typedef {"last" | "layer"} At */
/** @typedef {"centred" | "stretched"} Lay */
/** @typedef {"climb" | "easy" | "middle" | "hard"} Level */

/**
 * The other side of a comparison: "" where the page chooses by itself, "same", "none", a name or a number.
 * @typedef {Object} Other
 * @property {string} with_sample
 * @property {string} with_model
 * @property {string} with_weights
 * @property {string} with_layer
 * @property {string} with_call
 * @property {string} with_edits
 * @property {string} with_order
 */

/**
 * The drawing of a layer: its values, and its options.
 * @typedef {Object} Drawing
 * @property {View} view
 * @property {string} layer - its dotted name; "" for the model's first layer
 * @property {number} call - from 0; the text counts from 1
 * @property {?number} channel - null: the first that is drawn
 * @property {string} leaf - which tensor of several; "" for the first
 * @property {string} kind - the layout
 * @property {number} row - of the batch
 * @property {number} index - the slice of a volume
 * @property {string} colormap
 * @property {Scale} scale
 * @property {Order} order - of the channels
 * @property {string} edit - the edits' text, as edits.js writes it
 * @property {Show} show - what is shown of the edits
 * @property {?number} target - the class that is looked back from; null: the most probable one
 * @property {Method} method - how it is told what counts for that class
 * @property {At} at - the layer that such a method looks at: the last whose places count, or the one on screen
 * @property {Lay} lay - how maps lie on the picture: each cell where it is centred, or stretched over all of it
 * @property {number} overlay - how much of the picture the large map lets through, in percent
 * @property {number} strength - how much of a method's map covers the picture, in percent
 * @property {?number} steps - of such a method; null, as for the next two: as the method chooses
 * @property {?number} window - of an occlusion, in pixels
 * @property {?number} stride - likewise
 * @property {?number} training - the seed of training mode; null: evaluation mode
 * @property {string} lesson - the course's lesson by its id; a number for one of the sources; "" for the contents
 * @property {?number} lesson_step - from 1; null: where the visitor was
 * @property {?number} seed - of the quiz
 * @property {Level} level - of the quiz; by default it goes from easy to hard
 * @property {?number} quiz_question - from 1, and after the last the result; null: where the visitor was
 * @property {?number} step - of the timeline, from 1
 * @property {boolean} present
 */

/** @typedef {Readonly<Drawing & Other>} Look */
/** @typedef {{name: string, value: string}} Vain */
/** @typedef {{layer: string, channel: number}} ShownChannel - the one on screen, whether or not the look names it */

/**
 * An action of the visitor; a `view` in it is chosen in the same step.
 * @typedef {{type: "layer", layer: string, call?: number, view?: View, seen?: Look}
 *   | {type: "call", call: number}
 *   | {type: "channel", channel: ?number}
 *   | {type: "leaf", leaf: string}
 *   | {type: "kind", kind: string}
 *   | {type: "row", row: number}
 *   | {type: "index", index: number}
 *   | {type: "colormap", colormap: string}
 *   | {type: "scale", scale: Scale}
 *   | {type: "order", order: Order}
 *   | {type: "view", view: View}
 *   | {type: "target", target: ?number}
 *   | {type: "method", method: Method}
 *   | {type: "at", at: At}
 *   | {type: "lay", lay: Lay}
 *   | {type: "overlay", overlay: number}
 *   | {type: "strength", strength: number}
 *   | {type: "steps", steps: ?number}
 *   | {type: "window", window: ?number}
 *   | {type: "stride", stride: ?number}
 *   | {type: "show", show: Show}
 *   | {type: "edits", edits: string}
 *   | {type: "lesson", lesson: string, lesson_step?: ?number, view?: View}
 *   | {type: "seed", seed: ?number}
 *   | {type: "level", level: Level}
 *   | {type: "quiz_question", quiz_question: ?number}
 *   | {type: "step", step: ?number}
 *   | {type: "present", present: boolean}
 *   | {type: "other", other: Partial<Other>, view?: View}
 *   | {type: "link", look: Look}} Action
 */

/** @type {readonly View[]} */
export const VIEWS = Object.freeze(["layer", "layers", "gradients", "compare", "hooks", "lens", "course", "quiz", "unit"]);
/** @type {readonly Scale[]} */
export const SCALES = Object.freeze(["layer", "channel", "clipped", "model"]);
/** @type {readonly Order[]} */
export const ORDERS = Object.freeze(["index", "mean", "maximum", "variance", "zeros"]);
/** @type {readonly Show[]} */
export const SHOWS = Object.freeze(["after", "before", "difference"]);
/** @type {readonly Method[]} */
export const METHODS = Object.freeze(["grad-cam", "saliency", "integrated-gradients", "occlusion", "conductance"]);
/** @type {readonly At[]} */
export const ATS = Object.freeze(["last", "layer"]);
/** @type {readonly Lay[]} */
export const LAYS = Object.freeze(["centred", "stretched"]);
/** @type {readonly Level[]} */
export const LEVELS = Object.freeze(["climb", "easy", "middle", "hard"]);
export const MOST_OVERLAY = 90; // percent: the map itself must stay visible
export const LONGEST = 200; // characters of a value
export const LONGEST_EDIT = 32_000;

/** The look of an address that says nothing. @type {Look} */
export const FIRST = Object.freeze({
  view: "layer",
  layer: "",
  call: 0,
  channel: null,
  leaf: "",
  kind: "auto",
  row: 0,
  index: 0,
  colormap: "auto",
  scale: "layer",
  order: "index",
  edit: "",
  show: "after",
  target: null,
  method: "grad-cam",
  at: "last",
  lay: "centred",
  overlay: 0,
  strength: 60,
  steps: null,
  window: null,
  stride: null,
  training: null,
  lesson: "",
  lesson_step: null,
  seed: null,
  level: "climb",
  quiz_question: null,
  step: null,
  present: false,
  with_sample: "",
  with_model: "",
  with_weights: "",
  with_layer: "",
  with_call: "",
  with_edits: "",
  with_order: "",
});

// Fields of a look that decide the values on screen of a layer.
/** @type {readonly (keyof Look)[]} */
const VALUES = ["call", "leaf", "kind", "row", "index", "edit", "show"];
/** @type {readonly (keyof Look)[]} */
const STAYING = ["view", "layer", "channel"];

const { leaf, kind, row, index, call, channel, step: noStep } = FIRST;
const SLICE = { row, index };
const LAYOUT = { kind, ...SLICE };
const LAYER = { call, channel, leaf, ...LAYOUT, step: noStep };

/**
 * The look after an action; the same object if that changes nothing.
 * @param {Look} look
 * @param {Action} action
 * @returns {Look}
 */
export function step(look, action) {
  const next = { ...look, ...changes(look, action) };
  return equal(look, next) ? look : Object.freeze(next);
}

/**
 * The next look with the channel that is on screen, if other values of the layer come and nobody has chosen one: by
 * those, the page would choose another.
 * @param {Look} look
 * @param {Look} next
 * @param {?ShownChannel} shown
 * @returns {Look}
 */
export function withShown(look, next, shown) {
  const stays = STAYING.every((name) => next[name] === look[name]) && shown?.layer === look.layer;
  const others = VALUES.some((name) => next[name] !== look[name]) || (look.view === "gradients" && next.target !== look.target);
  if (!stays || !others) return next;
  return Object.freeze({ ...next, channel: shown.channel });
}

/**
 * Check whether two looks are the same on screen.
 * @param {Look} one
 * @param {Look} other
 */
export function equal(one, other) {
  return NAMES.every((name) => one[name] === other[name]);
}

// The fields that an action sets. What means nothing beside the new choice goes back to its default, or for a layer to
// what was chosen when it was last `seen`.
/** @type {(look: Look, action: Action) => Partial<Look>} */
function changes(look, action) {
  switch (action.type) {
    case "layer": {
      const asked = action.call === undefined ? {} : { call: action.call };
      const there = action.layer === look.layer ? calledBy(look, asked) : { ...LAYER, ...choicesIn(action.seen), layer: action.layer, ...asked };
      return { ...there, ...seenAs(action) };
    }
    case "call":
      return calledBy(look, { call: action.call });
    case "leaf":
      return { ...LAYOUT, leaf: action.leaf };
    case "kind":
      return { ...SLICE, kind: action.kind };
    case "method":
      return { method: action.method, steps: FIRST.steps, window: FIRST.window, stride: FIRST.stride };
    case "window": // how far it moves follows from its size
      return { window: action.window, stride: FIRST.stride };
    case "edits": // without edits there is no before
      return action.edits ? { edit: action.edits } : { edit: "", show: FIRST.show };
    case "lesson":
      return { lesson: action.lesson, lesson_step: action.lesson_step ?? null, ...seenAs(action) };
    case "seed": // another quiz, and how far the visitor is in that
      return { seed: action.seed, quiz_question: FIRST.quiz_question };
    case "level":
      return { level: action.level, quiz_question: FIRST.quiz_question };
    case "other":
      return { ...action.other, ...seenAs(action) };
    case "link":
      return action.look;
    default: {
      const { type, ...chosen } = action;
      return chosen;
    }
  }
}

/** @type {(action: {view?: View}) => Partial<Look>} */
function seenAs({ view }) {
  return view === undefined ? {} : { view };
}

// Choices of the visitor for a layer.
/** @type {(seen?: Look) => Partial<Look>} */
function choicesIn(seen) {
  if (!seen) return {};
  return { channel: seen.channel, leaf: seen.leaf, kind: seen.kind, row: seen.row, index: seen.index };
}

// A step of the timeline belongs to one call.
/** @type {(look: Look, asked: {call?: number}) => Partial<Look>} */
function calledBy(look, asked) {
  return asked.call === undefined || asked.call === look.call ? {} : { ...asked, step: null };
}

/**
 * The text form of a field, to write and to read; undefined for a text that is no value of it.
 * @template Value
 * @typedef {{write: (value: Value) => string, read: (text: string) => Value | undefined}} Form
 */

/** @type {(longest: number) => Form<string>} */
const text = (longest) => ({ write: (value) => value, read: (said) => ([...said].length > longest ? undefined : said) });

/** @type {(known: readonly string[]) => Form<string>} */
const word = (known) => ({ write: (value) => value, read: (said) => known.find((each) => each === said) });

/** @type {(digits: number, least?: number, from?: number, most?: number) => Form<any>} */
const number = (digits, least = 0, from = 0, most = Infinity) => ({
  write: (value) => String(value + from),
  read: (said) => (/^[0-9]+$/.test(said) && said.length <= digits && Number(said) >= least && Number(said) <= most ? Number(said) - from : undefined),
});

/** @type {Form<boolean>} */
const yes = { write: (value) => (value ? "1" : "0"), read: (said) => new Map([["1", true], ["0", false]]).get(said) };

/** @type {{[Name in keyof Look]: Form<any>}} */
const FORMS = {
  view: word(VIEWS),
  layer: text(LONGEST),
  call: number(5, 1, 1),
  channel: number(5),
  leaf: text(LONGEST),
  kind: text(LONGEST),
  row: number(5),
  index: number(5),
  colormap: text(LONGEST),
  scale: word(SCALES),
  order: word(ORDERS),
  edit: text(LONGEST_EDIT),
  show: word(SHOWS),
  target: number(5),
  method: word(METHODS),
  at: word(ATS),
  lay: word(LAYS),
  overlay: number(2, 0, 0, MOST_OVERLAY),
  strength: number(3, 0, 0, 100),
  steps: number(5, 1),
  window: number(5, 1),
  stride: number(5, 1),
  training: number(6),
  lesson: text(LONGEST),
  lesson_step: number(5, 1),
  seed: number(6),
  level: word(LEVELS),
  quiz_question: number(5, 1),
  step: number(6, 1),
  present: yes,
  with_sample: text(LONGEST),
  with_model: text(LONGEST),
  with_weights: text(LONGEST),
  with_layer: text(LONGEST),
  with_call: text(LONGEST),
  with_edits: text(LONGEST),
  with_order: text(LONGEST),
};

/** The look's names, in the order of its text. @type {readonly (keyof Look)[]} */
export const NAMES = Object.freeze(/** @type {(keyof Look)[]} */ (Object.keys(FIRST)));

/**
 * The look as the query of an address, as browsers write it; without fields at their defaults.
 * @param {Look} look
 * @returns {string}
 */
export function lookToQuery(look) {
  const said = NAMES.filter((name) => look[name] !== FIRST[name]);
  return new URLSearchParams(said.map((name) => [name, FORMS[name].write(look[name])])).toString();
}

/**
 * The look that a query says, and what it asks for in vain. Of a name that is said twice the first counts; names that
 * are not the look's are passed over.
 * @param {string} query - with or without its question mark
 * @returns {{look: Look, vain: Vain[]}}
 */
export function lookFromQuery(query) {
  const asked = new URLSearchParams(query);
  /** @type {Partial<Record<keyof Look, unknown>>} */
  const found = {};
  /** @type {Vain[]} */
  const vain = [];
  for (const name of NAMES) {
    const value = asked.get(name);
    if (value === null) continue;
    const read = FORMS[name].read(value);
    if (read === undefined) vain.push({ name, value });
    else found[name] = read;
  }
  return { look: Object.freeze(/** @type {Look} */ ({ ...FIRST, ...found })), vain };
}
