/**
 * The form of an asset: its fields in groups, a list that leads to each of them, and the bar that saves.
 */
import { Box, Group, Stack, Title } from '@mantine/core';
import { memo, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ContentType, Field } from '../../../api.ts';
import { isSystemField } from '../../../parts/data/field-label.ts';
import type { Draft } from '../draft/draft.ts';
import { type FormContents, FormContext } from '../draft/form-context.ts';
import type { AssetFormState } from '../draft/use-asset-form.ts';
import { FieldInput } from '../inputs/field-input.tsx';
import { FieldJumps } from './field-jumps.tsx';
import { groupFields } from './group-fields.ts';
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
  const latest = useRef({ messages, title: draft[type.titleField ?? ''] });
  useEffect(() => {
    latest.current = { messages, title: draft[type.titleField ?? ''] };
  });
  return useMemo(() => {
    const known = new Map<string, string>(JSON.parse(text));
    return {
      shapes,
      target,
      messageAt: (path: string) => known.get(path),
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
