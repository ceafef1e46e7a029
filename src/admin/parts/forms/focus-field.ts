/**
 * Moves the focus to the input of a field.
 */

/** Selects inputs and buttons, but those in the heading of a group. */
export const firstInput = ':is(input, textarea, select, button, [contenteditable]):not([data-heading] *)';

/** Focuses an element, or the first input in it, and scrolls it into view. Returns whether there was one. */
export function focusField(place: HTMLElement | null): boolean {
  const input = place?.matches(firstInput) ? place : place?.querySelector<HTMLElement>(firstInput);
  input?.focus();
  place?.scrollIntoView({ block: 'nearest' });
  return input !== null && input !== undefined;
}
