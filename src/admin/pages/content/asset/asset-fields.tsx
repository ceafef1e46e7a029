/**
 * The form of an asset: its fields in groups, a list that leads to each of them, and the bar that saves.
 */
import { Anchor, Box, Group, Stack, Text, Title } from '@mantine/core';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ContentType, Field } from '../../../api.ts';
import { valueAt } from '../../../parts/data/asset-titles.ts';
import { isSystemField, isWithin, labelOf, toWords } from '../../../parts/data/field-label.ts';
import type { Draft } from '../draft/draft.ts';
import { type FormContents, FormContext } from '../draft/form-context.ts';
import type { AssetFormState } from '../draft/use-asset-form.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import { SaveBar } from './save-bar.tsx';
import { SystemFields } from './system-fields.tsx';

/** The form. Ctrl+S, or Cmd+S, saves. */
export function AssetFields({ type, form }: { type: ContentType; form: AssetFormState }) {
  const { formRef, submit } = form;
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      // Behind a dialog nothing is saved.
      if (!document.querySelector('[role="dialog"]')) formRef.current?.requestSubmit();
    };
    window.addEventListener('keydown', save);
    return () => window.removeEventListener('keydown', save);
  }, [formRef]);
  return (
    <Group align="flex-start" wrap="nowrap" gap="lg">
      <Box flex={1} miw={0}>
        <form ref={formRef} onSubmit={submit} noValidate aria-label={`${type.name} fields`}>
          <Stack gap="md">
            <FormFields type={type} form={form} />
            <SaveBar type={type} isNew={!form.stored} form={form} />
          </Stack>
        </form>
      </Box>
      <FieldJumps type={type} form={form} />
    </Group>
  );
}

/** The fields of a form; those that Colophon defines come last. */
export function FormFields({ type, form }: { type: ContentType; form: AssetFormState }) {
  const { draft, messages } = form;
  const context = useFormContents(type, form);
  const change = useSameFunction(form.change);
  const draw = (field: Field) => (
    <FormField key={field.name} field={field} draft={draft[field.name]} onChange={change} />
  );
  const system = type.fields.filter(isSystemField);
  const isSystemWrong = system.some(({ name }) => messages.has(name));
  return (
    <FormContext value={context}>
      {groupFields(type).map(({ name, fields }) => (
        <Stack key={name ?? ''} gap="md">
          {name !== undefined && (
            <Title order={2} size="h4">
              {name}
            </Title>
          )}
          {fields.map(draw)}
        </Stack>
      ))}
      {system.length > 0 && <SystemFields isWrong={isSystemWrong}>{system.map(draw)}</SystemFields>}
    </FormContext>
  );
}

/** One field. It is rendered again only when its draft or a message changes. */
const FormField = memo(function FormField({
  field,
  draft,
  onChange,
}: {
  field: Field;
  draft: Draft;
  onChange: (name: string, value: Draft) => void;
}) {
  return (
    <FieldInput
      field={field}
      path={field.name}
      draft={draft}
      onChange={(value) => onChange(field.name, value)}
    />
  );
});

/** The context; it stays the same while the messages do, since every input reads it. */
function useFormContents(
  type: ContentType,
  { shapes, messages, target, draft }: AssetFormState,
): FormContents {
  const text = JSON.stringify([...messages]);
  const latest = useRef({ messages, title: valueAt(draft, type.titleField) });
  useEffect(() => {
    latest.current = { messages, title: valueAt(draft, type.titleField) };
  });
  return useMemo(() => {
    const known = new Map<string, string>(JSON.parse(text));
    return {
      shapes,
      target,
      messageAt: (path: string) => known.get(path),
      hasMessageWithin: (path: string) => [...known.keys()].some((other) => other.startsWith(`${path}.`)),
      readTitle: () => String(latest.current.title ?? ''),
    };
  }, [shapes, target, text]);
}

/** A function that stays the same, and calls the one of the last render. */
function useSameFunction<Arguments extends unknown[]>(act: (...given: Arguments) => void) {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Arguments) => latest.current(...given), []);
}

/** The list; on a small screen there is no room for it. */
function FieldJumps({ type, form }: { type: ContentType; form: AssetFormState }) {
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
      top="calc(var(--app-shell-header-height, 56px) + 16px)"
      mah="calc(100vh - var(--app-shell-header-height, 56px) - 104px)"
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

/** Fields under one heading; the first group has none. */
interface FieldGroup {
  readonly name: string | undefined;
  readonly fields: readonly Field[];
}

/** Groups fields by their names before the last dot, as `seo` in `seo.title`; those without a dot come first. */
function groupFields({ fields }: Pick<ContentType, 'fields'>): FieldGroup[] {
  const groups = new Map<string, Field[]>([['', []]]);
  for (const field of fields) {
    if (isSystemField(field)) continue;
    const prefix = field.name.split('.').slice(0, -1).join('.');
    const known = groups.get(prefix);
    if (known) known.push(field);
    else groups.set(prefix, [field]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([prefix, members]) => ({ name: prefix === '' ? undefined : toWords(prefix), fields: members }));
}
