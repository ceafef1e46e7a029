/**
 * The error of a form's last action: what is wrong, each with the label of its field, and leading to it until it is changed.
 */
import { Alert, List, Text } from '@mantine/core';
import { type ReactNode, type RefObject, useRef } from 'react';
import { ApiProblem, isConflict } from '../../api.ts';
import { isWithin } from '../data/field-label.ts';
import { ProblemAlert } from '../problems/problem-alert.tsx';
import { FieldLink, focusField } from './field-link.tsx';
import type { Form, NameOf } from './use-form.ts';

/** A field that a problem is about. */
export interface FieldPlace {
  readonly label: string;
  /** Whether it was changed since. */
  readonly isChanged: boolean;
  readonly onGo: () => void;
}

/** An alert for the error, within the form. It goes once all fields that it names have changed. `placeOf` finds the field at a path. */
export function FormProblem<Fields extends { readonly name: string }, More extends string>({
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
