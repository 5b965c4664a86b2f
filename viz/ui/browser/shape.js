// A shape as people read it. A batch of one picture goes without saying; any other length of the first axis does not.

function shapeText(shape) {
  return (shape[0] === 1 ? shape.slice(1) : shape).join(" × ") || "1";
}
