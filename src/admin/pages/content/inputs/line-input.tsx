/**
 * The input of a text on one line.
 */
import { TextInput } from '@mantine/core';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';

/** Edits a text on one line. An empty input means that the value is absent. */
export function Line({ inputMode, ...props }: InputProps & { inputMode?: 'numeric' | 'decimal' | 'url' }) {
  return (
    <TextInput
      {...useInputFrame(props)}
      value={toText(props.draft)}
      onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
      autoComplete="off"
      {...(inputMode ? { inputMode } : {})}
    />
  );
}

/** The text of a draft; empty for an absent value. */
export const toText = (draft: InputProps['draft']): string => (draft === undefined ? '' : String(draft));
