// How maps are drawn, whatever the layer: colours, scale, order. Below the maps, so that the first screen ends there.

import { selectBox } from "../layer/options.js";
import { ORDERS, SCALES } from "../look/look.js";
import { filled } from "../maps/mosaic.js";
import { megabytes } from "./costs.js";

const WITHOUT_MAPS = ["course", "quiz"]; // these draw no layer of the chosen model

export class Drawing {
  constructor(root, page) {
    Object.assign(this, { root, page });
  }

  show(look) {
    const { data } = this.page;
    this.root.hidden = WITHOUT_MAPS.includes(look.view);
    const drawn = JSON.stringify([look.view === "compare", look.colormap, look.scale, look.order, look.with_order]);
    if (this.root.hidden || (drawn === this.drawn && data === this.data)) return;
    Object.assign(this, { drawn, data });
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.part : null;
    this.root.replaceChildren(this.colours(look), this.scale(look), look.view === "compare" ? this.pairOrder(look) : this.order(look));
    if (focused) this.root.querySelector(`[data-part=${focused}]`)?.focus();
  }

  box(part, label, options, value, action) {
    const box = selectBox(label, options, value, (chosen) => this.page.store.dispatch(action(chosen)));
    box.querySelector("select").dataset.part = part;
    return box;
  }

  colours(look) {
    const { words, colormaps } = this.data;
    const options = colormaps.map((name) => [name, name === "auto" ? words.colormap_auto : name]);
    return this.box("colormap", words.colormap, options, look.colormap, (colormap) => ({ type: "colormap", colormap }));
  }

  // Both sides of a comparison share a scale, so one for each channel is not offered there.
  scale(look) {
    const { words, costs } = this.data;
    const both = look.view === "compare";
    const names = { layer: both ? words.scale_both : words.scale_layer, channel: words.scale_channel, clipped: words.scale_clipped, model: words.scale_model };
    const options = SCALES.filter((scale) => !both || scale !== "channel").map((scale) => [scale, names[scale]]);
    const box = this.box("scale", words.scale, options, both && look.scale === "channel" ? "layer" : look.scale, (scale) => ({ type: "scale", scale }));
    box.title = filled(words.scale_help, { cost: megabytes(costs.all) });
    return box;
  }

  order(look) {
    const options = ORDERS.map((order) => [order, this.orderName(order)]);
    return this.box("order", this.data.words.order, options, look.order, (order) => ({ type: "order", order }));
  }

  pairOrder(look) {
    const { words } = this.data;
    const options = [["", words.order_difference], ...ORDERS.map((order) => [order, this.orderName(order)])];
    return this.box("order", words.order, options, look.with_order, (order) => ({ type: "other", other: { with_order: order } }));
  }

  orderName(order) {
    const { words } = this.data;
    return { index: words.order_index, mean: words.order_mean, maximum: words.order_maximum, variance: words.order_variance, zeros: words.order_zeros }[order];
  }
}
