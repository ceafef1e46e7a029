/**
 * The fields that Colophon defines for every type. They are read-only until the user wants to change them.
 */
import { Button, Fieldset, Stack, Text } from '@mantine/core';
import { type ReactNode, use, useMemo, useState } from 'react';
import { FormContext } from '../draft/form-context.ts';

/** The fields apart from the others; open for changes at once if something is wrong in them. */
export function SystemFields({ isWrong, children }: { isWrong: boolean; children: ReactNode }) {
  const [isWanted, setIsWanted] = useState(false);
  const isOpen = isWanted || isWrong;
  const form = use(FormContext);
  const context = useMemo(() => ({ ...form, isReadOnly: !isOpen }), [form, isOpen]);
  return (
    <Fieldset legend="System fields">
      <Stack gap="sm">
        <Text size="xs">Colophon sets the dates by itself.</Text>
        {!isOpen && (
          <Button
            variant="default"
            size="xs"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => setIsWanted(true)}
          >
            Edit system fields
          </Button>
        )}
        <fieldset disabled={!isOpen} style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
          <FormContext value={context}>
            <Stack gap="sm">{children}</Stack>
          </FormContext>
        </fieldset>
      </Stack>
    </Fieldset>
  );
}
