// Edits as plain values, and as text in a look: "layer1.0.conv1:zero:3,17". viz/request/edit_request.py explains each
// part, reads and writes the same text, and says what is wrong with one that is no edit.

/**
 * @typedef {Object} Edit
 * @property {string} layer
 * @property {?number} call - from 0; null: all of them
 * @property {string} kind
 * @property {readonly number[]} channels - sorted, each once; none: all of them
 * @property {number} amount
 * @property {number} seed
 * @property {string} side
 * @property {string} donor
 */

export const KINDS = Object.freeze(["zero", "scale", "mean", "noise", "clamp", "swap"]);
export const WITH_AMOUNT = Object.freeze(["scale", "noise", "clamp"]);
export const SIDES = Object.freeze(["output", "inputs", "gradient", "inputs_gradient"]);
export const ON_GRADIENTS = Object.freeze(["zero", "scale", "noise", "clamp"]);
export const MOST_EDITS = 32;
export const MOST_CHANNELS = 16_384;
const LARGEST_CHANNEL = 999_999;
const LARGEST_SEED = 999_999;
const MOST_CALLS = 9_999;
const LONGEST_LAYER = 1_000;
const SAYING = /** @type {const} */ (["kind", "amount", "seed", "donor"]); // what is done, wherever it is done
const DEFAULTS = { call: null, kind: "zero", channels: [], amount: 0, seed: 0, side: "output", donor: "" };

const FORM = new RegExp(
  "^(?<layer>[^:@]+)(?:@(?<call>[0-9]{1,4}))?:(?:(?<side>[a-z_]+)\\.)?(?<kind>[a-z]+)" +
    "(?::(?<channels>all|[0-9,-]+))?(?::(?<amount>[-+.0-9e]+))?(?::(?<seed>[0-9]{1,6}))?" +
    "(?::(?<donor>own_[0-9a-f]{32}|[a-z][a-z_]{1,39}))?$",
);
const AMOUNT = /^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/;

/**
 * An edit with everything that is not said at its default; equal edits are equal values. Null if it cannot be.
 * @param {Partial<Edit> & {layer: string}} said
 * @returns {?Edit}
 */
export function editOf(said) {
  const edit = { ...DEFAULTS, ...said };
  const { kind, channels, donor } = edit;
  if (!hasWords(edit) || !hasNumbers(edit)) return null;
  return {
    ...edit,
    channels: [...new Set(channels)].sort((one, other) => one - other),
    amount: WITH_AMOUNT.includes(kind) ? edit.amount : 0,
    seed: kind === "noise" ? edit.seed : 0,
    donor: kind === "swap" ? donor : "",
  };
}

/**
 * The edits in a text, in their order. Null if a part of it is no edit; why, the server says.
 * @param {string} text
 * @returns {?Edit[]}
 */
export function editsFrom(text) {
  const parts = text.split(";").map((part) => part.trim()).filter(Boolean);
  const edits = parts.length > MOST_EDITS ? [null] : parts.map(editFrom);
  return edits.every((edit) => edit !== null) ? edits : null;
}

/**
 * All edits as one text; empty for none.
 * @param {readonly Edit[]} edits
 */
export function editsText(edits) {
  return edits.map(editText).join(";");
}

/**
 * An edit as a link writes it.
 * @param {Edit} edit
 */
export function editText({ layer, call, kind, channels, amount, seed, side, donor }) {
  const where = call === null ? quoted(layer) : `${quoted(layer)}@${call + 1}`;
  const details = [
    ...(WITH_AMOUNT.includes(kind) ? [amountText(amount)] : []),
    ...(seed ? [String(seed)] : []),
    ...(donor ? [donor] : []),
  ];
  const listed = channels.length || details.length ? [channelsText(channels)] : [];
  return [where, side === "output" ? kind : `${side}.${kind}`, ...listed, ...details].join(":");
}

/**
 * The edits with one more.
 * @param {readonly Edit[]} edits
 * @param {Edit} edit
 */
export function added(edits, edit) {
  return stacked([...edits, edit]);
}

/**
 * The edits without the first that is the same as an edit; all of them if none is.
 * @param {readonly Edit[]} edits
 * @param {Edit} edit
 */
export function undone(edits, edit) {
  const place = edits.findIndex((each) => editText(each) === editText(edit));
  return edits.filter((_, each) => each !== place);
}

/** The edits after all are undone: none. @type {readonly Edit[]} */
export const CLEARED = Object.freeze([]);

/**
 * The same edits, joined where one edit can say what several did. Removing a removed channel, or whole layer,
 * again puts it back. Any other edit joins the one before it if that does the same to other channels.
 * @param {readonly Edit[]} edits
 * @returns {Edit[]}
 */
export function stacked(edits) {
  /** @type {Edit[]} */
  const found = [];
  for (const edit of edits) {
    const place = found.findIndex((old) => removesTheSame(old, edit));
    const last = found.at(-1);
    if (place >= 0) {
      const rest = found[place].channels.filter((channel) => !edit.channels.includes(channel));
      found.splice(place, 1, ...(rest.length ? [{ ...found[place], channels: rest }] : []));
    } else if (last && joins(last, edit)) found[found.length - 1] = joined(last, edit);
    else found.push(edit);
  }
  return found;
}

/**
 * Check whether an edit of exactly this target removes a channel; of a target that is edited `whole`, all of them.
 * @param {readonly Edit[]} edits
 * @param {Pick<Edit, "layer" | "call" | "side"> & {whole: boolean}} target
 * @param {number} channel
 */
export function isRemoved(edits, target, channel) {
  /** @type {(edit: Edit) => boolean} */
  const meant = ({ channels }) => (target.whole ? !channels.length : channels.includes(channel));
  return edits.some((edit) => isSameTarget(edit, target) && edit.kind === "zero" && meant(edit));
}

/** @type {(edit: Edit) => boolean} */
function hasWords({ layer, kind, side, donor }) {
  const named = layer !== "" && layer.isWellFormed() && [...layer].length <= LONGEST_LAYER;
  const known = KINDS.includes(kind) && SIDES.includes(side) && (kind !== "swap" || donor !== "");
  return named && known && (!side.endsWith("gradient") || ON_GRADIENTS.includes(kind));
}

/** @type {(edit: Edit) => boolean} */
function hasNumbers({ call, channels, amount, seed }) {
  const counted = channels.length <= MOST_CHANNELS && channels.every((channel) => isFromZero(channel, LARGEST_CHANNEL));
  return counted && Number.isFinite(amount) && isFromZero(seed, LARGEST_SEED) && isFromZero(call ?? 0, MOST_CALLS - 1);
}

/** @type {(value: number, most: number) => boolean} */
function isFromZero(value, most) {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

/** @type {(old: Edit, edit: Edit) => boolean} */
function removesTheSame(old, edit) {
  const both = old.kind === "zero" && edit.kind === "zero" && isSameTarget(old, edit);
  if (!edit.channels.length) return both && !old.channels.length; // the whole layer
  return both && edit.channels.length === 1 && old.channels.includes(edit.channels[0]);
}

/** @type {(one: Pick<Edit, "layer" | "call" | "side">, other: Pick<Edit, "layer" | "call" | "side">) => boolean} */
function isSameTarget(one, other) {
  return one.layer === other.layer && one.call === other.call && one.side === other.side;
}

/** @type {(old: Edit, edit: Edit) => boolean} */
function joins(old, edit) {
  const alike = isSameTarget(old, edit) && SAYING.every((name) => old[name] === edit[name]);
  const apart = !edit.channels.some((channel) => old.channels.includes(channel));
  return alike && apart && old.channels.length > 0 && edit.channels.length > 0;
}

/** @type {(old: Edit, edit: Edit) => Edit} */
function joined(old, edit) {
  return { ...edit, channels: [...old.channels, ...edit.channels].sort((one, other) => one - other) };
}

/** @type {(text: string) => ?Edit} */
function editFrom(text) {
  const said = FORM.exec(text)?.groups;
  if (!said || said.call === "0" || (said.donor && said.kind !== "swap")) return null;
  const channels = channelsFrom(said.channels ?? "all");
  const amount = amountFrom(said.amount, said.kind);
  if (channels === null || amount === null) return null;
  return editOf({
    layer: unquoted(said.layer),
    call: said.call ? Number(said.call) - 1 : null,
    kind: said.kind,
    channels,
    amount,
    seed: Number(said.seed ?? 0),
    side: said.side ?? "output",
    donor: said.donor ?? "",
  });
}

// They are counted before they are made: a few characters can name the same thousands again and again.
/** @type {(text: string) => ?number[]} */
function channelsFrom(text) {
  /** @type {number[]} */
  const channels = [];
  for (const part of text === "all" ? [] : text.split(",")) {
    const ends = /^([0-9]{1,6})(?:-([0-9]{1,6}))?$/.exec(part);
    if (!ends) return null;
    const [first, last] = [Number(ends[1]), Number(ends[2] ?? ends[1])];
    if (last < first || channels.length + last - first + 1 > MOST_CHANNELS) return null;
    for (let channel = first; channel <= last; channel += 1) channels.push(channel);
  }
  return channels;
}

// (3, 5, 6, 7) as "3,5-7"; for two neighbours a comma is as short.
/** @type {(channels: readonly number[]) => string} */
function channelsText(channels) {
  /** @type {number[][]} */
  const runs = [];
  for (const channel of channels) {
    const run = runs.at(-1);
    if (run?.at(-1) === channel - 1) run.push(channel);
    else runs.push([channel]);
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}-${run.at(-1)}` : run.join(","))).join(",") || "all";
}

/** @type {(text: string | undefined, kind: string) => ?number} */
function amountFrom(text, kind) {
  if (text === undefined) return WITH_AMOUNT.includes(kind) ? null : 0;
  return AMOUNT.test(text) ? Number(text) : null;
}

/**
 * A number as Python writes it: the same shortest digits, but with an exponent of two digits, and from other sizes on.
 * @param {number} amount
 */
export function amountText(amount) {
  const sign = amount < 0 || Object.is(amount, -0) ? "-" : "";
  const [digits, exponent] = Math.abs(amount).toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16) return `${sign}${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const figures = digits.replace(".", "");
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${figures}`;
  const whole = figures.slice(0, power + 1).padEnd(power + 1, "0");
  const rest = figures.slice(power + 1);
  return `${sign}${whole}${rest && `.${rest}`}`;
}

/** @type {(layer: string) => string} */
function quoted(layer) {
  return encodeURIComponent(layer).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

// Decode %-escapes; bytes that are not UTF-8 become U+FFFD, where decodeURIComponent would refuse all of the text.
/** @type {(text: string) => string} */
function unquoted(text) {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => decoder.decode(Uint8Array.from(run.match(/[0-9a-f]{2}/gi) ?? [], (byte) => Number.parseInt(byte, 16))));
}
