/**
 * A badge with one word, such as a state.
 */
import { Badge } from '@mantine/core';
import classes from './mark.module.css';

/** The words in a light badge. The colour alone says nothing. */
export function Mark({ color = 'gray', children }: { color?: string; children: string }) {
  return (
    <Badge
      variant="light"
      color={color}
      radius="sm"
      tt="none"
      fw={600}
      miw="max-content"
      px={7}
      className={classes.mark}
    >
      {children}
    </Badge>
  );
}

/** The mark of an endpoint through which anyone can change content. */
export function PublicWritesMark() {
  return <Mark color="orange">Public writes</Mark>;
}
