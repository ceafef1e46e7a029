/**
 * How a mapping is tried: on whose behalf, with which method, and where the variables stand.
 */
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { MappingMethod } from '../../../api.ts';
import type { TriedValues } from './remembered-values.ts';
import type { TryTarget } from './try-target.ts';
import type { VariableInput } from './variable-inputs.ts';

/** The choices that hold: those of the user, or the defaults. */
export interface Choices {
  readonly method: MappingMethod;
  readonly place: 'query' | 'body';
  readonly sender: 'administrator' | 'caller';
}

/** Returns the choices that hold for a target. Only a published mapping has callers. */
export function chooseFor({ methods, isPublished, kind }: TryTarget, values: TriedValues): Choices {
  const usual = methods[0] ?? (kind === 'mutation' ? 'POST' : 'GET');
  const method = values.method && methods.includes(values.method) ? values.method : usual;
  const place = method === 'GET' ? 'query' : (values.place ?? 'body');
  return { method, place, sender: isPublished ? (values.sender ?? 'caller') : 'administrator' };
}

/** The inputs of the choices. */
export function TryChoices({
  target: { methods, isPublished, kind },
  choices: { method, place, sender },
  onChange,
}: {
  target: TryTarget;
  choices: Choices;
  onChange: (choices: Partial<Choices>) => void;
}) {
  return (
    <Stack>
      <Group align="flex-end">
        <NativeSelect
          label="Method"
          value={method}
          data={methods.length === 0 ? [method] : [...methods]}
          onChange={(event) => onChange({ method: event.currentTarget.value as MappingMethod })}
        />
        {method !== 'GET' && (
          <SegmentedControl
            aria-label="Send variables in"
            value={place}
            onChange={(chosen) => onChange({ place: chosen })}
            data={[
              { value: 'body', label: 'JSON body' },
              { value: 'query', label: 'Query string' },
            ]}
          />
        )}
        {isPublished && (
          <SegmentedControl
            aria-label="Send as"
            value={sender}
            onChange={(chosen) => onChange({ sender: chosen })}
            data={[
              { value: 'caller', label: 'As a caller' },
              { value: 'administrator', label: 'As administrator' },
            ]}
          />
        )}
      </Group>
      {sender === 'administrator' && (
        <Text size="sm">
          Runs as administrator: access rules and restrictions to sites do not apply, no API key is needed,
          and nothing is cached.
          {kind === 'mutation' && ' This mutation changes content.'}
        </Text>
      )}
    </Stack>
  );
}

/** An input by the variable's kind; its text is empty when nothing is given. */
export function VariableField({
  input: { name, kind, isRequired, choices, description },
  text,
  onChange,
  error,
}: {
  input: VariableInput;
  text: string;
  onChange: (text: string) => void;
  error: string | undefined;
}) {
  const shared = { label: name, required: isRequired, description, error, value: text };
  switch (kind) {
    case 'boolean':
      return (
        <Group gap="xs" align="flex-start">
          <Checkbox
            label={isRequired ? `${name} *` : name}
            description={text === '' ? 'Not sent until it is ticked.' : `Sent as ${text}.`}
            checked={text === 'true'}
            indeterminate={text === ''}
            onChange={() => onChange(text === 'true' ? 'false' : 'true')}
            error={error}
          />
          {text !== '' && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => onChange('')}
              aria-label={`Do not send ${name}`}
            >
              Do not send
            </Button>
          )}
        </Group>
      );
    case 'choice':
      return (
        <NativeSelect
          {...shared}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[{ value: '', label: 'Not sent' }, ...choices]}
        />
      );
    case 'json':
      return (
        <Textarea
          {...shared}
          description={description ?? 'A list or an object, as JSON.'}
          onChange={(event) => onChange(event.currentTarget.value)}
          autosize
          minRows={2}
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      );
    default:
      return (
        <TextInput
          {...shared}
          inputMode={kind === 'whole' || kind === 'number' ? 'decimal' : 'text'}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
