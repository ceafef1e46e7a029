/**
 * Moves the focus to the input of a field.
 */

const focusable = 'input, textarea, select, button, [contenteditable]';

/** Focuses an element, or the first input in it, and scrolls it into view. Returns whether there was one. */
export function focusField(place: HTMLElement | null): boolean {
  const input = place?.matches(focusable) ? place : place?.querySelector<HTMLElement>(focusable);
  input?.focus();
  place?.scrollIntoView({ block: 'nearest' });
  return input !== null && input !== undefined;
}
