// Fields of the look, and the views, as viz/request has them; `make answers` writes this file.

import { cell, number, text, word, yes } from "./forms.js";

/** @typedef {"layer" | "layers" | "gradients" | "compare" | "hooks" | "lens" | "course" | "quiz" | "reduced" | "unit" | "figure"} View */

/**
 * A way of looking at a model.
 * @typedef {Object} ViewFacts
 * @property {View} [within] - the view whose button stands for it; empty for one with a button of its own.
 * @property {boolean} [of_layer] - true if it is about the look's layer.
 * @property {boolean} [maps] - true if it draws maps, so that colours, scale and order of the channels matter.
 * @property {boolean} [single] - true if it draws one map, for which scale and order of channels do not matter.
 * @property {boolean} [gradient] - true if the layer's gradients are its values.
 * @property {boolean} [weighs] - true if visitors are asked first about a layer of much memory.
 * @property {"" | "all" | "back"} [passes] - the cost that visitors are asked about first: a run of `"all"` layers, or one `"back"` from a class, which they can choose; empty if a look at one layer costs no less.
 * @property {boolean} [waits] - true if it tells by itself when it is drawn, and not as soon as it is opened.
 * @property {boolean} [ribbon] - true if the model's stages stand above it.
 * @property {boolean} [invites] - true if visitors are asked for a picture of their own above it.
 * @property {string} [help] - the document about it, of those below `docs`.
 */

/**
 * The state of the screen.
 * @typedef {Object} Fields
 * @property {View} view - the way of looking, of `views.VIEWS`.
 * @property {string} layer - its dotted name; empty for the first convolution that ran, or else the first layer that did.
 * @property {number} call - the number of one of its calls, from 0; the text counts from 1.
 * @property {number | null} channel - the channel that is shown large; None for the one that varies most, or the first if an order is chosen.
 * @property {string} leaf - which tensor of several; empty for the first.
 * @property {string} kind - the layout.
 * @property {number} row - one of the batch, from 0.
 * @property {number} index - one slice of a volume, from 0.
 * @property {string} cell - the number that is taken apart, as `row,column`; after another comma the channel of the layer's input that is shown beside it, if one is chosen; empty for none. Of the reduction `"similar"` the place that all others are compared with.
 * @property {string} colormap - by its name; `"auto"` follows from the values' signs; with `_root` behind it the colours follow the square root of values.
 * @property {"layer" | "channel" | "clipped" | "model"} scale - the colours' range.
 * @property {"index" | "mean" | "maximum" | "variance" | "zeros"} order - that of the channels.
 * @property {"mean" | "abs-mean" | "max" | "l2" | "std" | "entropy" | "argmax" | "top" | "pca" | "similar"} reduce - the formula that makes one picture of a layer (`maps.reduction.definitions`).
 * @property {number | null} top - the number of strongest channels that `"top"` sums; None for eight.
 * @property {string} figure - the columns of a figure (`figure.columns_in`); empty before one is begun.
 * @property {string} figure_pictures - the names of its pictures, with commas between them; empty for the one on screen.
 * @property {boolean} figure_over - true to lay its maps over the photos.
 * @property {boolean} figure_photos - true for a first column of the photos.
 * @property {"own" | "row" | "all"} figure_scale - the panels that share a range of colours.
 * @property {boolean} figure_letters - true for (a), (b) and on.
 * @property {number} figure_width - in millimetres.
 * @property {string} edit - the edits' text (`edit_request.edits_text`).
 * @property {"after" | "before" | "difference"} show - the values after the edits, before them, or the difference.
 * @property {number | null} target - the class that is looked back from; None for the most probable one of the picture.
 * @property {"grad-cam" | "saliency" | "integrated-gradients" | "occlusion" | "conductance" | "attention-rollout" | "attention-relevance"} method - of telling what counts for that class (`method.METHODS`).
 * @property {"last" | "layer"} at - the layer that Grad-CAM and conductance look at: the last whose places count, or the one on screen.
 * @property {"centred" | "stretched"} lay - where maps lie on the picture: each cell where it is centred, or stretched over all of it.
 * @property {number} overlay - the share of the picture that the large map lets through, in percent.
 * @property {number} strength - the share of the picture that a method's map covers, in percent.
 * @property {number | null} steps - the number of a method's steps; None as the method chooses.
 * @property {number | null} window - the side of an occlusion's window, in pixels; None as the method chooses.
 * @property {number | null} stride - the way from window to window, in pixels; None as the method chooses.
 * @property {"auto" | "open" | "folded"} filter - the channel's weights beside it, unfolded or folded; `"auto"` leaves that to the view.
 * @property {"auto" | "open" | "folded"} exemplars - likewise the pictures that excite it.
 * @property {"maximum" | "mean"} exemplars_by - their order.
 * @property {"" | "folder" | "own" | "samples"} pictures - the folder that they are from: the server's, the visitor's own or the samples; empty for the first of these that there is. The view of a data set is about it too.
 * @property {string} against - the model whose layers that view sets beside this one's; empty for its own.
 * @property {"auto" | "open" | "folded" | "drawn"} optimised - likewise the optimised picture; `"drawn"` makes it, too.
 * @property {"channel" | "cell" | "minus"} optimised_aim - the values that it excites: the channel's, the cell's that is taken apart, or the channel's without those of another.
 * @property {number | null} optimised_minus - that other channel.
 * @property {"fourier" | "maco" | "own"} optimised_way - the way it is made.
 * @property {"one" | "four"} optimised_count - the number of pictures.
 * @property {number | null} training - the seed of training mode; None in evaluation mode.
 * @property {string} lesson - the course's lesson by its id; a number for one of the sources; empty for the contents.
 * @property {number | null} lesson_step - its step, from 1; None for the one that the browser remembers.
 * @property {number | null} seed - the quiz's number.
 * @property {"climb" | "easy" | "middle" | "hard"} level - of the quiz; by default it goes from easy to hard.
 * @property {number | null} quiz_question - its question, from 1, and after the last the result; None for the one that the browser remembers.
 * @property {number | null} step - of the timeline, from 1.
 * @property {boolean} present - true in presentation mode.
 * @property {boolean} embed - true in a frame of another page: nothing but what is shown.
 * @property {string} with_sample - of a comparison the other side's picture; empty as the page chooses by itself, `"same"`, `"none"`, a name or a number. Likewise the fields after it. By itself it chooses another picture, or the same one if another model, weights or layer is chosen.
 * @property {string} with_model - likewise
 * @property {string} with_weights - likewise
 * @property {string} with_layer - likewise
 * @property {string} with_call - likewise
 * @property {string} with_edits - likewise
 * @property {string} with_order - the order of both sides' channels; empty for those that differ most first.
 */

/** In the order of their buttons. @type {Readonly<Record<View, ViewFacts>>} */
export const VIEWS = Object.freeze({
  layer: {"of_layer": true, "maps": true, "weighs": true, "waits": true, "ribbon": true, "invites": true, "help": "colours"},
  layers: {"maps": true, "passes": "all", "ribbon": true, "invites": true, "help": "find-a-layer"},
  gradients: {"of_layer": true, "maps": true, "gradient": true, "weighs": true, "passes": "back", "waits": true, "ribbon": true, "help": "why-this-class"},
  compare: {"of_layer": true, "maps": true, "ribbon": true, "help": "compare"},
  hooks: {"of_layer": true, "maps": true, "passes": "back", "help": "hooks"},
  lens: {"of_layer": true, "help": "pictures-folder"},
  course: {"help": "learn"},
  quiz: {"help": "learn"},
  reduced: {"within": "layer", "of_layer": true, "maps": true, "single": true, "weighs": true, "ribbon": true, "help": "one-picture"},
  unit: {"within": "layer", "of_layer": true, "maps": true, "weighs": true, "help": "numbers"},
  figure: {"within": "layer", "of_layer": true, "maps": true, "single": true, "help": "save-and-share"},
});

/** The look of an address that says nothing. @type {Readonly<Fields>} */
export const FIRST = Object.freeze({
  view: "layer",
  layer: "",
  call: 0,
  channel: null,
  leaf: "",
  kind: "auto",
  row: 0,
  index: 0,
  cell: "",
  colormap: "auto",
  scale: "layer",
  order: "index",
  reduce: "mean",
  top: null,
  figure: "",
  figure_pictures: "",
  figure_over: false,
  figure_photos: false,
  figure_scale: "own",
  figure_letters: true,
  figure_width: 180,
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
  filter: "auto",
  exemplars: "auto",
  exemplars_by: "maximum",
  pictures: "",
  against: "",
  optimised: "auto",
  optimised_aim: "channel",
  optimised_minus: null,
  optimised_way: "fourier",
  optimised_count: "one",
  training: null,
  lesson: "",
  lesson_step: null,
  seed: null,
  level: "climb",
  quiz_question: null,
  step: null,
  present: false,
  embed: false,
  with_sample: "",
  with_model: "",
  with_weights: "",
  with_layer: "",
  with_call: "",
  with_edits: "",
  with_order: "",
});

/** The values of fields that have a few. @type {{[Name in "view" | "scale" | "order" | "reduce" | "figure_scale" | "show" | "method" | "at" | "lay" | "filter" | "exemplars" | "exemplars_by" | "pictures" | "optimised" | "optimised_aim" | "optimised_way" | "optimised_count" | "level"]: readonly Fields[Name][]}} */
export const CHOICES = Object.freeze({
  view: ["layer", "layers", "gradients", "compare", "hooks", "lens", "course", "quiz", "reduced", "unit", "figure"],
  scale: ["layer", "channel", "clipped", "model"],
  order: ["index", "mean", "maximum", "variance", "zeros"],
  reduce: ["mean", "abs-mean", "max", "l2", "std", "entropy", "argmax", "top", "pca", "similar"],
  figure_scale: ["own", "row", "all"],
  show: ["after", "before", "difference"],
  method: ["grad-cam", "saliency", "integrated-gradients", "occlusion", "conductance", "attention-rollout", "attention-relevance"],
  at: ["last", "layer"],
  lay: ["centred", "stretched"],
  filter: ["auto", "open", "folded"],
  exemplars: ["auto", "open", "folded"],
  exemplars_by: ["maximum", "mean"],
  pictures: ["", "folder", "own", "samples"],
  optimised: ["auto", "open", "folded", "drawn"],
  optimised_aim: ["channel", "cell", "minus"],
  optimised_way: ["fourier", "maco", "own"],
  optimised_count: ["one", "four"],
  level: ["climb", "easy", "middle", "hard"],
});

/** @type {{[Name in keyof Fields]: import("./forms.js").Form<any>}} */
export const FORMS = {
  view: word(CHOICES.view),
  layer: text(200),
  call: number(1, 99999, 1),
  channel: number(0, 99999),
  leaf: text(200),
  kind: text(200),
  row: number(0, 99999),
  index: number(0, 99999),
  cell: cell,
  colormap: text(200),
  scale: word(CHOICES.scale),
  order: word(CHOICES.order),
  reduce: word(CHOICES.reduce),
  top: number(1, 99999),
  figure: text(2000),
  figure_pictures: text(200),
  figure_over: yes,
  figure_photos: yes,
  figure_scale: word(CHOICES.figure_scale),
  figure_letters: yes,
  figure_width: number(30, 400),
  edit: text(32000),
  show: word(CHOICES.show),
  target: number(0, 99999),
  method: word(CHOICES.method),
  at: word(CHOICES.at),
  lay: word(CHOICES.lay),
  overlay: number(0, 90),
  strength: number(0, 100),
  steps: number(1, 99999),
  window: number(1, 99999),
  stride: number(1, 99999),
  filter: word(CHOICES.filter),
  exemplars: word(CHOICES.exemplars),
  exemplars_by: word(CHOICES.exemplars_by),
  pictures: word(CHOICES.pictures),
  against: text(200),
  optimised: word(CHOICES.optimised),
  optimised_aim: word(CHOICES.optimised_aim),
  optimised_minus: number(0, 99999),
  optimised_way: word(CHOICES.optimised_way),
  optimised_count: word(CHOICES.optimised_count),
  training: number(0, 999999),
  lesson: text(200),
  lesson_step: number(1, 99999),
  seed: number(0, 999999),
  level: word(CHOICES.level),
  quiz_question: number(1, 99999),
  step: number(1, 999999),
  present: yes,
  embed: yes,
  with_sample: text(200),
  with_model: text(200),
  with_weights: text(200),
  with_layer: text(200),
  with_call: text(200),
  with_edits: text(200),
  with_order: text(200),
};
