/**
 * An input for a date and time in the user's time zone. It also shows the stored number.
 */
import { TextInput } from '@mantine/core';
import { describeZone, fromInputText, toInputText } from '../../../parts/time/local-time.ts';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';

/** Edits an EpochMillis. */
export function DateInput({ draft, onChange, ...props }: InputProps) {
  const { description, ...frame } = { description: undefined, ...useInputFrame(props) };
  const ms = typeof draft === 'number' ? draft : undefined;
  const zone = `Your time zone, ${describeZone(ms)}`;
  const hint = draft === undefined ? `${zone}.` : `${zone}; stored as ${draft}.`;
  return (
    <TextInput
      {...frame}
      type="datetime-local"
      step="0.001"
      description={[description, hint].filter(Boolean).join(' ')}
      value={ms === undefined ? '' : toInputText(ms)}
      onChange={(event) => onChange(fromInputText(event.currentTarget.value, ms))}
    />
  );
}
