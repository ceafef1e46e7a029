/**
 * The state of a form for a stored resource. Changes are kept apart from the stored fields until they are saved; when the
 * resource is read again, the form shows the new fields with the unsaved changes on top. The browser keeps the changes, too.
 */
import { notifications } from '@mantine/notifications';
import { type SyntheticEvent, useMemo, useState } from 'react';
import type { DryRun } from '../../api.ts';
import { type Unsaved, useUnsaved } from '../unsaved/use-unsaved.ts';
import { errorAt } from './error-at.ts';
import { useAction } from './use-action.ts';

/** A form, and what its fields need to know. */
export interface Form<Fields> {
  readonly stored: Fields;
  readonly fields: Fields;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Why the last save failed. */
  readonly error: unknown;
  readonly change: (fields: Partial<Fields>) => void;
  /** What the last save found wrong with a field, until it is changed. */
  readonly errorOf: (field: keyof Fields & string) => string | undefined;
  readonly submit: (event: SyntheticEvent) => void;
  /** What the last submit would do, to be asked about before it is done. */
  readonly question: DryRun | undefined;
  /** Saves what was asked about, or gives that up. */
  readonly answer: (isWanted: boolean) => void;
  /** Shows what is stored now, and offers the changes again. */
  readonly startOver: () => Promise<void>;
  readonly unsaved: Unsaved;
}

/** What the browser keeps of a form: the changed fields, and what was stored in all fields when they were typed. */
export interface KeptFields<Fields> {
  readonly stored: Fields;
  readonly changes: Partial<Fields>;
}

/** Makes a form; `place` names it among all that the user can edit, `save` may fail, `tryOut` finds the questions to ask before it, `reload` reads the stored fields again. */
export function useForm<Fields extends { readonly name: string }>({
  stored,
  place,
  save,
  tryOut,
  reload,
}: {
  stored: Fields;
  place: string;
  save: (fields: Fields) => Promise<void>;
  tryOut?: ((fields: Fields) => Promise<DryRun | undefined>) | undefined;
  reload?: (() => Promise<unknown>) | undefined;
}): Form<Fields> {
  const [changes, setChanges] = useState<Partial<Fields>>({});
  const fields = { ...stored, ...changes };
  const isChanged = Object.keys(changes).length > 0;
  const kept = useMemo(
    (): KeptFields<Fields> | undefined => (isChanged ? { stored, changes } : undefined),
    [changes],
  );
  const unsaved = useUnsaved(place, kept);
  const [question, setQuestion] = useState<DryRun>();
  async function submit(given: Submitted<Fields>): Promise<boolean> {
    const found = given.isConfirmed ? undefined : await tryOut?.(given.fields);
    setQuestion(found);
    if (!found) await save(given.fields);
    return found === undefined;
  }
  const saving = useAction(submit, {
    onSuccess: (isSaved, given) => {
      if (!isSaved) return;
      unsaved.forget();
      // What was typed during the save is not saved yet.
      setChanges((before) => leaveOut(before, given.fields));
      notifications.show({ message: `Saved ${fields.name}` });
    },
  });
  return {
    stored,
    unsaved,
    fields,
    isChanged,
    isSaving: saving.isPending,
    error: saving.error,
    change: (some) => setChanges((before) => ({ ...before, ...some })),
    errorOf: (field) =>
      saving.variables?.fields[field] === fields[field] ? errorAt(saving.error, field) : undefined,
    submit: (event) => {
      event.preventDefault();
      saving.run({ fields, isConfirmed: false });
    },
    question,
    answer: (isWanted) => {
      setQuestion(undefined);
      if (isWanted) saving.run({ fields, isConfirmed: true });
    },
    startOver: async () => {
      unsaved.setAside();
      await reload?.();
      setChanges({});
      saving.reset();
    },
  };
}

/** Leaves out the changes that were saved. */
function leaveOut<Fields>(changes: Partial<Fields>, saved: Fields): Partial<Fields> {
  const open = Object.entries(changes).filter(([name, value]) => saved[name as keyof Fields] !== value);
  // Safe: these are members of the changes.
  return Object.fromEntries(open) as Partial<Fields>;
}

/** What a submit is about; once it is confirmed, nothing is asked. */
interface Submitted<Fields> {
  readonly fields: Fields;
  readonly isConfirmed: boolean;
}
