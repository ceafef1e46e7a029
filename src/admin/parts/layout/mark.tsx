/**
 * A state as a dot and its words.
 */
import classes from './mark.module.css';

/** The words beside a dot. The colour alone says nothing. */
export function Mark({ color = 'gray', children }: { color?: string; children: string }) {
  return (
    <span className={classes.mark}>
      <span
        className={classes.dot}
        style={{ background: `var(--dot-${color}, var(--mantine-color-${color}-filled))` }}
      />
      {children}
    </span>
  );
}

/** The mark of an endpoint through which anyone can change content. */
export function PublicWritesMark() {
  return <Mark color="orange">Public writes</Mark>;
}
