/**
 * The input of a slug, with a button that makes it from the title.
 */
import { Button, Group, TextInput } from '@mantine/core';
import { use } from 'react';
import { toSlug } from '../../../parts/data/slug.ts';
import { FormContext, type InputProps, useInputFrame } from '../draft/form-context.ts';

/** Edits the slug of an asset. In a new asset it follows the title until the user writes another one. */
export function SlugInput({ draft, onChange, ...props }: InputProps) {
  const { readTitle } = use(FormContext);
  const frame = useInputFrame(props);
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        {...frame}
        flex={1}
        value={draft === undefined ? '' : String(draft)}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
        autoComplete="off"
      />
      {readTitle && (
        <Button
          variant="default"
          flex="none"
          onClick={() => onChange(toSlug(readTitle(), props.field.constraint) || undefined)}
        >
          From the title
        </Button>
      )}
    </Group>
  );
}
