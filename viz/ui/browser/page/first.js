// Runs before Streamlit's own script, which would answer Back and Forward with a run of the page's: the look's part of
// the page answers them itself, and asks for a run where another subject is wanted.

window.addEventListener("popstate", (event) => {
  event.stopImmediatePropagation();
  window.dispatchEvent(new Event("layerglass:returned"));
});
