/**
 * The state of a form for a stored resource: what is typed, its saves, and what the fields are told. The browser keeps what is typed, too.
 *
 * A save on top of what someone else has saved meanwhile keeps their changes of other fields, and asks about those of the same ones.
 */
import { type ChangeEvent, type SyntheticEvent, useMemo } from 'react';
import { isSameValue } from '../difference/same-value.ts';
import { type Unsaved, useUnsaved } from '../unsaved/use-unsaved.ts';
import { errorAt } from './error-at.ts';
import type { ActionWords, FormLabels, FormOptions, NameOf } from './form-options.ts';
import { type Edit, pick, useEdit } from './use-edit.ts';
import { type Saving, useSaving } from './use-saving.ts';

/** A form, and what its fields need to know. */
export interface Form<Fields, More extends string = never>
  extends Pick<Edit<Fields>, 'stored' | 'fields' | 'change'>,
    Omit<Saving<Fields, More>, 'run'> {
  readonly labels: FormLabels<Fields>;
  readonly action: string;
  readonly wordsOf: (action: More | 'save') => ActionWords;
  readonly isNew: boolean;
  readonly isChanged: boolean;
  /** What the last action found wrong with a field, until it is changed. */
  readonly errorOf: (field: NameOf<Fields>) => string | undefined;
  /** The properties of the input of a field. */
  readonly input: <Name extends NameOf<Fields>>(name: Name) => InputProps<Fields[Name]>;
  /** The properties of the input of a text. */
  readonly text: (name: NameOf<Fields>) => TextProps;
  readonly run: (action: More | 'save') => void;
  readonly submit: (event: SyntheticEvent) => void;
  readonly unsaved: Unsaved;
  /** Keeps what is changed, and what a field has now, and offers that again with a title that says why. */
  readonly setAside: (title: string, name: NameOf<Fields>) => void;
}

/** The properties of an input that tells its value. */
export interface InputProps<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly error: string | undefined;
  readonly 'data-path': string;
}

type TextProps = Omit<InputProps<string>, 'onChange'> & {
  readonly onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
};

/** What the browser keeps of a form: the changed fields, and what was stored in all fields when they were typed. */
export interface KeptFields<Fields> {
  readonly stored: Fields;
  readonly changes: Partial<Fields>;
  /** What the user has thrown away; absent of what was typed and not saved. */
  readonly thrownAway?: string;
}

/** Makes a form. */
export function useForm<Data, Fields extends { readonly name: string }, More extends string = never>(
  options: FormOptions<Data, Fields, More>,
): Form<Fields, More> {
  const { labels, action, words, seen } = options;
  const edit = useEdit(options);
  const { stored, fields, names, base, change } = edit;
  const isChanged = names.length > 0;
  const kept = useMemo(
    (): KeptFields<Fields> | undefined =>
      isChanged ? { stored: base, changes: pick(fields, names) } : undefined,
    [edit.changes],
  );
  const unsaved = useUnsaved(options.place, kept);
  const wordsOf = (given: More | 'save') =>
    words?.[given] ?? {
      done: `Saved ${fields.name}`,
      failed: 'Not saved',
      question: `${action}?`,
      confirm: `${action} anyway`,
    };
  const saving = useSaving({ ...options, edit, wordsOf, onSaved: unsaved.forget });
  const run = (given: More | 'save') =>
    saving.run({ action: given, fields, names, base, isConfirmed: false });
  const { tried, error } = saving;
  const errorOf = (name: NameOf<Fields>) =>
    tried && isSameValue(tried.fields[name], fields[name]) ? errorAt(error, name) : undefined;
  return {
    ...saving,
    ...toInputs({ fields, change, errorOf }),
    labels,
    action,
    wordsOf,
    stored,
    fields,
    change,
    isNew: seen === undefined,
    isChanged,
    errorOf,
    run,
    submit: (event) => {
      event.preventDefault();
      run('save');
    },
    unsaved,
    setAside: (thrownAway, name) =>
      unsaved.setAside({ stored: base, changes: pick(fields, [...names, name]), thrownAway }),
  };
}

/** The properties of inputs. */
function toInputs<Fields>({
  fields,
  change,
  errorOf,
}: Pick<Form<Fields>, 'fields' | 'change' | 'errorOf'>): Pick<Form<Fields>, 'input' | 'text'> {
  // Safe: the object has the one field of that name.
  const set = (name: NameOf<Fields>, value: unknown) => change({ [name]: value } as Partial<Fields>);
  const at = (name: NameOf<Fields>) => ({ error: errorOf(name), 'data-path': name });
  return {
    input: (name) => ({ ...at(name), value: fields[name], onChange: (value) => set(name, value) }),
    text: (name) => ({
      ...at(name),
      value: String(fields[name] ?? ''),
      onChange: ({ currentTarget: { value } }) => set(name, value),
    }),
  };
}
