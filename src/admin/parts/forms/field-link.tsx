/**
 * The name of a field within a message, which leads to the field.
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
