/**
 * The keys of a list: J and K go to the next row and to the one before, X chooses the row, E edits it. Enter opens it, as it follows any
 * link.
 */
import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Acts on the row at an index. */
interface RowKeys {
  readonly toggle?: ((index: number) => void) | undefined;
  readonly edit?: ((index: number) => void) | undefined;
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
    else if (key === 'e' && index >= 0 && edit) edit(index);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether the keys belong to somebody else: to whoever types, or to what floats above the page. */
function isTaken(target: EventTarget | null): boolean {
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('select, textarea, input:not([type="checkbox"], [type="radio"]), .monaco-editor *'));
  return isTyping || document.querySelector('[role="dialog"], [role="menu"]') !== null;
}
