/**
 * The inputs of dates and times. A stored text that the browser's input cannot show is edited as a line of text.
 */
import { Input, TextInput } from '@mantine/core';
import { useState } from 'react';
import { labelOf } from '../../../parts/data/field-label.ts';
import {
  describeZone,
  fromInputText,
  joinOffset,
  splitOffset,
  toInputText,
} from '../../../parts/time/local-time.ts';
import { type InputProps, useInputFrame } from '../draft/form-context.ts';
import { Beside, Line, toText } from './line-input.tsx';

/** Edits an EpochMillis. */
export function DateInput({ draft, onChange, ...props }: InputProps) {
  const { description, ...frame } = useInputFrame(props);
  const ms = typeof draft === 'number' ? draft : undefined;
  const zone = `Your time zone, ${describeZone(ms)}.`;
  return (
    <TextInput
      {...frame}
      type="datetime-local"
      step={stepOf(ms === undefined || ms % 1000 === 0)}
      description={[description, zone].filter(Boolean).join(' ')}
      value={ms === undefined ? '' : toInputText(ms)}
      onChange={(event) => onChange(fromInputText(event.currentTarget.value, ms))}
    />
  );
}

/** Milliseconds are shown only where there are some. */
const stepOf = (isWholeSecond: boolean) => (isWholeSecond ? '1' : '0.001');

/** Edits a Date. */
export function DayInput(props: InputProps) {
  const [isLine] = useState(!/^(\d{4}-\d\d-\d\d)?$/.test(toText(props.draft)));
  return isLine ? <Line {...props} /> : <OneDay {...props} />;
}

function OneDay({ draft, onChange, ...props }: InputProps) {
  return (
    <TextInput
      {...useInputFrame(props)}
      type="date"
      value={toText(draft)}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    />
  );
}

/** Edits a DateTime, whose offset stays as it is until the user writes another one. */
export function DateTimeInput(props: InputProps) {
  const [, offset = '0'] = splitOffset(toText(props.draft)) ?? [];
  // More than three digits after the seconds are left in the offset.
  const [isLine] = useState(props.draft !== undefined && /^\d/.test(offset));
  return isLine ? <Line {...props} /> : <TimeAndOffset {...props} />;
}

function TimeAndOffset({ draft, onChange, ...props }: InputProps) {
  const { description, error, ...frame } = useInputFrame(props);
  const [time = '', written] = splitOffset(toText(draft)) ?? [];
  // Kept while there is no time that it belongs to.
  const [chosen, setChosen] = useState(written);
  const offset = written ?? chosen;
  const label = `Offset from UTC of ${props.itemLabel ?? labelOf(props.field)}`;
  return (
    <TextInput
      {...frame}
      error={error}
      type="datetime-local"
      step={stepOf(!/\.\d*[1-9]/.test(time))}
      description={description}
      value={time}
      onChange={(event) => {
        const given = event.currentTarget.value;
        onChange(given === '' ? undefined : joinOffset(given, offset));
      }}
      inputContainer={(input) => (
        <Beside input={input}>
          <Input
            withAria={false}
            aria-label={label}
            title={label}
            w={84}
            placeholder="+00:00"
            autoComplete="off"
            value={offset ?? ''}
            onChange={(event) => {
              const given = event.currentTarget.value.trim();
              setChosen(given);
              if (time !== '') onChange(time + given);
            }}
          />
        </Beside>
      )}
    />
  );
}
