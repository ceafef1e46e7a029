/**
 * The form of an asset: the bar that saves, and its fields in columns and sections.
 */
import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  type KeyboardEvent as FormKeyEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
} from 'react';
import type { ContentType, Field } from '../../../api.ts';
import { valueAt } from '../../../parts/data/load-titles.ts';
import { arrangeFields } from '../draft/arrange-fields.ts';
import type { Draft } from '../draft/draft.ts';
import { type FormContents, FormContext } from '../draft/form-context.ts';
import { type UnsavedDraft, UnsavedOffer } from '../draft/unsaved-draft.tsx';
import type { AssetFormState } from '../draft/use-asset-form.ts';
import { Columns, FieldSections } from '../inputs/field-grid.tsx';
import { FieldInput } from '../inputs/field-input.tsx';
import { SaveBar } from './save-bar.tsx';
import { SystemFields } from './system-fields.tsx';

/** What a form shows. */
interface AssetFormProps {
  readonly type: ContentType;
  readonly form: AssetFormState;
  /** Keeps what the user throws away. */
  readonly unsaved: UnsavedDraft;
  /** What the bar says of the asset. */
  readonly state?: ReactNode;
  /** What stands between the bar and the fields. */
  readonly notices?: ReactNode;
  /** What stands beside the fields. */
  readonly side?: ReactNode;
}

/** The form, on a page or in a dialog. */
export function AssetForm({ type, form, unsaved, state, notices, side }: AssetFormProps) {
  useSaveKey(form);
  return (
    <form
      ref={form.formRef}
      onSubmit={form.submit}
      onKeyDown={keepEnter}
      noValidate
      aria-label={`${type.name} fields`}
    >
      <Stack gap="md">
        <SaveBar type={type} isNew={!form.stored} form={form} unsaved={unsaved} state={state} />
        <UnsavedOffer type={type} form={form} unsaved={unsaved} />
        {notices}
        <FormFields type={type} form={form} unsaved={unsaved} side={side} />
      </Stack>
    </form>
  );
}

/** Lets Ctrl+S, or Cmd+S, save a draft. It never publishes: where the store has no drafts, it says which button saves. */
function useSaveKey({ formRef, hasChanges, place, saveDraft }: AssetFormState): void {
  const save = useSameFunction((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    // Behind a dialog nothing is saved.
    const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1);
    if (!hasChanges || (dialog && !dialog.contains(formRef.current))) return;
    if (place.release !== null) saveDraft();
    else notifications.show({ message: 'Not saved: this store has no drafts. "Publish" saves.' });
  });
  useEffect(() => {
    window.addEventListener('keydown', save);
    return () => window.removeEventListener('keydown', save);
  }, [save]);
}

/** Keeps Enter in an input from submitting the form. Forms in dialogs above it keep it for themselves. */
function keepEnter(event: FormKeyEvent<HTMLFormElement>): void {
  const { target, currentTarget } = event;
  if (event.key === 'Enter' && target instanceof HTMLInputElement && target.form === currentTarget)
    event.preventDefault();
}

function FormFields({
  type,
  form,
  unsaved,
  side,
}: Pick<AssetFormProps, 'type' | 'form' | 'unsaved' | 'side'>) {
  const { draft, messages, stored } = form;
  const context = useFormContents(type, form, useSameFunction(unsaved.keepRemoved));
  const change = useSameFunction(form.change);
  const places = useMemo(() => arrangeFields(type), [type]);
  const draw = (field: Field) => (
    <FormField key={field.name} field={field} draft={draft[field.name]} onChange={change} />
  );
  return (
    <FormContext value={context}>
      <Columns
        main={<FieldSections groups={places.main} draw={draw} />}
        side={
          <>
            {places.side.map(draw)}
            {places.system.length > 0 && (
              <SystemFields
                asset={stored?.data}
                isWrong={places.system.some(({ name }) => messages.has(name))}
              >
                {places.system.map(draw)}
              </SystemFields>
            )}
            {side}
          </>
        }
      />
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
  keepRemoved: UnsavedDraft['keepRemoved'],
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
      keepRemoved,
      messageAt: (path: string) => known.get(path),
      hasMessageWithin: (path: string) => [...known.keys()].some((other) => other.startsWith(`${path}.`)),
      readTitle: () => String(latest.current.title ?? ''),
    };
  }, [shapes, target, keepRemoved, text]);
}

/** A function that stays the same, and calls the one of the last render. */
function useSameFunction<Arguments extends unknown[]>(act: (...given: Arguments) => void) {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useCallback((...given: Arguments) => latest.current(...given), []);
}
