/**
 * Carries out the actions of a form: asks first where that has consequences, and merges with what someone else has saved meanwhile.
 */
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { type DryRun, isConflict, type Tagged } from '../../api.ts';
import { findConflicts, type TheirChanges } from '../difference/same-value.ts';
import { useAction } from './busy-button.tsx';
import type { ActionWords, FormOptions, NameOf } from './form-options.ts';
import { bodyOf, type Edit, pick } from './use-edit.ts';

/** What is done with which fields. */
export interface Tried<Fields, More extends string> {
  readonly action: More | 'save';
  readonly fields: Fields;
  /** The names of the changed fields, and what was stored when they were changed. */
  readonly names: readonly NameOf<Fields>[];
  readonly base: Fields;
  /** Once it is confirmed, nothing is asked. */
  readonly isConfirmed: boolean;
}

/** The last action, and what there is to answer before it is done. */
export interface Saving<Fields, More extends string> {
  readonly run: (wish: Tried<Fields, More>) => void;
  readonly isSaving: boolean;
  /** What was done last, and why that failed. */
  readonly tried: Tried<Fields, More> | undefined;
  readonly error: unknown;
  readonly question: { readonly action: More | 'save'; readonly found: DryRun } | undefined;
  /** Does what was asked about, or gives that up. */
  readonly answer: (isWanted: boolean) => void;
  /** What someone else has changed at the same time, where that needs a choice. */
  readonly conflict: TheirChanges | undefined;
  /** Gives up the changes of the given fields for theirs, and goes on; without names it gives that up. */
  readonly merge: (theirs: readonly string[] | undefined) => void;
}

/** The actions; `onSaved` is called when the fields are saved. */
export function useSaving<Data, Fields extends { readonly name: string }, More extends string>({
  edit,
  wordsOf,
  onSaved,
  ...options
}: FormOptions<Data, Fields, More> & {
  edit: Edit<Fields>;
  wordsOf: (action: More | 'save') => ActionWords;
  onSaved: () => void;
}): Saving<Fields, More> {
  const [question, setQuestion] = useState<Saving<Fields, More>['question']>();
  const [conflict, setConflict] = useState<TheirChanges>();

  /** Resolves to whether it was done; otherwise there is a question. */
  async function act(given: Tried<Fields, More>, seen: Tagged<Data> | undefined): Promise<boolean> {
    const { action, fields } = given;
    const wish = { action, fields, seen, isChanged: given.names.length > 0 };
    const found = given.isConfirmed ? undefined : await options.tryOut?.(wish);
    setQuestion(found && { action, found });
    if (found) return false;
    const markSaved = () => {
      onSaved();
      edit.leaveOut(fields);
    };
    if ((await options.save({ ...wish, onSaved: markSaved })) !== false) markSaved();
    return true;
  }

  /**
   * Does it on top of what someone else has saved, unless they have changed the same fields, or it does more than save: then the form shows
   * their changes before it is tried again.
   */
  async function actOnTop(given: Tried<Fields, More>): Promise<Outcome> {
    const compare = (theirs: Fields) => findTheirs({ given, theirs, toBody: options.toBody });
    const known = compare(edit.stored);
    if (known.conflicts.length > 0) return { isDone: false, theirs: known };
    try {
      return { isDone: await act(given, options.seen) };
    } catch (error) {
      const seen = isConflict(error) ? (await options.reload?.())?.data : undefined;
      if (!seen || given.action !== 'save') throw error;
      const present = options.toFields(seen.data, given.fields);
      const theirs = compare(present);
      if (theirs.conflicts.length > 0) return { isDone: false, theirs };
      const fields = { ...present, ...pick(given.fields, given.names) };
      return { isDone: await act({ ...given, fields }, seen), theirs };
    }
  }

  const saving = useAction(actOnTop, {
    onSuccess: ({ isDone, theirs }, { action }) => {
      if (theirs && theirs.conflicts.length > 0) setConflict(theirs);
      if (isDone)
        report(
          wordsOf(action).done,
          theirs?.others.map((name) => nameOf(options.labels, name)),
        );
    },
  });
  return {
    run: saving.run,
    isSaving: saving.isPending,
    tried: saving.variables,
    error: saving.error,
    question,
    answer: (isWanted) => {
      setQuestion(undefined);
      if (isWanted && saving.variables) saving.run({ ...saving.variables, isConfirmed: true });
    },
    conflict,
    merge: (theirs) => {
      setConflict(undefined);
      if (!theirs || !saving.variables) return;
      const names = edit.names.filter((name) => !theirs.includes(name));
      edit.adopt(names);
      const fields = { ...edit.stored, ...pick(edit.fields, names) };
      if (names.length > 0) saving.run({ ...saving.variables, fields, names, base: edit.stored });
    },
  };
}

interface Outcome {
  readonly isDone: boolean;
  readonly theirs?: TheirChanges;
}

/** What someone else has changed since the changes began. */
function findTheirs<Fields, More extends string>({
  given: { base, fields, names },
  theirs,
  toBody,
}: {
  given: Tried<Fields, More>;
  theirs: Fields;
  toBody: FormOptions<unknown, Fields, More>['toBody'];
}): TheirChanges {
  return findConflicts({ base: toBody(base), theirs: toBody(theirs), body: bodyOf(toBody(fields), names) });
}

/** The label of a field; that of a member without one is its name. */
export const nameOf = (labels: Readonly<Record<string, string>>, name: string): string =>
  labels[name] ?? name;

function report(done: string, others: readonly string[] = []): void {
  const theirs =
    others.length > 0 ? `. Someone else has changed ${others.join(', ')}, which you see now.` : '';
  notifications.show({ message: done + theirs });
}
