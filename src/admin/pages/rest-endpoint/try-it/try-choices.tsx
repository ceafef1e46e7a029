/**
 * How a mapping is tried: on whose behalf, with which method, and where the variables stand.
 */
import { Group, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core';
import type { MappingMethod } from '../../../api.ts';
import type { TriedValues } from './remembered-values.ts';
import type { TryTarget } from './try-target.ts';

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
