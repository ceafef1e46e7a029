/**
 * Leads to a field: the name of the field within a message, and the focus on its input.
 */
import { Anchor } from '@mantine/core';

/** A link in the colour of the text around it. */
export function FieldLink({ label, onGo }: { label: string; onGo: () => void }) {
  return (
    <Anchor component="button" type="button" size="sm" c="inherit" underline="always" onClick={onGo}>
      {label}
    </Anchor>
  );
}

/** Selects inputs and buttons, but those in the heading of a group. */
export const firstInput = ':is(input, textarea, select, button, [contenteditable]):not([data-heading] *)';

/** Focuses an element, or the first input in it, and scrolls it into view. Returns whether there was one. */
export function focusField(place: HTMLElement | null): boolean {
  const input = place?.matches(firstInput) ? place : place?.querySelector<HTMLElement>(firstInput);
  input?.focus();
  place?.scrollIntoView({ block: 'nearest' });
  return input !== null && input !== undefined;
}
