/**
 * The list beside a form that leads to its fields, and shows which ones have changed or are wrong.
 */
import { Anchor, Stack, Text } from '@mantine/core';
import type { ContentType } from '../../../api.ts';
import { isWithin, labelOf } from '../../../parts/data/field-label.ts';
import type { AssetFormState } from '../draft/use-asset-form.ts';

/** The list; on a small screen there is no room for it. */
export function FieldJumps({ type, form }: { type: ContentType; form: AssetFormState }) {
  const { messages, changed, goTo } = form;
  const wrong = [...messages.keys()];
  const stateOf = (name: string) => {
    if (wrong.some((path) => isWithin(path, name))) return 'to fix';
    return changed.has(name) ? 'changed' : '';
  };
  return (
    <Stack
      component="nav"
      aria-label="Fields"
      visibleFrom="md"
      gap={4}
      w={180}
      pos="sticky"
      top={72}
      mah="calc(100vh - 160px)"
      style={{ overflowY: 'auto', flex: 'none' }}
    >
      {type.fields.map((field) => {
        const state = stateOf(field.name);
        return (
          <Text key={field.name} size="sm" component="div">
            <Anchor component="button" type="button" size="sm" ta="left" onClick={() => goTo(field.name)}>
              {labelOf(field)}
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
  );
}
