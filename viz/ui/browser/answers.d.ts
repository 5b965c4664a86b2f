// What the server says, for tsc: nothing of this is served, and every script knows these types by name.

/** Texts in the visitor's language, by name. One with a count has a text for each plural form; `filled` chooses. */
type Words = Readonly<Record<string, string>>;

/** A number; null where there is none, such as the mean of values that are all NaN. */
type Found = number | null;

/** A number of which JSON has none, such as "NaN" or "Infinity", is a text. */
type Exact = number | string;

/** An answer that may be a sentence instead; its texts are English, with other languages under `said`. */
interface Answer {
  error?: string;
  superseded?: boolean;
  said?: Record<string, Record<string, string>>;
}

/** Where each channel lies in a mosaic, in its own pixels; each tile shows a map of so many values. */
interface Geometry {
  channels: number;
  columns: number;
  tile_height: number;
  tile_width: number;
  map_height: number;
  map_width: number;
  pad: number;
  width: number;
  height: number;
  order: readonly number[];
}

/** The numbers behind maps, and their colours. */
interface Facts extends Answer {
  layer: string;
  shape: readonly number[];
  dtype: string;
  device: string;
  type: string;
  call: number;
  calls: number;
  leaf: string;
  leaves: readonly string[];
  kind: string;
  kinds: readonly string[];
  known: boolean;
  row: number;
  rows: number;
  index: number;
  slices: number;
  note: string;
  geometry: Geometry;
  statistics: {
    minimum: Found;
    maximum: Found;
    mean: Found;
    deviation: Found;
    zeros: number;
    nan: number;
    positive_infinities: number;
    negative_infinities: number;
    count: number;
  };
  channels: Record<"minimum" | "maximum" | "mean" | "variance" | "zeros", readonly Found[]>;
  histogram: readonly number[];
  colormap: string;
  scale: string;
  vmin: number | readonly number[];
  vmax: number | readonly number[];
  beyond: number;
}

/** One call of one layer, with its decoded picture; or why there is none. */
type Page = { subject: string; query: string } & (
  | { facts: Facts; image: HTMLImageElement; error?: undefined }
  | { facts: null; image?: undefined; error: string; said?: Answer["said"] }
);

/** A layer's value after its hook, and what each way of keeping it kept; pictures are PNG in base64. */
interface MemoryFacts extends Answer {
  layer: string;
  shape: readonly number[];
  channels: readonly number[];
  at_hook: string;
  after: string;
  writes: number;
  changed: number;
  written: readonly string[];
  kept: readonly KeptValue[];
}

interface KeptValue {
  way: "reference" | "detach" | "cpu" | "clone";
  png: string;
  shares: boolean;
  wrong: number;
  copied: number;
}

/** One channel of a layer's input where a window lies: along each axis its places, which may be padding. */
interface Patch {
  channel: number;
  axes: readonly (readonly number[])[];
  length: readonly number[];
  values: readonly (Exact | null)[];
  weights: readonly (Exact | null)[];
  total: Exact;
}

/** How a layer made one number from its input: terms that add up to the total, which should be the value. */
interface Arithmetic {
  kind: string;
  text: string;
  value: Exact;
  total: Exact;
  source: readonly number[] | null;
  patch: Patch | null;
  channels: readonly (readonly [number, Exact])[];
  numbers: readonly (readonly [string, Exact])[];
  terms: readonly (readonly [number, Exact, Exact, Exact])[];
  others: readonly [number, Exact];
}

/** The weights that make a channel, as a picture. */
interface FilterFacts extends Answer {
  kernels: readonly [number, number, number];
  width: number;
  png: string;
  first: number;
  limit: Found;
  bias: Found;
}

/** One hook of a pass, in the order in which they fire. */
interface HookEvent {
  kind: string;
  layer: string;
  call: number;
  inputs: readonly (readonly number[] | null)[];
  outputs: readonly (readonly number[] | null)[];
  output_gradients: readonly (readonly number[] | null)[];
  input_gradients: readonly (readonly number[] | null)[];
}

/** Layer, call, whether on the way back, first event, last event, depth. */
type HookBar = readonly [string, number, boolean, number, number, number];
