/**
 * What Tab does in the editor: in a table it goes from cell to cell, everywhere else it leaves the field, as it leaves every field. After
 * Escape it leaves the field from a table too.
 */
import { addRowAfter, goToNextCell, isInTable } from '@tiptap/pm/tables';
import type { EditorView } from '@tiptap/pm/view';

/** Creates the handler of an editor's keys. It returns true for Tab, with which the editor does nothing else, such as indent an item. */
export function createTabHandler(): (view: EditorView, event: KeyboardEvent) => boolean {
  let isLeaving = false;
  return (view, event) => {
    const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
    if (key !== 'Tab') {
      // Shift is pressed before Tab in Shift+Tab.
      if (key !== 'Shift') isLeaving = key === 'Escape';
      return false;
    }
    const isPlain = !altKey && !ctrlKey && !metaKey;
    if (isPlain && !isLeaving && goToCell(view, shiftKey ? -1 : 1)) event.preventDefault();
    isLeaving = false;
    return true;
  };
}

/** Goes to the next cell of a table, or the one before; after the last cell to a new row. Returns whether there is such a cell. */
function goToCell(view: EditorView, direction: 1 | -1): boolean {
  const go = goToNextCell(direction);
  if (go(view.state, view.dispatch)) return true;
  if (direction < 0 || !isInTable(view.state)) return false;
  return addRowAfter(view.state, view.dispatch) && go(view.state, view.dispatch);
}
