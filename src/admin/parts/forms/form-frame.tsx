/**
 * The frame of a form for a stored resource: its bar, what the browser has kept of it, the questions before a save, and the one before it is
 * left.
 */
import { Alert, Code, List, Stack, Text } from '@mantine/core';
import { type ReactNode, type RefObject, use, useEffect, useEffectEvent, useRef } from 'react';
import { ApiProblem, isConflict } from '../../api.ts';
import { ConfirmChange } from '../confirm/consequences.tsx';
import { isWithin } from '../data/field-label.ts';
import { OpenTab } from '../layout/page-tabs.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { UnsavedFields } from '../unsaved/unsaved-strip.tsx';
import { BusyButton } from './busy-button.tsx';
import { FieldLink, focusField } from './field-link.tsx';
import { FormBar, LeaveGuard, SaveState } from './form-bar.tsx';
import type { NameOf } from './form-options.ts';
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

/** A field that a problem is about. */
interface FieldPlace {
  readonly label: string;
  /** Whether it was changed since. */
  readonly isChanged: boolean;
  readonly onGo: () => void;
}

/** An alert for the error, within the form. It goes once all fields that it names have changed. `placeOf` finds the field at a path. */
function FormProblem<Fields extends { readonly name: string }, More extends string>({
  form,
  placeOf,
  lastSave,
}: {
  form: Form<Fields, More>;
  placeOf?: ((path: string) => FieldPlace | undefined) | undefined;
  /** Who has saved it, when another user has changed it. */
  lastSave: ReactNode;
}) {
  const alert = useRef<HTMLDivElement>(null);
  const { error, tried } = form;
  // The button is in the bar of the page, in view on other tabs as well.
  const openTab = useEffectEvent(use(OpenTab));
  useEffect(() => {
    if (error) openTab();
  }, [error]);
  if (!error || !tried) return null;
  if (isConflict(error)) return <OthersChanges lastSave={lastSave} />;
  const title = form.wordsOf(tried.action).failed;
  const find = placeOf ?? ((path: string) => placeIn(form, path, alert));
  const problems = error instanceof ApiProblem ? error.problems : [];
  const placed = problems.flatMap((problem) => {
    const place = find(problem.path);
    return place ? [{ ...problem, place }] : [];
  });
  if (placed.length === 0 || placed.length < problems.length)
    return <ProblemAlert error={error} title={title} nameOf={(path) => find(path)?.label ?? path} />;
  const open = placed.filter(({ place }) => !place.isChanged);
  if (open.length === 0) return null;
  return (
    <Alert ref={alert} color="red" variant="light" title={title} role="alert">
      <List size="sm">
        {open.map(({ place, path, message, line, column }) => (
          <List.Item key={`${path} ${line} ${column} ${message}`}>
            <FieldLink label={place.label} onGo={place.onGo} /> {message}
            {line !== undefined && ` (line ${line}, column ${column})`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The field of a form at a path. */
function placeIn<Fields, More extends string>(
  { labels, errorOf }: Form<Fields, More>,
  path: string,
  alert: RefObject<HTMLElement | null>,
): FieldPlace | undefined {
  // Safe: the members of the labels are the names of the fields.
  const name = Object.keys(labels).find((each) => isWithin(path, each)) as NameOf<Fields> | undefined;
  if (name === undefined) return undefined;
  const field = () =>
    alert.current?.closest('form')?.querySelector<HTMLElement>(`[data-path~="${name}"]`) ?? null;
  return {
    label: labels[name],
    isChanged: errorOf(name) === undefined,
    onGo: () => focusField(field()),
  };
}

/** Says why nothing was done; the form shows what was saved. */
function OthersChanges({ lastSave }: { lastSave: ReactNode }) {
  return (
    <Alert color="red" variant="light" title="Someone else has changed this" role="alert">
      {lastSave}
      <Text size="sm">Nothing was done. The form shows their changes, and yours on top: try again.</Text>
    </Alert>
  );
}
