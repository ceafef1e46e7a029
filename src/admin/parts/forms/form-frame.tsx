/**
 * The frame of a form for a stored resource: its bar, what the browser has kept of it, the questions before a save, and the one before it is
 * left.
 */
import { Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ConfirmChange } from '../confirm/consequences.tsx';
import { UnsavedFields } from '../unsaved/unsaved-fields.tsx';
import { BusyButton } from './busy-button.tsx';
import { FormBar, SaveState } from './form-bar.tsx';
import { type FieldPlace, FormProblem } from './form-problem.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import type { Form } from './use-form.ts';
import { nameOf } from './use-saving.ts';

/** What the frames of all forms are given. */
interface FrameProps<Fields extends { readonly name: string }, More extends string> {
  readonly form: Form<Fields, More>;
  /** What the form is of, such as `Webhook`. */
  readonly label: string;
  /** When the resource was last changed; absent of a new one. */
  readonly savedAt: number | undefined;
  /** Who has saved the resource, when another user has changed it. */
  readonly lastSave?: ReactNode;
  readonly children: ReactNode;
}

/** The form, whose main button saves it; `children` are its fields. */
export function FormFrame<Fields extends { readonly name: string }>({
  isReadOnly = false,
  ...frame
}: FrameProps<Fields, never> & { isReadOnly?: boolean }) {
  const { form, label, savedAt, children } = frame;
  return (
    <form onSubmit={form.submit} noValidate aria-label={label}>
      {!isReadOnly && (
        <FormHead {...frame} state={<SaveState isChanged={form.isChanged} savedAt={savedAt} />}>
          <BusyButton isBusy={form.isSaving} variant={form.isChanged || form.isNew ? 'filled' : 'default'}>
            {form.action}
          </BusyButton>
        </FormHead>
      )}
      <Stack maw={640} mt="md">
        {!isReadOnly && <UnsavedFields form={form} />}
        {children}
      </Stack>
    </form>
  );
}

/** The bar of a form with its state and its buttons, `children`, what went wrong, and its questions. */
export function FormHead<Fields extends { readonly name: string }, More extends string>({
  form,
  state,
  placeOf,
  lastSave,
  children,
}: Pick<FrameProps<Fields, More>, 'form' | 'lastSave' | 'children'> & {
  state: ReactNode;
  placeOf?: ((path: string) => FieldPlace | undefined) | undefined;
}) {
  const { question, conflict } = form;
  return (
    <>
      <LeaveGuard isChanged={form.isChanged} />
      <FormBar state={state} problems={<FormProblem form={form} placeOf={placeOf} lastSave={lastSave} />}>
        {children}
      </FormBar>
      <ConfirmChange
        question={question && { found: question.found, ...titlesOf(form, question.action) }}
        onClose={() => form.answer(false)}
        onConfirm={() => form.answer(true)}
      />
      {conflict && (
        <MergeDialog
          changes={conflict}
          labelOf={(name) => nameOf(form.labels, name)}
          lastSave={lastSave}
          onClose={() => form.merge(undefined)}
          onMerge={form.merge}
        >
          {(field, side) => <SettingValue value={field[side]} />}
        </MergeDialog>
      )}
    </>
  );
}

function titlesOf<Fields, More extends string>({ wordsOf }: Form<Fields, More>, action: More | 'save') {
  const { question, confirm } = wordsOf(action);
  return { title: question, action: confirm };
}

/** The value of a setting in words, or as JSON. */
function SettingValue({ value }: { value: unknown }) {
  if (value === undefined || value === '') return <Text size="sm">No value</Text>;
  if (typeof value === 'boolean') return <Text size="sm">{value ? 'On' : 'Off'}</Text>;
  const items = Array.isArray(value) ? value : [value];
  if (items.every((item) => typeof item !== 'object'))
    return (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {items.join(', ') || 'None'}
      </Text>
    );
  return <Code block>{JSON.stringify(value, null, 2)}</Code>;
}
