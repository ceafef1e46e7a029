/**
 * A list of the fields of a form, which leads to each of them and marks those that have changed or are wrong.
 */
import { ActionIcon, Anchor, Popover, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ContentType } from '../../../api.ts';
import { fullLabelOf, isWithin } from '../../../parts/data/field-label.ts';
import { BulletListIcon } from '../../../parts/layout/icons.ts';
import { arrangeFields } from '../draft/arrange-fields.ts';
import type { AssetFormState } from '../draft/use-asset-form.ts';

/** A button that opens the list, in the order of the form. On a small screen there is no room for it. */
export function FieldJumps({ type, form }: { type: ContentType; form: AssetFormState }) {
  const [isOpen, setOpen] = useState(false);
  const { messages, changed, goTo } = form;
  const wrong = [...messages.keys()];
  const stateOf = (name: string) => {
    if (wrong.some((path) => isWithin(path, name))) return 'to fix';
    return changed.has(name) ? 'changed' : '';
  };
  const { main, side, system } = arrangeFields(type);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          visibleFrom="md"
          aria-label="Fields"
          title="Fields"
          onClick={() => setOpen(!isOpen)}
        >
          <BulletListIcon size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label="Go to a field">
        <Stack component="nav" aria-label="Fields" gap={4} mah="60vh" style={{ overflowY: 'auto' }}>
          {[...main.flatMap(({ fields }) => fields), ...side, ...system].map((field) => {
            const state = stateOf(field.name);
            return (
              <Text key={field.name} size="sm" component="div">
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  ta="left"
                  onClick={() => {
                    setOpen(false);
                    goTo(field.name);
                  }}
                >
                  {fullLabelOf(field)}
                </Anchor>{' '}
                {state !== '' && (
                  <Text span size="xs" c={state === 'to fix' ? 'var(--mantine-color-error)' : 'dimmed'}>
                    {state}
                  </Text>
                )}
              </Text>
            );
          })}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
