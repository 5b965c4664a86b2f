// What the server says, for tsc, as viz/answers has it; `make answers` writes this file. Nothing of it is
// served, and every script knows these types by name.

/** A number; null where there is none, such as the mean of NaN alone. */
type Found = number | null;

/** A number, any number: a text if JSON has none for it. */
type Exact = number | "NaN" | "∞" | "−∞";

/** A picture: PNG in base64. */
type Png = string;

/** HTML that can only be emphasis and code, made of our own Markdown. */
type Markup = string;

/** A sentence on the page, and the document about it. */
interface Notice {
  /** the sentence, in the visitor's language. */
  text: string;
  /** what says more, of the documents below `help/`. */
  document: string;
}

/** An answer about a subject, or the reason why there is none. An instance of this class itself is always a reason. */
interface Answer {
  /** one sentence, in English. */
  error?: string;
  /** whether the visitor has asked for something else meanwhile; then the question may be asked again. */
  superseded?: boolean;
  /** whether an edit is impossible. */
  of_edit?: boolean;
  /** what says more about the reason, of the documents below `help/`. */
  document?: string;
  /** the sentences in the other languages, by the language's code and the field's name. */
  said?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** attribution.json: the attribution map of a class, as far as known. Request it again until it is done. */
interface ExplanationFacts extends Answer {
  /** as large as the model's input: from black for 0, or if it is signed, see-through for 0. */
  png: Png;
  /** the colours from `low` to `high`, one pixel high. */
  bar: Png;
  /** the number of the darkest, or the bluest, colour; likewise `high`. */
  low: number;
  high: number;
  /** whether numbers below 0 count against the class. */
  signed: boolean;
  /** whether the centres of the layer's cells on the picture are known; else they are stretched over it. */
  sits: boolean;
  /** whether it is zero everywhere. */
  empty: boolean;
  /** of Grad-CAM, whether the gradient of the score arrives at these places. */
  reached: boolean;
  /** runs of the model so far, of `total`. */
  done: number;
  total: number;
  /** of a method that looks at a layer, its name; else empty. */
  layer: string;
  /** the number of places, one below the other; likewise `width`. */
  height: number;
  width: number;
  /** the shorter side of the model's input in pixels. */
  side: number;
  /** of an occlusion, the side of its window; else 0. Likewise `stride`. */
  window: number;
  stride: number;
  /** of a method that goes from a baseline to the picture, the number of steps; else 0. */
  steps: number;
  /** the score of the class, minus that of the baseline where there is one; null if it is not known. */
  rise: Found;
  /** the sum of all numbers minus `rise`; null if they do not add up to it, or not yet. */
  gap: Found;
  /** the largest number. */
  peak: Found;
}

/** A layer's call that returns a number or map per class. */
interface NamingCall {
  layer: string;
  /** counted from 0. */
  call: number;
  /** whether these are scores, whose softmax over the classes is their probabilities. */
  scores: boolean;
}

/** names.json: the layers whose channels are classes, and the classes' names. */
interface NamesFacts extends Answer {
  /** their names, in the order of the channels; empty if there is no such layer. */
  classes: readonly string[];
  calls: readonly NamingCall[];
}

/** look.json: the possible part of a link. */
interface LookFacts extends Answer {
  /** the look's text without its impossible parts. */
  look: string;
  /** a sentence for each part that was left out. */
  notices: readonly Notice[];
}

/** An edit in words. */
interface EditText {
  label: string;
  /** whether it changes nothing but gradients. */
  backward: boolean;
}

/** edits.json: the look's edits, in their order. */
interface EditsFacts extends Answer {
  edits: readonly EditText[];
}

/** Changes by removing single channels, in columns with a row each. */
interface AblationChanges {
  channel: readonly number[];
  /** the changes of the classes' logits. */
  logits: readonly (readonly number[])[];
  /** likewise, of a softmax over all classes. */
  probabilities: readonly (readonly number[])[];
}

/** ablation.json: effects of removing some channels on the five best classes. */
interface AblationFacts extends Answer {
  /** channels of the layer. */
  total: number;
  /** the channel to go on with; `total` at the end. */
  next: number;
  /** the number of channels to ask for then. */
  size: number;
  /** their names, best first. */
  classes: readonly string[];
  changes: AblationChanges;
}

/** A picture that could not be looked at, and why. */
interface SkippedPicture {
  title: string;
  reason: string;
}

/** A folder, and the pass over it with the subject's model. */
interface FolderFacts {
  /** `"folder"` for the server's, `"own"` for the visitor's pictures, `"samples"` for those that come along. */
  source: string;
  /** how many pictures it has. */
  count: number;
  /**
   * `"none"`, `"running"`, `"stopped"`, `"done"` or `"failed"`; or `"unfit"`, where all that there is is a capture that
   * is not of this model as it is now.
   */
  state: string;
  /** how many of them are done, also those that were left out. */
  done: number;
  /** that the rest takes; null where that is not known. */
  seconds: number | null;
  /** why the pass has failed; empty if it has not. */
  problem: string;
  /** what is to be said of it beside that; empty if there is nothing. */
  note: string;
  /** whether it runs for this visit too; if it does not, others want it. */
  mine: boolean;
  /** how many pictures were left out, likewise `some`: the first of them. */
  left_out: number;
  some: readonly SkippedPicture[];
  /** whether it is a finished capture, which needs no pass. */
  opened: boolean;
}

/** folders.json: the folders that this page can look through. */
interface FoldersFacts extends Answer {
  /** the server's first; a visitor's own only if there are any; the samples where the server has no folder. */
  folders: readonly FolderFacts[];
  /** how many pictures of their own visitors may bring. */
  most: number;
}

/** pictures.add: one of the visitor's own pictures was taken in. */
interface AddedFacts extends Answer {
  /** what it is called from now on. */
  name: string;
  /** how many there are. */
  count: number;
  /** whether it was not, nor will another one be: there is no room, and the error says so. */
  full: boolean;
}

/** pictures.label: a table of labels gave the visitor's own pictures their classes. */
interface LabelledFacts extends Answer {
  /** how many pictures it names. */
  count: number;
}

/** One picture, and its effect on the channel. */
interface ExemplarFacts {
  /** its name, as addresses have it. */
  picture: string;
  /** what a visitor reads. */
  title: string;
  /** the channel's maximum on it, or its mean. */
  value: Found;
  /**
   * the part that the strongest cell sees, in pixels of the picture as the model sees it: left, top, right, bottom; null
   * for all of it.
   */
  box: readonly number[] | null;
}

/** Distribution of a channel's numbers over the pictures. */
interface SpreadFacts {
  /** the lower edge of the first bin. */
  low: number;
  /** the upper edge of the last one. */
  high: number;
  /** of pictures in each bin. */
  counts: readonly number[];
  /** the number of the picture on screen; null if there is none. */
  here: Found;
  /** the number of pictures with a smaller one. */
  below: number;
}

/** exemplars.json: which pictures excite the look's channel most and least. */
interface ExemplarsFacts extends Answer {
  /** how many were looked at. */
  pictures: number;
  /** whether the pass has looked at this layer. */
  known: boolean;
  /** the strongest first; likewise `least`, the weakest first. */
  most: readonly ExemplarFacts[];
  least: readonly ExemplarFacts[];
  /** null if there is no number at all. */
  spread: SpreadFacts | null;
  /** whether the pictures' files are not here, so that the capture's small copies stand for them. */
  small: boolean;
}

/** A channel that the picture on screen excites unusually. */
interface ExcitedFacts {
  layer: string;
  call: number;
  channel: number;
  /** its maximum on this picture. */
  value: number;
  /** how many standard deviations that is above the mean of the folder's other pictures. */
  score: number;
  /** how many of them it exceeds, of `pictures`. */
  above: number;
}

/** excited.json: the channels that are unusually excited, the most unusual first. */
interface UnusualFacts extends Answer {
  /** how many pictures that is compared with. */
  pictures: number;
  /** those of the look's layer and call. */
  layer: readonly ExcitedFacts[];
  /** those of all layers. */
  model: readonly ExcitedFacts[];
}

/** A class, and the number of its pictures. */
interface LensClass {
  name: string;
  pictures: number;
}

/** A layer, and how well it separates the classes. */
interface LensLayer {
  layer: string;
  /** which of its calls, counted from 0. */
  call: number;
  channels: number;
  /** how many channels are the same for every picture. */
  dead: number;
  /** the number of different ones that this is from. */
  pictures: number;
  /** how many could go because another one says the same; null where chance alone makes such ones of so few pictures. */
  spare: number | null;
  /** a linear probe's balanced accuracy, from 0 to 1; null without one. */
  accuracy: Found;
  /** the lower end of its interval of 95 %; likewise `high`. */
  low: Found;
  high: Found;
}

/** Another model that has looked through the same pictures. A question calls it by `name`. */
interface LensOther {
  name: string;
  title: string;
}

/** Pictures and pairs behind a matrix of CKA. */
interface LensSample {
  /** how many different ones. */
  pictures: number;
  /**
   * the CKA that some pair of independent layers reaches in one such matrix of twenty; what is not above it says
   * nothing.
   */
  chance: number;
  /** how many pictures it takes for the matrix to be shown. */
  needed: number;
}

/** lens.json: the innermost layers' results so far, in the model's order. */
interface LensFacts extends Answer {
  /** the number that was looked at. */
  pictures: number;
  /** the number of them, drawn at random, that this is from. */
  used: number;
  /** the number of calls of layers to look at. */
  calls: number;
  /** whether all are found, and how they relate; until then it is worth asking again. */
  complete: boolean;
  /** alike ones beside each other once it is complete; empty if there are fewer than two. */
  classes: readonly LensClass[];
  /** the number of pictures without a class. */
  unlabelled: number;
  /** what guessing comes to; null without probes. */
  chance: Found;
  /** how many different pictures the probes are judged by, each held out once. */
  held_out: number;
  /** the first ones, as far as they are found. */
  layers: readonly LensLayer[];
  /** for each layer its linear CKA with each; null where a layer never changes; empty until it is complete. */
  similarity: readonly (readonly Found[])[];
  /** what that is of; null as long as it is empty. */
  sample: LensSample | null;
  /** other models whose layers these can be compared with; empty until it is complete. */
  others: readonly LensOther[];
}

/** A call of a layer, counted from 0. */
interface LensCall {
  layer: string;
  call: number;
}

/** lens-against.json: likeness of this model's layers to another one's. */
interface LensAgainstFacts extends Answer {
  /** how many both have looked through. */
  pictures: number;
  /** how many of them are compared: some drawn at random, if there are too many. */
  used: number;
  /** the other model's, in its order. */
  layers: readonly LensCall[];
  /** for each layer of this model its linear CKA with each of the other; null where one of the two never changes. */
  similarity: readonly (readonly Found[])[];
  /** what that is of. */
  sample: LensSample;
}

/** Another channel of the layer, and its correlation over the pictures. */
interface AlikeChannel {
  channel: number;
  correlation: number;
}

/** A channel. */
interface LensChannel {
  channel: number;
  /** for each class, how many of the channel's standard deviations its mean is above the channel's; null without spread. */
  scores: readonly Found[];
  dead: boolean;
  /** the number of its group of redundant channels; null for none. */
  group: number | null;
  /** the most alike ones first. */
  alike: readonly AlikeChannel[];
}

/** lens-layer.json: the channels of the look's layer and call. There are none if the layer was not looked at. */
interface LensLayerFacts extends Answer {
  /** the order of each channel's `scores`. */
  classes: readonly string[];
  /** the score of each class, above or below zero, that chance alone reaches. */
  class_chance: readonly number[];
  /** alike ones beside each other. */
  channels: readonly LensChannel[];
  /** the channels of each group of redundant ones; none if chance alone makes such groups. */
  groups: readonly (readonly number[])[];
  /** how many pictures this is from. */
  used: number;
  /** the largest share of pictures that may excite a dead channel all the same, at 95 %. */
  dead_share: number;
  /** how many different ones the correlations are of. */
  pictures: number;
  /** the correlation of two channels that chance alone reaches; only larger ones are told. */
  chance: number;
  /** whether chance alone makes channels redundant. */
  too_few: boolean;
}

/** optimised.json: the pictures optimised for a channel so far. Request it again until they are finished. */
interface OptimisedFacts extends Answer {
  /** each as large as the model's input. */
  pictures: readonly Png[];
  /** the mean of the channel's cells on each, or the cell that is meant. */
  values: readonly Found[];
  /** the channel's strongest cell on each. */
  peaks: readonly Found[];
  /** the channel's strongest cell on the visitor's picture. */
  own: Found;
  /** how many steps are behind us, of `total`. */
  done: number;
  total: number;
  /** whether the channel is the same whatever the model sees, so that no picture can be found. */
  stuck: boolean;
  /** the shorter side of the pictures in pixels. */
  side: number;
  /**
   * with how many pictures of a folder the first one is compared, once it is finished; 0 if there is no folder that was
   * looked through.
   */
  compared: number;
  /** how many of them excite the channel less. */
  beaten: number;
  /**
   * how often, of pairs of an exemplar and another picture, the exemplar is more like the optimised one, by what all
   * other channels make of them: 0.5 is chance; null if there are too few to tell.
   */
  likeness: Found;
  /** the likeness that chance alone rarely passes; null with it. */
  chance: Found;
}

/** One hook that fired, and the shapes that it was given. A shape is null where there is no gradient. */
interface HookEvent {
  kind: "pre-hook" | "forward hook" | "full backward pre-hook" | "full backward hook" | "tensor hook";
  layer: string;
  /** which call of the layer, counted from 0. */
  call: number;
  /** of the positional inputs. */
  inputs: readonly (readonly number[] | null)[];
  outputs: readonly (readonly number[] | null)[];
  /** with respect to the positional inputs; likewise `output_gradients`. */
  input_gradients: readonly (readonly number[] | null)[];
  output_gradients: readonly (readonly number[] | null)[];
  /** of a tensor hook, which tensor of the output it sits on, such as `output[0]`. */
  tensor: string;
  /** its place among all hooks that fired, from 0. */
  number: number;
  /** whether torch itself refuses such a hook there, because something works in place. */
  refused: boolean;
  /** the lines of code whose hook fires here, as places among the timeline's lines. */
  code: readonly number[];
  /** the place in `code` of the line that runs when it fires. */
  lit: number;
  /** the place in `code` of the line from which PyTorch comes to it. */
  caller: number;
}

/** One call of one layer in one direction, on the timeline. Places are those among the events that are shown. */
interface HookBar {
  layer: string;
  /** counted from 0. */
  call: number;
  /** whether it is on the way back. */
  backward: boolean;
  /** the place of the hook that opens it. */
  first: number;
  /** the place of the hook that closes it. */
  last: number;
  /** how many shown layers are around it. */
  depth: number;
}

/** timeline.json: the hooks of a pass in the order of firing. */
interface TimelineFacts extends Answer {
  events: readonly HookEvent[];
  /** one for each call in each direction. */
  bars: readonly HookBar[];
  /** every line of the events' code, each once. */
  lines: readonly string[];
  /** how many hooks fired. */
  total: number;
  /** how many of them are not among the events. */
  left_out: number;
  /** how many layers have no event here. */
  folded: number;
}

/** Result of one way of keeping a value, after the pass. */
interface KeptFacts {
  way: "reference" | "detach" | "cpu" | "clone";
  /** whether it is the layer's own memory, into which later layers may write. */
  shares: boolean;
  /** the memory that it takes of its own, in bytes. */
  copied: number;
  /** the share of values that differ from those at the hook, 0 to 1. */
  wrong: number;
}

/**
 * A layer's memory from one hook of the pass on. The hook is the layer's own, or the first one behind something that
 * wrote.
 */
interface MomentFacts {
  /** that hook's place among all of the pass, from 0. */
  number: number;
  /** how many operations have written into the memory by then. */
  writes: number;
  /** the share of its values that differ from those at the layer's hook, 0 to 1. */
  changed: number;
  /** the same for equal parts of the memory, in its order. */
  blocks: readonly number[];
  png: Png;
}

/** memory.json: a layer's value in memory as the pass goes on. It also has the ways of keeping the value. */
interface MemoryFacts extends Answer {
  layer: string;
  /** counted from 0. */
  call: number;
  shape: readonly number[];
  /** the number of operations that wrote into its memory after the hook. */
  writes: number;
  /** the share of its values that differ after the pass, 0 to 1. */
  changed: number;
  /** the channels on the pictures: those that changed most. */
  channels: readonly number[];
  /** the memory that the value takes. */
  bytes: number;
  /** the memory at the layer's hook, and whenever something had written into it. */
  moments: readonly MomentFacts[];
  kept: readonly KeptFacts[];
  /** the names of all layers whose value is written over. */
  written: readonly string[];
}

/** Positions of channels in the mosaic, in its own pixels. */
interface Geometry {
  /** the number of tiles. */
  channels: number;
  /** tiles in a row. */
  columns: number;
  /** in pixels, likewise the other sides. */
  tile_height: number;
  tile_width: number;
  /** in values, likewise `map_width`. */
  map_height: number;
  map_width: number;
  /** pixels around each tile. */
  pad: number;
  width: number;
  height: number;
  /** the channel of each tile; empty if channels are in their own order. */
  order: readonly number[];
}

/** All values of a layer in numbers. */
interface LayerFigures {
  /** of the finite values, likewise maximum, mean and deviation. */
  minimum: Found;
  maximum: Found;
  mean: Found;
  deviation: Found;
  /** the share of zeros, 0 to 1. */
  zeros: number;
  /** how many values are NaN, likewise the infinities. */
  nan: number;
  positive_infinities: number;
  negative_infinities: number;
  /** of all values. */
  count: number;
}

/** Each channel in numbers, with a column for each figure. Columns are in the channels' own order. */
interface ChannelFigures {
  minimum: readonly Found[];
  maximum: readonly Found[];
  mean: readonly Found[];
  variance: readonly Found[];
  /** the share of zeros, 0 to 1. */
  zeros: readonly number[];
}

/** A part of the picture in fractions of its sides. It may reach beyond them. */
interface CoveredPart {
  /** where it begins; likewise `left`. */
  top: number;
  left: number;
  /** how far it goes; likewise `width`. */
  height: number;
  width: number;
}

/** Meanings of the axes of maps, such as `channel`, `height` and `width`. */
interface Axes {
  channel: string;
  height: string;
  width: string;
}

/** layer.json: the numbers behind maps, and their colours. */
interface LayerFacts extends Answer {
  layer: string;
  /** the layer's class. */
  type: string;
  /** counted from 0. */
  call: number;
  calls: number;
  /** of the value as the layer returned it, with its batch. */
  shape: readonly number[];
  /** the value's own, such as `float32`. */
  dtype: string;
  device: string;
  geometry: Geometry;
  statistics: LayerFigures;
  channels: ChannelFigures;
  /** counts of the finite values in bins of equal width from minimum to maximum. */
  histogram: readonly number[];
  colormap: string;
  /** what the darkest colour stands for; of each channel if each has its own scale. */
  vmin: number | readonly number[];
  /** what the brightest colour stands for; of each channel if each has its own scale. */
  vmax: number | readonly number[];
  axes: Axes;
  /** one sentence on how the value became maps. */
  note: string;
  /** the path of the tensor that is drawn. */
  leaf: string;
  /** the paths that can be drawn. */
  leaves: readonly string[];
  /** the layout, one of `kinds`. */
  kind: string;
  kinds: readonly string[];
  /** the slice that is drawn, of `slices`. */
  index: number;
  slices: number;
  /** the batch row that is drawn, of `rows`. */
  row: number;
  rows: number;
  /** what the limits were taken from. */
  scale: string;
  /** the share of values beyond the limits, if these come from other values as well; 0 to 1. */
  beyond: number;
  /** whether the value's places on the picture tell that it lies like this. */
  known: boolean;
  /** whether it is known that the maps' rows and columns lead across the picture. */
  on_picture: boolean;
  /** whether the note says no more than that each channel is a map. */
  plain: boolean;
  /** of the lowest value, of the one in the middle and of the highest, as `#rrggbb`. */
  colours: readonly string[];
  /** whether the colour in the middle stands for zero. */
  signed: boolean;
  /** of NaN, of ∞ and of −∞, likewise. */
  odd_colours: readonly string[];
  /** the part of the picture that the maps cover if each cell lies where it is centred; null if that is not known. */
  covers: CoveredPart | null;
}

/**
 * pair.json: both sides of a comparison, and their difference. If the sides have the same shape, they are on one
 * scale, and the difference is left − right.
 */
interface PairFacts extends Answer {
  /** the first side; null if it cannot be drawn, likewise `right`. */
  left: LayerFacts | null;
  right: LayerFacts | null;
  /** null as well if the shapes differ. */
  difference: LayerFacts | null;
  /** why there is no left side; empty if there is one, likewise `problem_right`. */
  problem_left: string;
  problem_right: string;
  /** the mean of |left − right| of each channel; empty without a difference. */
  distances: readonly Found[];
}

/** Numbers of kernels, and of weights in each, as they are drawn. */
interface KernelSizes {
  count: number;
  height: number;
  width: number;
}

/** filter.json: the weights that make a channel, as a picture. Blue is below zero, red above. */
interface FilterFacts extends Answer {
  /** a pixel for each weight. */
  png: Png;
  /** of the picture in pixels. */
  width: number;
  /** kernels in a row. */
  columns: number;
  kernels: KernelSizes;
  /** how many slices of a volume's kernel stand below each other in its height; 1 for others. */
  depth: number;
  /** the channel of the input that the first kernel looks at. */
  first: number;
  /** the largest absolute weight, which is the end of the colours. */
  limit: number;
  /** what is added at the end; null if nothing is. */
  bias: Found;
}

/** A class and its probability, 0 to 1. */
interface Share {
  label: string;
  share: number;
}

/** One of overview.json: a layer in small. */
interface Thumb extends Answer {
  layer: string;
  type: string;
  /** of what its first call returned; empty if that was no tensor. */
  shape: readonly number[];
  /** one pixel for each value; empty without a picture. */
  png: Png;
  /** in pixels, likewise `width`. */
  height: number;
  width: number;
  /** why there is no picture; empty if there is one. */
  problem: string;
  /** how many maps there are, their height and their width; empty without a picture. */
  maps: readonly number[];
  /** whether the values are complex, so that these are their magnitudes. */
  magnitudes: boolean;
  /** what the darkest colour stands for, if all layers share a scale; likewise `high`. */
  low: Found;
  high: Found;
}

/** layer.live: a frame's maps. */
interface LiveFacts extends LayerFacts {
  /** the mosaic. */
  png: Png;
  /** the channel on screen with a pixel for each value, if the mosaic has fewer; else empty. */
  large: Png;
  /** the picture that the model saw: JPEG in base64. */
  seen: string;
  /** the most probable classes, best first. */
  top: readonly Share[];
}

/** overview.live: all layers of a frame in small. */
interface LiveLayersFacts extends Answer {
  layers: readonly Thumb[];
  /** the picture that the model saw: JPEG in base64. */
  seen: string;
  /** the most probable classes, best first. */
  top: readonly Share[];
}

/** One of tree.json: a layer of the model, or an operation. */
interface TreeRow extends Answer {
  name: string;
  /** the name of its class. */
  type: string;
  /** its settings in a few words. */
  detail: string;
  /** how many it has, with those of the layers inside it. */
  parameters: number;
  /** how often it ran. */
  calls: number;
  /** of what each call returned; null where that is not one tensor. */
  shapes: readonly (readonly number[] | null)[];
  /** why it has no call; null if it has one. */
  reason: string | null;
  /** what the reason rests on; null without one. */
  evidence: string | null;
}

/** A class, its probability, and its place among all classes. The place distinguishes classes with the same label. */
interface PlacedShare extends Share {
  place: number;
}

/** One class: its probability before and after the edits, 0 to 1. */
interface PredictionChange {
  label: string;
  before: number;
  after: number;
}

/** prediction.json: the most probable classes, and the edits' effect on them. The best class comes first. */
interface PredictionFacts extends Answer {
  top: readonly PlacedShare[];
  /** what the model returns, such as `logits`; empty where nobody knows it. */
  meaning: string;
  /** why there are no classes; empty if there are. */
  problem: string;
  /** why nobody should believe them; empty without one. */
  reason: string;
  /** empty without edits; null if the model does not run to its end with them. */
  changes: readonly PredictionChange[] | null;
}

/** ribbon.json: a small picture of each link of the model's chain. */
interface RibbonFacts extends Answer {
  /** in execution order. */
  links: readonly Thumb[];
  /** the most probable classes, best first, with the edits in force; empty without classes. */
  top: readonly Share[];
}

/** classes.json: the model's classes. */
interface ClassesFacts extends Answer {
  /** their names; empty if the model's output names none. */
  classes: readonly string[];
  /** the most probable one of the picture. */
  best: string;
  /** why there are none; empty if there are. */
  problem: string;
}

/** One channel of a layer's input where a window lies. The last axis runs fastest. */
interface PatchFacts {
  channel: number;
  /** for each axis the places that the window covers; a place outside the input is padding. */
  axes: readonly (readonly number[])[];
  /** how many places the input has along each axis. */
  length: readonly number[];
  /** the numbers there, row by row; null for padding that a maximum or a mean ignores. */
  values: readonly (Exact | null)[];
  /** what each is multiplied with; empty for a pooling. */
  weights: readonly Exact[];
  /** the sum of the products, or the pooled value. */
  total: Exact;
}

/** A part of the model's input in pixels. The row `bottom` and the column `right` are just outside. */
interface Box {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

/** The model's input in pixels. */
interface InputSize {
  height: number;
  width: number;
}

/** A number of a formula, such as its bias. */
interface NamedNumber {
  name: string;
  value: Exact;
}

/** Channels of an input with the sum of their products, in columns. The largest sum comes first. */
interface ChannelSums {
  channel: readonly number[];
  total: readonly Exact[];
}

/** Products of a sum, in columns; the largest one comes first. */
interface Terms {
  /** of the number on the input's last axis. */
  place: readonly number[];
  /** the number there; times `weight` it is the `product`. */
  value: readonly Exact[];
  weight: readonly Exact[];
  product: readonly Exact[];
}

/** Number of products that are not among the terms, and their sum. */
interface Rest {
  count: number;
  total: Exact;
}

/** Origin of one number: its layer, its cell and its box. */
interface NumberFacts extends Answer {
  layer: string;
  /** the number's index along every axis of what the layer returned. */
  cell: readonly number[];
  box: Box;
  size: InputSize;
  /** whether the number may depend on all of it. */
  whole: boolean;
  /** a sentence about the box. */
  note: string;
  /** whether an edit changed the number after the layer had made it. */
  edited: boolean;
}

/** cell.json, of a number whose arithmetic is not shown; `reason` says why. */
interface UnexplainedNumber extends NumberFacts {
  /** empty. */
  kind: string;
  reason: string;
}

/** cell.json: how a layer made one number from its input. The terms add up to the total. */
interface Arithmetic extends NumberFacts {
  /** the kind of arithmetic, such as `convolution`; never empty. */
  kind: string;
  /** how it was computed, in symbols. */
  formula: string;
  /** the same with this cell's numbers, rounded. */
  text: string;
  /** the captured number. */
  value: Exact;
  /** the number as computed here, in double precision. */
  total: Exact;
  /** value − total. */
  difference: Exact;
  /** whether the two differ by no more than rounding explains. */
  agrees: boolean;
  /** in which the layer computed, such as `float32`. */
  precision: string;
  numbers: readonly NamedNumber[];
  /** the window in the channel that was asked for, or that counts most. */
  patch: PatchFacts | null;
  /** those of the input that the cell sees. */
  channels: ChannelSums;
  /** the products that count most. */
  terms: Terms;
  others: Rest;
  /** the cell of the input that the number was taken from unchanged, where there is one. */
  source: readonly number[] | null;
}

/** The part of an input channel that a block's windows cover. */
interface Region {
  /** which channel of the input. */
  channel: number;
  /** the place of the first row on the input; negative in the padding. `left` likewise. */
  top: number;
  left: number;
  rows: number;
  columns: number;
  /** row by row; null where no window lies, and for padding that a maximum or a mean ignores. */
  values: readonly (Exact | null)[];
  /** whether each place is outside the input. */
  padding: readonly boolean[];
}

/** Window of one number, and the parts of its sum from elsewhere. */
interface ReadWindow {
  /** the places that it covers on the input; `columns` likewise. */
  rows: readonly number[];
  columns: readonly number[];
  /** the number of the reading's kernel on it; null for a pooling. */
  kernel: number | null;
  /** the part of the sum from the other channels of the input. */
  others: Exact;
  /** the place among these of the value that a maximum takes; null if it takes none. */
  winner: number | null;
}

/** Attention of one query in one head, key by key. */
interface Keys {
  /** the one that counts most. */
  head: number;
  /** the place of the query among the tokens; null if the row is no attention. */
  query: number | null;
  /** the key whose share the number is; null if the number is a mix of values. */
  key: number | null;
  /** query · key × scale, for each key. The shares are their softmax. */
  scores: readonly Exact[];
  shares: readonly Exact[];
  /** the number that each key's share is multiplied with; empty if only shares are returned. */
  values: readonly Exact[];
  /** the factor of the mix in the end; 1 if there is none. */
  weight: Exact;
  /** the part of the sum from all other numbers of all heads. */
  rest: Exact;
}

/** One number of the block. */
interface ReadCell {
  /** its row on the map; `x` its column. */
  y: number;
  x: number;
  /** its index along every axis of what the layer returned. */
  index: readonly number[];
  /** the captured number. */
  value: Exact;
  /** the same as computed from the input, in double precision. */
  total: Exact;
  /** how far apart the two may be. */
  tolerance: Exact;
  agrees: boolean;
  /** the formula with this number's own values, rounded. */
  text: string;
  /** those of the formula, such as its bias. */
  numbers: readonly NamedNumber[];
  /** the products that count most, if they are known one by one; `rest` has the others. */
  terms: Terms;
  rest: Rest;
  window: ReadWindow | null;
  /** which of the reading's spreads it belongs to. */
  spread: number | null;
  keys: Keys | null;
}

/** A function of one number, as places and its values there. The places go from the least to the largest. */
interface Curve {
  x: readonly Exact[];
  y: readonly Exact[];
}

/** Histogram of numbers in equal bins from `low` to `high`. */
interface Bins {
  low: number;
  high: number;
  counts: readonly number[];
}

/** Distributions of jointly normalised numbers, before and after the layer. */
interface Spread {
  before: Bins;
  after: Bins;
}

/** Subject of a reading: the layer and its arithmetic. */
interface ReadingFacts extends Answer {
  layer: string;
  /** the kind of arithmetic, such as `convolution`; empty if the layer is not explained. */
  kind: string;
}

/** reading.json, of a layer whose arithmetic is not shown; `reason` says why. */
interface UnexplainedReading extends ReadingFacts {
  reason: string;
}

/** reading.json: a block of one map, with each number's sum. */
interface Reading extends ReadingFacts {
  /** how each number is computed, in symbols. */
  formula: string;
  /** in which the layer computed, such as `float32`. */
  precision: string;
  /** whether an edit changed the numbers after the layer had made them. */
  edited: boolean;
  /** which map; it has `height` × `width` numbers. */
  channel: number;
  height: number;
  width: number;
  /** the row of the map at which the block begins; `left` the column. */
  top: number;
  left: number;
  /** of the block; `columns` likewise. `cells` are its numbers, row by row. */
  rows: number;
  columns: number;
  cells: readonly ReadCell[];
  /** what the windows cover, if the layer has windows of two axes. */
  region: Region | null;
  /** the weights that lie on windows. */
  kernels: readonly (readonly Exact[])[];
  /** how many channels of the input each number sees. */
  inputs: number;
  /** of the input, those that give most to the sum in the middle; the largest comes first. */
  channels: ChannelSums;
  /** of an activation. */
  curve: Curve | null;
  /** of a normalisation. */
  spreads: readonly Spread[];
}

/** Each map of a sheet in numbers, in columns. */
interface TileFigures {
  minimum: readonly Found[];
  maximum: readonly Found[];
  mean: readonly Found[];
  /** the share of zeros, 0 to 1. */
  zeros: readonly number[];
}

/** One call of one layer. */
interface OfflineSheet {
  name: string;
  /** the layer's class. */
  type: string;
  /** as the layer returned it, with its batch. */
  shape: readonly number[];
  /** the value's own, such as `float32`. */
  dtype: string;
  /** how many there are, of which not all need have a map. */
  channels: number;
  /** why there are no maps; empty if there are. */
  problem: string;
}

/** One call of one layer with its maps. Figures and limits are in the order of the maps. */
interface DrawnSheet extends OfflineSheet {
  /** the mosaic. */
  png: Png;
  /** its channels are the maps, counted by their places. */
  geometry: Geometry;
  /** the channel of each map. */
  order: readonly number[];
  colormap: string;
  /** what the darkest colour stands for. */
  low: readonly Found[];
  /** what the brightest colour stands for. */
  high: readonly Found[];
  /** of all values. */
  figures: LayerFigures;
  /** of each map. */
  each: TileFigures;
  /** float32 in base64, map by map; empty where the file has no room. */
  values: string;
}

/** All of the page. */
interface OfflineFile {
  title: string;
  words: Readonly<Record<string, string>>;
  /** those that have maps are `DrawnSheet`. */
  sheets: readonly OfflineSheet[];
  /** the colours of each colormap: six hexadecimal digits for each level. */
  tables: Readonly<Record<string, string>>;
  /** the place of the sheet that is shown first. */
  first: number;
  /** the channel of it that is shown large; null for its first map. */
  channel: number | null;
  /** the picture as the model saw it; empty if there is none. */
  seen: Png;
  /** the most probable classes, best first; empty for a model that names none. */
  top: readonly Share[];
  /** whether the weights are random, so that these mean nothing. */
  untrained: boolean;
  /** what each type of layer does, by its name. */
  kinds: Readonly<Record<string, string>>;
}

/** Waiting times of the tasks answered in the last half minute. They are null if there are none. */
interface Wait {
  /** seconds. */
  median: number | null;
  /** seconds; the 95th percentile. */
  slow: number | null;
}

/** Figures of the server at one time. */
interface Moment {
  /** seconds since 1970. */
  at: number;
  /** tasks that wait for their turn. */
  waiting: number;
  /** tasks that are worked on. */
  running: number;
  wait: Wait;
  /** the number of tasks of each kind that were answered since the server began. */
  answers: Readonly<Record<string, number>>;
  /** the number of tasks since then that were answered, refused, superseded and so on. */
  outcomes: Readonly<Record<string, number>>;
  /** the number of requests that the door has refused, by status. */
  refusals: Readonly<Record<string, number>>;
  /** bytes of each process, by its name. */
  memory: Readonly<Record<string, number>>;
  /** pages that are open. */
  sessions: number;
  /** visits that are kept, those that may come back too. */
  visits: number;
  /** processes for models that were replaced since the server began. */
  restarts: number;
}

/**
 * Bytes of one cache of one process, with hits and misses. What visitors have uploaded is no cache, but takes memory
 * as one does; it has no hits.
 */
interface CacheFacts {
  /** its name: `"page"`, `"models-1"` and so on. */
  process: string;
  /** `"models"`, `"values"`, `"answers"` or `"uploads"`. */
  cache: string;
  bytes: number;
  limit: number;
  hits: number | null;
  misses: number | null;
}

/** operator.json. */
interface ServerFacts extends Answer {
  /** when the server began, in seconds since 1970. */
  began: number;
  /** which kind of engine answers: `"LocalEngine"`, `"ProcessEngine"` and so on. */
  engine: string;
  /** the last ones, oldest first; only those after the time that was asked for. */
  moments: readonly Moment[];
  caches: readonly CacheFacts[];
  /** bytes that the processes for models may take together; null if nobody said. */
  memory_limit: number | null;
  /** how many pages may be open. */
  sessions_limit: number;
  /** models that are refused, each with the reason. */
  put_aside: Readonly<Record<string, string>>;
}

/** place.json: how long the queue is for this visitor now. */
interface PlaceFacts extends Answer {
  /** how many other visitors go before; null if this one waits for nothing, or nobody knows. */
  ahead: number | null;
}

/** A layer or operation, as boxes and the module tree show it. */
interface RowFacts {
  name: string;
  /** the name of its class. */
  type: string;
  /** its settings in a few words. */
  detail: string;
  /** of what it returns, as text; empty without a tensor. */
  shape: string;
  /** how often it ran. */
  calls: number;
  /** for each call, its place in the order in which the calls of all rows ended. */
  ends: readonly number[];
  /** why it has no call; null if it has one. */
  reason: string | null;
  operation: boolean;
  /** what a look at it takes, in bytes. */
  cost: number;
}

/** A choice, and its label. */
interface OtherOption {
  name: string;
  label: string;
}

/** One of models.json: a model, and its trained weights' needs. */
interface ModelOffer extends Answer {
  name: string;
  needs: string;
}

/** A change of the look: fields about the other side, by name. */
interface OtherAction {
  type: "other";
  other: Readonly<Record<string, string>>;
}

/** Affordable choice in place of one that is too dear. */
interface AffordableChoice {
  label: string;
  action: OtherAction;
}

/** Progress of the download of a model's weights, in bytes. `total` is 0 while it is unknown. */
interface LoadingProgress {
  done: number;
  total: number;
  model: string;
}

/** Label of each side. */
interface Labels {
  left: string;
  right: string;
}

/** other.json: the other side, as far as it is there. It is there, or needs a visitor's consent, or is loading. */
interface OtherFacts extends Answer {
  /** the model's name. */
  model: string;
  /** the choice that each box shows, by the field of the look. */
  chosen: Readonly<Record<string, string>>;
  /** the options of a box; a box without a choice is left out. */
  choices: Readonly<Record<string, readonly OtherOption[]>>;
  /** a sentence for each choice that cannot be. */
  notices: readonly Notice[];
  /** whether it is untrained because its trained weights could not be had; a notice says why. */
  refused: boolean;
  /** the question to a visitor before the model is loaded. */
  ask?: string;
  /** the memory for loading it, in bytes. */
  cost?: number;
  /** whether a visitor can agree; otherwise the server could not bear it. */
  may?: boolean;
  /** while its weights are on their way. */
  loading?: LoadingProgress;
  /** an affordable choice, beside `ask`. */
  instead?: AffordableChoice;
  /** the token of the other side's subject; with it comes everything below. */
  subject?: string;
  labels?: Labels;
  /** the other side's layer. */
  layer?: string;
  /** counted from 0. */
  call?: number;
  /** whether that is the first side's layer, as far as possible. */
  follows?: boolean;
  /** whether both sides have the same model with the same weights. */
  alike?: boolean;
  /** every layer of the other side's model. */
  rows?: readonly RowFacts[];
  /** the layer to begin with. */
  first?: string;
  /** the memory for one scale for all of its layers, in bytes. */
  all?: number;
}

/** Message to a part beside the stage: the subject's token. */
interface PartFacts {
  subject: string;
}

/** A link of the model's chain. */
interface LinkFacts {
  /** whose output leaves it. */
  layer: string;
  /** what is in it, that one last. */
  layers: readonly string[];
  /** the one that gives the link its name. */
  main: string;
  /** of that output, as text; empty without a tensor. */
  shape: string;
}

/** A picture that values can be taken from, and its title. */
interface TitledPicture {
  name: string;
  title: string;
}

/** Memory in bytes. */
interface CostFacts {
  /** from where on a visitor is asked. */
  ask: number;
  /** from where on nobody may. */
  refuse: number;
  /** on the machine. */
  free: number;
  /** what every layer takes at once. */
  all: number;
  /** what a backward pass takes. */
  back: number;
}

/** The part of the picture that the model looks at, in pixels. The pixels are the whole picture's. */
interface FrameFacts {
  /** of the picture, likewise the height. */
  width: number;
  height: number;
  /** the part that the model is given, as an address says it; empty if it is given everything. */
  crop: string;
  /** the part that it sees of that: left, top, right, bottom. */
  seen: readonly number[];
  /** what it sees of a square: left, top, right, bottom as shares of its side. */
  inner: readonly number[];
}

/** Facts of a subject for the browser. */
interface SubjectFacts {
  /** its token. */
  subject: string;
  /** a sentence for each thing that is not as it was asked for, or needs a word. */
  notices: readonly Notice[];
  /** the model's name. */
  model: string;
  /** its names; without what a visitor brought. */
  address: Readonly<Record<string, string>>;
  /** the picture's name, if it is the visitor's own. */
  picture: string;
  /** every layer, and every operation. */
  rows: readonly RowFacts[];
  /** the layer that is shown at first. */
  first: string;
  /** the model from its input to its answer, in a few links. */
  chain: readonly LinkFacts[];
  /** the work of each type of layer in words, by its name. */
  kinds: Readonly<Record<string, string>>;
  /** the work of layers on their input, each once. */
  sentences: readonly string[];
  /** for each of `rows` its place in `sentences`. */
  sentence_of: readonly number[];
  /** the weights in words. */
  trained: string;
  /** whether they are random. */
  untrained: boolean;
  /** the number of the model's classes; 0 if it names none. */
  classes: number;
  /** the (height, width) in pixels, or of a signal in values, of what it is given. */
  input: readonly number[];
  /** whether the model's input is a signal: one pixel high. */
  signal: boolean;
  /** the part of the picture that the model looks at; null if there is none, as for a signal. */
  frame: FrameFacts | null;
  /** the pictures that edits can take values from. */
  donors: readonly TitledPicture[];
  /** the visit's own pictures, the newest first. */
  own: readonly TitledPicture[];
  /** the picture in the box of the other side, and which upload it is; empty if there is none. */
  brought: string;
  colormaps: readonly string[];
  /** of each colormap, evenly spaced, as `#rrggbb`. */
  colours: Readonly<Record<string, readonly string[]>>;
  /** the colormaps with a neutral middle, which stands for zero. */
  diverging: readonly string[];
  costs: CostFacts;
  /** in a notebook by their keys; to the page their language, and the file that has them. */
  words: Words;
}

/** Settings of the live camera. */
interface CameraFacts {
  /** the short side of a frame in pixels. */
  side: number;
  words: Words;
}

/**
 * Message of the browser when a visitor returns to another subject. It has the subject's names in an address. An
 * address has more names, which are the look's or nobody's: they are passed over. After a reload, `kept` is the token
 * of the subject that was on screen before, if the visitor had brought a part of it.
 */
interface SubjectNames {
  model?: string;
  weights?: string;
  sample?: string;
  crop?: string;
  lang?: string;
  kept?: string;
}

/** Message of the browser about a frame that becomes the picture. */
interface FrozenFrame {
  /** the frame: JPEG in base64. */
  jpeg: string;
}

/** Message of the browser when a visitor has moved the frame. */
interface FrameMove {
  /** the part that the model shall be given, as an address says it; empty for everything. */
  crop: string;
}

/** An answer: [place of a choice], [channel], [number], or the sizes of a shape. */
type Value = readonly number[];

/** Question that the teacher's browser posts to class_ask.json. A lesson plan has the same fields. */
interface ClassQuestion {
  /** the way to answer it: a choice is chosen, a map is clicked, a number or a shape is typed. */
  kind: "choice" | "map" | "number" | "shape";
  /** the question, plain text. */
  text: string;
  /** those to choose among, which the class checks; none for the other kinds. */
  choices: readonly string[];
  /** the right answer; of maps each of several. Empty if there is no right or wrong. */
  right: Value;
  /** the largest error of a number that is right. */
  within: number;
  /** text to show with the right answer, plain text. */
  explanation: string;
  /** whose maps, or whose shape, it is about; empty for no layer. */
  layer: string;
  /** the number of maps to click; 0 if that is not known. */
  maps: number;
}

/** Question of the quiz for the whole class. The teacher's browser posts it to class_quiz.json. */
interface QuizOnScreen {
  seed: number;
  level: "climb" | "easy" | "middle" | "hard";
  /** its place in the quiz, counted from 0. */
  number: number;
}

/** Order of the teacher about the question, or about nicknames. */
interface AskingOrder {
  /**
   * `reveal` shows the right answer to all, `close` takes the question away; `names` asks for nicknames and `numbers` no
   * longer does; `hide` and `unhide` are about one nickname.
   */
  do: "reveal" | "close" | "names" | "numbers" | "hide" | "unhide";
  /** the owner of the nickname; 0 for all, also for students who come later. */
  student: number;
}

/** Answer that a student's browser posts to class_answer.json. */
interface StudentAnswers {
  /** the question that is answered. */
  asked: number;
  value: Value;
}

/** Nickname that a student's browser posts to class_name.json. The teacher reads it. */
interface Nickname {
  nickname: string;
}

/** class_name.json: the nickname as the teacher reads it, reduced to plain text. */
interface NicknameHeard extends Answer {
  nickname: string;
}

/** class_ask.json, class_quiz.json, class_asking.json, class_answer.json: the question that is asked now. */
interface AskedHeard extends Answer {
  /** questions of the class, counted from 1; 0 for none. */
  asked: number;
}

/** One answer, and the number of students who gave it. */
interface Tally {
  value: Value;
  count: number;
}

/** Right answer and everybody's answers, for all, once the teacher shows them. */
interface RevealedAnswers {
  /** empty if there is no right or wrong. */
  right: Value;
  within: number;
  explanation: string;
  /** each different answer with its count; nobody's name. */
  answers: readonly Tally[];
}

/** A question as everybody in the class sees it. The right answer is missing until it is revealed. */
interface AskedQuestion {
  /** questions of the class, counted from 1. */
  asked: number;
  kind: "choice" | "map" | "number" | "shape";
  text: string;
  /** texts; those of the quiz come with its question, so here they are empty texts. */
  choices: readonly string[];
  layer: string;
  maps: number;
  /** the question of the quiz; null for one of the teacher's own. */
  quiz: QuizOnScreen | null;
  /** this student's answer; empty for none. */
  mine: Value;
  /** null until the teacher shows the right answer. */
  revealed: RevealedAnswers | null;
}

/** The event `question`. */
interface ClassroomAsking {
  /** whether the teacher asks for nicknames. */
  names: boolean;
  /** the student's own. */
  nickname: string;
  /** null if none is open. */
  question: AskedQuestion | null;
}

/** A student's answer, as the teacher sees it. */
interface AnswerEntry {
  /** the student's. */
  number: number;
  value: Value;
  /** null if there is no right or wrong, or the answer has not been revealed. */
  right: boolean | null;
}

/** The event `answers`, for the teacher alone: the students' answers so far. */
interface ClassroomAnswers {
  asked: number;
  given: readonly AnswerEntry[];
  /** whether there are answers to questions that are open no more, for a file. */
  results: boolean;
}

/** A look, as an address says it. */
type LookText = string;

/** A secret, or what was typed. */
type Secret = string;

/** Request of the browser to open a classroom. */
interface OpenClassroom {
  look: LookText;
  /** needed by anyone who joins; empty for none. */
  password: Secret;
}

/** Request of the teacher's browser to return after a reload. `right` is the secret that it was given. */
interface TakeClassroom {
  right: Secret;
}

/** class_open.json, class_take.json: a classroom, for its teacher. */
interface ClassroomOpened extends Answer {
  code: string;
  /** the secret that makes its bearer the teacher. */
  right: string;
  /** where students find this page, the likeliest first; none if only this machine reaches it. */
  addresses: readonly string[];
  /** starts the page again so that others reach it; told on this machine, and only if none does. */
  command: string;
  /** whether one is needed. */
  password: boolean;
  /** the look that the class sees. */
  look: string;
}

/** Request of the browser to join a classroom. */
interface JoinClassroom {
  code: Secret;
  password: Secret;
  /** the secret that the same page was told before a reload. */
  ticket: Secret;
}

/** class_join.json: the student's number, and the secret that proves it. The secret is needed after a reload. */
interface ClassroomJoined extends Answer {
  code: string;
  number: number;
  ticket: string;
}

/** Message of the leader's browser: the look on screen. */
interface ShowLook {
  look: LookText;
  /** the text about it in the step of a lesson plan, in lines; empty for none. */
  caption: string;
  /** what the plan's open question keeps hidden, and sizes if one to come asks for them. */
  hides: "" | "figures" | "sizes";
}

/** Position of the leader's pointer. */
interface PointerPosition {
  /** the maps that are pointed at. */
  what: string;
  /** from the top of one of them, as a share of its height. */
  y: number;
  /** from its left, as a share of its width. */
  x: number;
}

/** Message of the leader's browser about its pointer, and event `point`. `at` is null if the pointer is gone. */
interface Point {
  at: PointerPosition | null;
}

/** Order of the teacher about the classroom. */
interface ClassroomOrder {
  /** `shut` lets nobody else join, `admit` again whoever has the code; `remove` lets a student be in it no longer. */
  do: "freeze" | "thaw" | "lead" | "shut" | "admit" | "remove" | "end";
  /** the one who shall lead, or go; 0 for the teacher. */
  student: number;
}

/** Message of a student's browser about following and leading. */
interface StudentSays {
  /** whether they see the leader's look. */
  following: boolean;
  /** whether they ask to lead. */
  hand: boolean;
}

/** Confirmation that any other message has been heard. */
interface ClassroomHeard extends Answer {
  version: number;
}

/** class_subject.json: the teacher's subject, for this student. */
interface SharedSubject extends Answer {
  /** which of the teacher's subjects it is, counted. */
  shared: number;
  subject: SubjectFacts;
}

/** The event `look`: the look that all see. */
interface ClassroomState {
  version: number;
  look: string;
  /** the text about it, in lines; empty for none. */
  caption: string;
  /** what every screen hides. */
  hides: "" | "figures" | "sizes";
  /** the teacher's subject that it is about, counted. */
  shared: number;
  model: string;
  weights: string;
  /** the student who leads; 0 for the teacher. */
  lead: number;
  frozen: boolean;
}

/** A student, as the teacher sees them. */
interface StudentState {
  number: number;
  following: boolean;
  hand: boolean;
  /** whether the page is connected. */
  here: boolean;
  /** plain text; empty if there is none, or the teacher does not ask for them, or has hidden it. */
  nickname: string;
  /** whether the teacher has hidden it. */
  hidden: boolean;
}

/** The event `roster`, for the teacher alone: the students in the class. */
interface ClassroomRoster {
  students: readonly StudentState[];
  /** whether nobody else may join. */
  shut: boolean;
  /** whether all nicknames are hidden, also of students who come later. */
  nameless: boolean;
}

/** An exercise in a list. */
interface ExerciseName {
  id: string;
  title: string;
}

/** The exercises of one lesson, and its topic. */
interface ExerciseGroup {
  about: string;
  exercises: readonly ExerciseName[];
}

/** exercises.json: all of them, in their order. */
interface ExerciseList extends Answer {
  groups: readonly ExerciseGroup[];
}

/** exercise.json: one of them. */
interface ExerciseFacts extends Answer {
  id: string;
  title: string;
  /** its paragraphs. */
  task: readonly Markup[];
  /** the code to begin with. */
  start: string;
  /** how many there are. */
  hints: number;
  /** characters that an answer may have. */
  longest: number;
  /** whether an answer may be whole Python, because the operator said so and the visitor is here. */
  whole: boolean;
}

/** exercise_help.json: a hint, or after the last one the solution. `code` is the solution's; it is null for a hint. */
interface ExerciseHelp extends Answer {
  text: Markup;
  code: string | null;
}

/** Mistake in an answer, and its line. Lines count from 1; 0 stands for none. */
interface AnswerProblem {
  text: Markup;
  line: number;
}

/** A value as maps, or as text. One of `png` and `text` is empty; the size is in pixels. */
interface ShownValue {
  png: Png;
  width: number;
  height: number;
  text: string;
}

/** An answer's value under a name, beside the wanted one. A side is null where there is none. */
interface ValuePair {
  name: string;
  yours: ShownValue | null;
  wanted: ShownValue | null;
  /** the value at one end of the colours; null without maps, and if each picture has a scale of its own. Likewise `vmax`. */
  vmin: number | null;
  vmax: number | null;
  /** the number of maps that are drawn. */
  maps: number;
  /** the number of all maps. */
  all: number;
}

/** answer.json: the result of an answer. */
interface AnswerFacts extends Answer {
  /** whether it does what was asked for. */
  right: boolean;
  /** its mistakes. */
  problems: readonly AnswerProblem[];
  /** help with a mistake that many make; empty for none. */
  advice: Markup;
  /** the explanation, once it is right; else empty. */
  why: Markup;
  /** the lines that it printed. */
  printed: readonly string[];
  /** values to show beside each other. */
  pairs: readonly ValuePair[];
  /** the net's guess without hooks and with them; empty if the exercise is not about it. */
  guesses: readonly string[];
}

/** A picture, and its description. */
interface DescribedPicture {
  png: Png;
  /** for anyone who cannot see it. */
  text: string;
  /** the line below it; empty for none. */
  title?: string;
  /** in screen pixels: a whole number of them for each value. */
  width?: number;
  /** likewise; null for the height that belongs to the width. */
  height?: number | null;
}

/** A lesson in the course's contents. */
interface LessonEntry {
  /** its name in addresses. */
  id: string;
  title: string;
  /** a sentence about it. */
  about: Markup;
  /** about how long it takes. */
  minutes: number;
  /** how many it has. */
  steps: number;
}

/** contents.json: the lessons of the course, in their order. */
interface CourseContents extends Answer {
  lessons: readonly LessonEntry[];
}

/** Range of a number to guess. */
interface NumberRange {
  least: number;
  most: number;
  unit: string;
}

/** A step of a lesson before its run. Nothing in it depends on the right answer. */
interface StepText {
  title: string;
  /** its paragraphs. */
  text: readonly Markup[];
  /** the query string of a view that shows the same. */
  look: string;
  code: string;
  /** the numbers of the lines that it is about, from 1. */
  lit: readonly number[];
  /** the one to which the student commits an answer; empty for none. */
  question: Markup;
  /** the answers to choose among. */
  choices: readonly Markup[];
  /** the number of maps to choose among. */
  maps: number;
  /** the number to guess, if one is. */
  guess: NumberRange | null;
}

/** lesson_text.json: a lesson of the course. */
interface LessonText extends Answer {
  id: string;
  title: string;
  /** the model that its steps run. */
  net: string;
  /** the lines before each step's code. */
  setup: string;
  /** ids of the exercises that go with it. */
  exercises: readonly string[];
  steps: readonly StepText[];
}

/** A name with its number, drawn as a bar. */
interface StepBar {
  name: string;
  value: number;
}

/** A picture of a step. */
interface StepPicture {
  /** empty for bars. */
  png: Png;
  /** for anyone who cannot see it. */
  text: string;
  /** the line below it. */
  title: Markup;
  /** in pixels of the picture itself; likewise `height`. */
  width: number;
  height: number;
  /** the value of the scale's first colour, as text; empty without a scale. Likewise `high`. */
  low: string;
  high: string;
  /** the scale's colours from the first to the last, as `#rrggbb`. */
  colours: readonly string[];
  bars: readonly StepBar[];
}

/** step_maps.json: the maps that a step gives to choose among. */
interface StepMaps extends Answer {
  maps: readonly StepPicture[];
}

/** step.json: results of a step's run on the visitor's picture. */
interface StepFacts extends Answer {
  /** the lines that it printed. */
  printed: readonly string[];
  /** the numbers of its lines in the order in which they ran, from 1. */
  ran: readonly number[];
  /** the right answer as text. */
  answer: string;
  /** the place of the right choice, or of the right map; null if a number is guessed. */
  right: number | null;
  /** the places of other maps that look like the right one on this picture, and count as right. */
  alike: readonly number[];
  /** the largest error of a guess that is right. */
  within: number | null;
  /** for each choice, the reply to anyone who chose it; empty for none. */
  whys: readonly Markup[];
  /** the paragraphs that say why. */
  after: readonly Markup[];
  /** for each map to choose among, its description; empty for none. */
  shown: readonly Markup[];
  pictures: readonly StepPicture[];
  /** the exception that ended the run; empty if nothing failed. */
  failed: string;
}

/** A parameter of a lesson, with its values and the first. */
interface LessonChoice {
  name: string;
  label: string;
  values: readonly (string | number)[];
  first: string | number;
}

/** A part of a lesson, and the code that runs for it. */
interface LessonPart {
  name: string;
  title: string;
  text: Markup;
  /** its code with plain hooks. */
  plain: string;
  /** the same with `LayerActivations`; null if it has none. */
  ours: string | null;
}

/** course.json: a lesson. */
interface LessonFacts extends Answer {
  /** how many there are. */
  lessons: number;
  title: string;
  text: Markup;
  choices: readonly LessonChoice[];
  parts: readonly LessonPart[];
  /** what to try. */
  hints: Markup;
  /** what to beware of. */
  traps: Markup;
}

/** A number of a lesson beside the expected one. */
interface LessonLine {
  label: Markup;
  expected: string;
  found: string;
  right: boolean;
}

/** lesson.json: the numbers of a part, computed just now. */
interface LessonNumbers extends Answer {
  lines: readonly LessonLine[];
  /** a sentence about all lines. */
  verdict: string;
  /** every layer of the lesson's net, if the part draws them. */
  canvas?: DescribedPicture;
}

/** A hook of the visitor's layer, and the shapes given to it. */
interface GivenHook {
  hook: string;
  given: string;
}

/**
 * A way to keep a value, as code, and the wrong share. The share is that of values that were wrong after the pass, in
 * per cent.
 */
interface KeptWay {
  way: string;
  wrong: string;
}

/** lesson_live.json: facts of a lesson about the visitor's own layer. */
interface LessonLiveFacts extends Answer {
  text: Markup;
  /** in the order in which they fired; none if the layer did not run. */
  hooks: readonly GivenHook[];
  /** only in the lesson about it; likewise `maps`. */
  kept?: readonly KeptWay[];
  maps?: DescribedPicture;
}

/** One of a question's choices. */
interface QuizChoice {
  /** what it is called; a picture or numbers may be what there is to choose. */
  text: string;
  picture?: DescribedPicture;
  numbers?: readonly (readonly string[])[];
}

/** quiz.json: a question; it does not say which choice is right. */
interface QuizQuestionFacts extends Answer {
  /** how hard this question is, in words. */
  level: string;
  text: Markup;
  choices: readonly QuizChoice[];
  pictures: readonly DescribedPicture[];
  /** shown with the question. */
  numbers?: readonly (readonly string[])[];
}

/** quiz_answer.json: a verdict on a choice, and the right one. `answer` is the right choice, counted from 0. */
interface QuizAnswerFacts extends Answer {
  right: boolean;
  answer: number;
  why: Markup;
  /** the id of the lesson that teaches it; empty for the course's contents. */
  lesson: string;
  /** what that is called. */
  lesson_title: string;
}

/** A plan's file. */
interface LessonPlan {
  /** its name. */
  id: string;
  /** all of the file; the browser reads it, as it reads plans that teachers open there. */
  text: string;
}

/** plans.json: the plans that come along, in the visitor's language. */
interface LessonPlans extends Answer {
  plans: readonly LessonPlan[];
}

/**
 * figure.json: a look's figure, or what it waits for. With an `error` the pictures to choose from are here all the
 * same.
 */
interface FigureFacts extends Answer {
  /** those in the figure, row by row. */
  pictures: readonly OtherOption[];
  /** the pictures that it may have. */
  offered: readonly OtherOption[];
  /** the figure for a screen. */
  picture?: Png;
  /** the statement of what it shows, in English, as for a paper. */
  caption?: string;
  /** the command that writes the very file; empty where none can. */
  command?: string;
  /** the question to a visitor before models are loaded. */
  ask?: string;
  /** the models that it is about, or layers as `"model layer"`. */
  costly?: readonly string[];
  /** whether a visitor can agree; otherwise the server could not bear it. */
  may?: boolean;
  /** while a model's weights are on their way. */
  loading?: LoadingProgress;
}

/**
 * A call of a layer, an operation, or an input or output. An operation has no layer of its own; inputs and outputs are
 * the model's.
 */
interface GraphNode {
  /** its place in execution order; a layer comes before what runs inside it. */
  id: number;
  /** the layer's or the operation's, as in tree.json; of an input or output its path, `output[0]`. */
  name: string;
  /** the layer's class, the operation's function, `input` or `output`. */
  type: string;
  /** which of the calls of this name, counted from 0. */
  call: number;
  /** of what it returned; null if that is not one tensor. */
  shape: readonly number[] | null;
  /** the call of the layer in whose code it ran; null for the model's own. */
  parent: number | null;
  /** what was raised there; left out if nothing was. */
  error?: string;
}

/** A value that one node returned and another took in. Neither node has nodes inside it. */
interface GraphEdge {
  from: number;
  to: number;
}

/** graph.json: the model as a graph, from one pass. If the pass failed, it is the graph up to there. */
interface GraphFacts extends Answer {
  /** in execution order, the model's inputs first and its outputs last. */
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
}

/** reduced.json: one picture of a layer, and the formula that made it. */
interface ReducedFacts extends Answer {
  /**
   * the picture's numbers, colours and place, as of a layer with one channel; of principal components the numbers are
   * those of all three.
   */
  view: LayerFacts;
  /** one pixel per value. */
  picture: Png;
  /** the channels that were used; of the strongest ones the strongest first. */
  channels: readonly number[];
  /** the number of channels that the layer has. */
  of: number;
  /** each principal component's share of the variance, 0 to 1; empty for other formulas. */
  explained: readonly number[];
  /** in words and signs, on one line. */
  formula: string;
  /** the paper that it comes from; empty where it comes from none. */
  source: string;
  /** the row and the column of the place that all others are compared with; empty for other formulas. */
  at: readonly number[];
}

/** A unit; of the picture's own colours the layer's name is empty. */
interface UnitName {
  layer: string;
  call: number;
  channel: number;
}

/** One channel that feeds the unit, or reads it. */
interface Neighbour {
  /** a feeder's place among the channels that the layer is given; a reader's channel. */
  place: number;
  /** whose channel it is; null if that is not known. */
  unit: UnitName | null;
  /** further units that are added into it before it arrives. */
  others: readonly UnitName[];
  /** layers and operations between the two, in running order, which keep channels apart. */
  steps: readonly string[];
  /** its map on this picture; empty if it has none. */
  png: Png;
  /** the weights between the two, as a picture; empty if they are not known. */
  kernel: Png;
  /** the norm of these weights times the root mean square of what they are multiplied with; null if they are not known. */
  weight: number | null;
  /**
   * the root mean square of the change if the earlier one is zero on this picture. Both are shares of the root mean
   * square of all that the later layer returns.
   */
  effect: number;
  /** the mean of what the earlier one gives to the later one, as such a share: below zero it holds it down. */
  lifts: number;
}

/** The channels on one side of a unit. Those with the largest effect come first. */
interface Neighbours {
  /**
   * how they are known: `apart` through steps that keep channels apart; `mixed` if something in between mixes them, so
   * that only effects are known; `unknown` if this model cannot be followed; `nothing` if no layer is there.
   */
  told: "apart" | "mixed" | "unknown" | "nothing";
  /** those with the largest effects, and with the largest weights. */
  units: readonly Neighbour[];
  /** how many there are. */
  total: number;
  /** the layers that they are in. */
  layers: readonly string[];
}

/** The weights that make the unit, strongest first. Blue is below zero, red above. */
interface UnitWeights {
  /** a pixel for each weight. */
  png: Png;
  /** of the picture, in pixels. */
  width: number;
  /** how many kernels are in a row. */
  columns: number;
  /** how many are shown, and the weights in each. */
  kernels: KernelSizes;
  /** how many slices of a volume's kernel stand below each other in its height; 1 for others. */
  depth: number;
  /** how many there are. */
  total: number;
  /** for each kernel that is shown, the channel of the input that it is multiplied with. */
  places: readonly number[];
  /** the largest absolute weight, which is the end of the colours. */
  limit: number;
  /** what is added at the end; null if nothing is. */
  bias: number | null;
}

/** A batch norm that follows the unit. It multiplies the unit by `scale` and adds `shift`. */
interface FollowingNorm {
  layer: string;
  scale: number;
  shift: number;
}

/** unit.json: one channel of a layer on this picture. */
interface UnitFacts extends Answer {
  layer: string;
  type: string;
  call: number;
  channel: number;
  /** how many the layer has. */
  channels: number;
  /** the root mean square of the unit's values; `typical` that of all of the layer's. */
  strength: number;
  typical: number;
  /** null if the layer mixes no channels by weights of its own, or none that are known. */
  weights: UnitWeights | null;
  /** null if no batch norm comes next. */
  folded: FollowingNorm | null;
  /** what feeds the unit. */
  before: Neighbours;
  /** what reads it. */
  after: Neighbours;
}

/** What each question about a subject is answered with; files are left out. */
interface Answers {
  "ablation.json": AblationFacts;
  "answer.json": AnswerFacts;
  "attribution.json": ExplanationFacts;
  "cell.json": Arithmetic | UnexplainedNumber;
  "class_answer.json": AskedHeard;
  "class_ask.json": AskedHeard;
  "class_asking.json": AskedHeard;
  "class_join.json": ClassroomJoined;
  "class_leave.json": ClassroomHeard;
  "class_name.json": NicknameHeard;
  "class_open.json": ClassroomOpened;
  "class_order.json": ClassroomHeard;
  "class_point.json": ClassroomHeard;
  "class_quiz.json": AskedHeard;
  "class_say.json": ClassroomHeard;
  "class_show.json": ClassroomHeard;
  "class_subject.json": SharedSubject;
  "class_take.json": ClassroomOpened;
  "classes.json": ClassesFacts;
  "contents.json": CourseContents;
  "course.json": LessonFacts;
  "edits.json": EditsFacts;
  "excited.json": UnusualFacts;
  "exemplars.json": ExemplarsFacts;
  "exercise.json": ExerciseFacts;
  "exercise_help.json": ExerciseHelp;
  "exercises.json": ExerciseList;
  "figure.json": FigureFacts;
  "filter.json": FilterFacts;
  "folder.pass": FoldersFacts;
  "folders.json": FoldersFacts;
  "graph.json": GraphFacts;
  "layer.json": LayerFacts;
  "layer.live": LiveFacts;
  "lens-against.json": LensAgainstFacts;
  "lens-layer.json": LensLayerFacts;
  "lens.json": LensFacts;
  "lesson.json": LessonNumbers;
  "lesson_live.json": LessonLiveFacts;
  "lesson_text.json": LessonText;
  "look.json": LookFacts;
  "memory.json": MemoryFacts;
  "models.json": readonly ModelOffer[] | Answer;
  "names.json": NamesFacts;
  "optimised.json": OptimisedFacts;
  "other.json": OtherFacts;
  "overview.json": readonly Thumb[] | Answer;
  "overview.live": LiveLayersFacts;
  "pair.json": PairFacts;
  "pictures.add": AddedFacts;
  "pictures.forget": FoldersFacts;
  "pictures.label": LabelledFacts;
  "place.json": PlaceFacts;
  "plans.json": LessonPlans;
  "prediction.json": PredictionFacts;
  "quiz.json": QuizQuestionFacts;
  "quiz_answer.json": QuizAnswerFacts;
  "reading.json": Reading | UnexplainedReading;
  "reduced.json": ReducedFacts;
  "ribbon.json": RibbonFacts;
  "step.json": StepFacts;
  "step_maps.json": StepMaps;
  "timeline.json": TimelineFacts;
  "tree.json": readonly TreeRow[] | Answer;
  "unit.json": UnitFacts;
}
