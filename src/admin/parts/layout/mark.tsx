/**
 * A badge with one word, such as a state.
 */
import { Badge } from '@mantine/core';

/** The word in a badge, with a dot of a colour before it if one is given; the colour alone says nothing. */
export function Mark({ color, children }: { color?: string; children: string }) {
  const dot = color !== undefined && (
    <span aria-hidden style={{ color: `var(--mantine-color-${color}-filled)` }}>
      ●
    </span>
  );
  return (
    <Badge variant="default" tt="none" miw="fit-content" leftSection={dot}>
      {children}
    </Badge>
  );
}

/** The mark of an endpoint through which anyone can change content. */
export function PublicWritesMark() {
  return <Mark color="orange">Public writes</Mark>;
}
