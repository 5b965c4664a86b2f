// Dialogs: a click beside one puts it away.

/**
 * Close a dialog by such a click: it has the dialog itself as its target, and a click inside has one of its parts. A drag
 * that only ends there, as of a selection, means something else.
 * @param {HTMLDialogElement} dialog
 */
export function closeBeside(dialog) {
  let began = false;
  dialog.addEventListener("pointerdown", ({ target }) => { began = target === dialog; });
  dialog.addEventListener("click", ({ target }) => { if (began && target === dialog) dialog.close(); });
}
