/**
 * The error of a form's save: what is wrong, each with the label of its field, and leading to it until it is changed.
 */
import { Alert, List } from '@mantine/core';
import { type ReactNode, use, useEffect, useEffectEvent, useRef } from 'react';
import { ApiProblem } from '../../api.ts';
import { isWithin } from '../data/field-label.ts';
import { OpenTab } from '../layout/page-tabs.tsx';
import { FieldLink } from './field-link.tsx';
import { focusField } from './focus-field.ts';
import { SaveProblem } from './save-problem.tsx';
import type { Form } from './use-form.ts';

/** The labels of the fields; each field has its name as `data-path`. */
export type FormLabels<Fields> = Readonly<Record<keyof Fields & string, string>>;

/** An alert for the error of the last save, within the form. It goes once all fields that it names have changed. */
export function FormProblem<Fields extends { readonly name: string }>({
  form: { error, errorOf, startOver },
  labels,
  lastSave,
}: {
  form: Form<Fields>;
  labels: FormLabels<Fields>;
  /** Who has saved it, when another user has changed it. */
  lastSave: ReactNode;
}) {
  const alert = useRef<HTMLDivElement>(null);
  // The button is in the bar of the page, in view on other tabs as well.
  const openTab = useEffectEvent(use(OpenTab));
  useEffect(() => {
    if (error) openTab();
  }, [error]);
  const goTo = (name: string) =>
    focusField(alert.current?.closest('form')?.querySelector(`[data-path~="${name}"]`) ?? null);
  // Safe: the members of the labels are the names of the fields.
  const names = Object.keys(labels) as (keyof Fields & string)[];
  const problems = error instanceof ApiProblem ? error.problems : [];
  const placed = problems.flatMap((problem) => {
    const name = names.find((each) => isWithin(problem.path, each));
    return name === undefined ? [] : [{ ...problem, name }];
  });
  if (placed.length === 0 || placed.length < problems.length) {
    return <SaveProblem error={error} lastSave={lastSave} onReload={startOver} />;
  }
  const open = placed.filter(({ name }) => errorOf(name) !== undefined);
  if (open.length === 0) return null;
  return (
    <Alert ref={alert} color="red" variant="light" title="Not saved" role="alert">
      <List size="sm">
        {open.map(({ name, path, message, line, column }) => (
          <List.Item key={`${path} ${line} ${column} ${message}`}>
            <FieldLink label={labels[name]} onGo={() => goTo(name)} /> {message}
            {line !== undefined && ` (line ${line}, column ${column})`}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}
