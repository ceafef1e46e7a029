/**
 * The keys of a list: J and K go to the next row and to the one before, the arrow keys to the values that are edited in their cells, X chooses
 * the row, E edits it or the value. Enter opens it, as it follows any link.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Acts on the row at an index. */
interface RowKeys {
  readonly toggle?: ((index: number) => void) | undefined;
  /** The column is that of the value with the focus, if it is one that is edited in its cell. */
  readonly edit?: ((index: number, column: string | undefined) => void) | undefined;
}

/**
 * Follows the keys while the list is on the page, nobody types and no dialog or menu is open. Of several lists on a page, the one with the
 * focus follows them, and the first one while none has it.
 */
export function useRowKeys(body: RefObject<HTMLElement | null>, { toggle, edit }: RowKeys): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
    const lists = [...document.querySelectorAll('tbody[data-rows]')];
    const list = lists.find((each) => each.contains(document.activeElement)) ?? lists[0];
    if (!list || list !== body.current) return;
    const rows = [...list.querySelectorAll(':scope > tr:not([data-detail])')];
    const index = rows.findIndex((row) => row.contains(document.activeElement));
    if (key === 'j' || key === 'k') {
      const next = rows[index < 0 ? 0 : index + (key === 'j' ? 1 : -1)];
      // The link of the name, so that Enter opens the row, also after a check box or the button that unfolds.
      const link = next?.querySelector<HTMLElement>('a[data-name], [data-name] a');
      (link ?? next?.querySelector<HTMLElement>('a, button, input'))?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    } else if (key === 'x' && index >= 0 && toggle) toggle(index);
    else if (key === 'e' && index >= 0 && edit) edit(index, columnOf(document.activeElement));
    else if ((key === 'arrowleft' || key === 'arrowright') && index >= 0) {
      const next = nextCell(rows[index], key === 'arrowright' ? 1 : -1);
      if (!next) return;
      next.focus();
    } else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

const columnOf = (element: Element | null) =>
  element?.closest<HTMLElement>('[data-editable]')?.dataset.editable;

/** The cell beside the one with the focus, of those whose values are edited there. */
function nextCell(row: Element | undefined, by: 1 | -1): HTMLElement | undefined {
  const cells = [...(row?.querySelectorAll<HTMLElement>('[data-editable]') ?? [])];
  const index = cells.findIndex((cell) => cell.contains(document.activeElement));
  return cells[index + by] ?? (index < 0 && by === 1 ? cells[0] : undefined);
}

/** Whether the keys belong to somebody else: to whoever types, or to what floats above the page. */
function isTaken(target: EventTarget | null): boolean {
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('select, textarea, input:not([type="checkbox"], [type="radio"]), .monaco-editor *'));
  return isTyping || document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
