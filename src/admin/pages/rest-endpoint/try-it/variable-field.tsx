/**
 * The input of one variable.
 */
import { Button, Checkbox, Group, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { VariableInput } from './variable-inputs.ts';

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
