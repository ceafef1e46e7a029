/**
 * The frame of a form for a stored resource: its bar, what the browser has kept of it, and the question before it is left.
 */
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { UnsavedFields } from '../unsaved/unsaved-fields.tsx';
import { BusyButton } from './busy-button.tsx';
import { FormBar, SaveState } from './form-bar.tsx';
import { type FormLabels, FormProblem } from './form-problem.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import type { Form } from './use-form.ts';

/** The form; `action` is on its main button, `children` are its fields. */
export function FormFrame<Fields extends { readonly name: string }>({
  form,
  labels,
  label,
  action,
  savedAt,
  lastSave,
  isReadOnly = false,
  children,
}: {
  form: Form<Fields>;
  labels: FormLabels<Fields>;
  /** What the form is of, such as `Webhook`. */
  label: string;
  action: string;
  /** When the resource was last changed; absent of a new one. */
  savedAt: number | undefined;
  /** Who has saved the resource, when another user has changed it. */
  lastSave?: ReactNode;
  isReadOnly?: boolean;
  children: ReactNode;
}) {
  return (
    <form onSubmit={form.submit} noValidate aria-label={label}>
      <LeaveGuard isChanged={form.isChanged} />
      {!isReadOnly && (
        <FormBar
          state={<SaveState isChanged={form.isChanged} savedAt={savedAt} />}
          problems={<FormProblem form={form} labels={labels} lastSave={lastSave} />}
        >
          <BusyButton
            isBusy={form.isSaving}
            variant={form.isChanged || savedAt === undefined ? 'filled' : 'default'}
          >
            {action}
          </BusyButton>
        </FormBar>
      )}
      <Stack maw={640} mt="md">
        {!isReadOnly && <UnsavedFields form={form} labels={labels} />}
        {children}
      </Stack>
    </form>
  );
}
