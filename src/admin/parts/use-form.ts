/**
 * A form over something stored: what was changed stands apart, until a save has taken it.
 *
 * When the stored state is read anew, the form shows it, with the unsaved changes on top.
 */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { errorAt } from './error-at.ts';

/** A form, and what its fields need to know. */
export interface Form<Fields> {
  readonly fields: Fields;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Why the last save failed. */
  readonly error: unknown;
  readonly change: (fields: Partial<Fields>) => void;
  /** What the last save found wrong with a field, until it is changed. */
  readonly errorOf: (field: keyof Fields & string) => string | undefined;
  readonly submit: (event: SyntheticEvent) => void;
  /** Gives up the changes for what is stored now. */
  readonly startOver: () => Promise<void>;
}

/** Makes a form; `save` may fail, `reload` reads the stored fields again. */
export function useForm<Fields extends { readonly name: string }>({
  stored,
  save,
  reload,
}: {
  stored: Fields;
  save: (fields: Fields) => Promise<void>;
  reload?: (() => Promise<unknown>) | undefined;
}): Form<Fields> {
  const [changes, setChanges] = useState<Partial<Fields>>({});
  const fields = { ...stored, ...changes };
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => {
      setChanges({});
      notifications.show({ message: `${fields.name} is saved` });
    },
  });
  return {
    fields,
    isChanged: Object.keys(changes).length > 0,
    isSaving: saving.isPending,
    error: saving.error,
    change: (some) => setChanges((before) => ({ ...before, ...some })),
    errorOf: (field) =>
      saving.variables?.[field] === fields[field] ? errorAt(saving.error, field) : undefined,
    submit: (event) => {
      event.preventDefault();
      if (!saving.isPending) saving.mutate(fields);
    },
    startOver: async () => {
      await reload?.();
      setChanges({});
      saving.reset();
    },
  };
}
