// The moment when the first maps are drawn, or something in their place. Work that can wait, waits for it.

// Say that it does; the style sheets see it too.
export function stands() {
  const { dataset } = document.documentElement;
  if (dataset.stands !== undefined) return;
  dataset.stands = "";
  performance.mark("layerglass:stands"); // for who measures
}

/** @returns {Promise<void>} */
export function standing() {
  const page = document.documentElement;
  return new Promise((done) => {
    const look = () => {
      if (page.dataset.stands === undefined) return;
      seen.disconnect();
      done();
    };
    const seen = new MutationObserver(look);
    seen.observe(page, { attributes: true, attributeFilter: ["data-stands"] });
    look();
  });
}
