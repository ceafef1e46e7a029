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
  async function act(
    given: Tried<Fields, More>,
    fields: Fields,
    seen: Tagged<Data> | undefined,
  ): Promise<boolean> {
    const { action } = given;
    const wish = { action, fields, seen, isChanged: given.names.length > 0 };
    const found = given.isConfirmed ? undefined : await options.tryOut?.(wish);
    setQuestion(found && { action, found });
    if (found) return false;
    const markSaved = () => {
      onSaved();
      edit.leaveOut(given.fields);
    };
    if ((await options.save({ ...wish, onSaved: markSaved })) !== false) markSaved();
    return true;
  }

  /**
   * Does it on top of what someone else has saved, unless they have changed the same fields, or it does more than save: then the form shows
   * their changes before it is tried again.
   */
  async function actOnTop(given: Tried<Fields, More>): Promise<Outcome> {
    const known = mergeOnto(edit.stored, given, options);
    if (known.conflicts.length > 0) return { isDone: false, theirs: known };
    try {
      return { isDone: await act(given, known.fields, options.seen) };
    } catch (error) {
      const seen = isConflict(error) ? (await options.reload?.())?.data : undefined;
      if (!seen) throw error;
      const present = options.toFields(seen.data, given.fields);
      const theirs = mergeOnto(present, given, options);
      if (theirs.conflicts.length > 0) return { isDone: false, theirs };
      if (given.action !== 'save') {
        edit.adopt(present, pick(theirs.fields, given.names));
        throw error;
      }
      return { isDone: await act(given, theirs.fields, seen), theirs };
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
      const changes = pick(edit.fields, names);
      edit.adopt(edit.stored, changes);
      const fields = { ...edit.stored, ...changes };
      if (names.length > 0) saving.run({ ...saving.variables, fields, names, base: edit.stored });
    },
  };
}

interface Outcome {
  readonly isDone: boolean;
  readonly theirs?: TheirChanges;
}

/** What someone else has changed since the changes began, and the fields with the changes of both. */
function mergeOnto<Fields extends object, More extends string>(
  theirs: Fields,
  { base, fields: mine, names }: Tried<Fields, More>,
  { toBody, mergeParts }: Pick<FormOptions<never, Fields, More>, 'toBody' | 'mergeParts'>,
): TheirChanges & { readonly fields: Fields } {
  const merged = mergeParts?.({ base, theirs, mine }) ?? {};
  const inParts = names.filter((name) => name in merged);
  const fields = { ...theirs, ...pick(mine, names), ...pick(merged, inParts) };
  // What is merged is a change of their state.
  const began = { ...base, ...pick(theirs, inParts) };
  const body = bodyOf(toBody(fields), names);
  return { ...findConflicts({ base: toBody(began), theirs: toBody(theirs), body }), fields };
}

/** The label of a field; that of a member without one is its name. */
export const nameOf = (labels: Readonly<Record<string, string>>, name: string): string =>
  labels[name] ?? name;

function report(done: string, others: readonly string[] = []): void {
  const theirs =
    others.length > 0 ? `. Someone else has changed ${others.join(', ')}, which you see now.` : '';
  notifications.show({ message: done + theirs });
}
