/**
 * The HTML of a rich text.
 */
import { Textarea } from '@mantine/core';
import { type InputProps, useInputFrame } from '../../draft/form-context.ts';

/** Edits the source. */
export function SourceInput({ draft, onChange, ...props }: InputProps) {
  return (
    <Textarea
      {...useInputFrame(props)}
      value={typeof draft === 'string' ? draft : ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      spellCheck={false}
      autosize
      minRows={4}
      maxRows={16}
    />
  );
}
