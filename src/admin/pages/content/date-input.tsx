/**
 * A point in time, typed as date and time in UTC, with the number that is stored.
 */
import { TextInput } from '@mantine/core';
import { type InputProps, useInputFrame } from './form-context.ts';

/** Edits an EpochMillis. */
export function DateInput({ draft, onChange, ...props }: InputProps) {
  const { description, ...frame } = { description: undefined, ...useInputFrame(props) };
  const number = draft === undefined ? 'UTC' : `UTC, stored as ${draft}`;
  return (
    <TextInput
      {...frame}
      type="datetime-local"
      step="0.001"
      description={[description, number].filter(Boolean).join(' ')}
      value={toLocalText(draft)}
      onChange={(event) => onChange(fromLocalText(event.currentTarget.value))}
    />
  );
}

/** The form such an input has; years beyond its reach are seen as the number alone. */
function toLocalText(draft: InputProps['draft']): string {
  if (typeof draft !== 'number' || Number.isNaN(new Date(draft).getTime())) return '';
  const text = new Date(draft).toISOString().slice(0, -1);
  return /^\d{4}-/.test(text) ? text : '';
}

function fromLocalText(text: string): number | undefined {
  const ms = Date.parse(`${text}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
