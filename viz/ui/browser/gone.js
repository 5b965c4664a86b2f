// A part ends when its place is gone from the page. Streamlit also ends a run of a part's code whose data were overtaken
// by newer ones while the code was on its way: then the part stays, for the newer data are meant for it.

function onceGone(place, end) {
  return () => { if (!place.isConnected) end(); };
}
