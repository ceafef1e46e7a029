/**
 * The state of a form for a stored resource: what is typed, its saves, and what the fields are told. The browser keeps what is typed, too.
 *
 * A save on top of what someone else has saved meanwhile keeps their changes of other fields, and asks about those of the same ones.
 */
import { type ChangeEvent, type SyntheticEvent, useMemo } from 'react';
import type { DryRun, Tagged } from '../../api.ts';
import { isSameValue, type Members } from '../difference/same-value.ts';
import { type Unsaved, useUnsaved } from '../unsaved/use-unsaved.ts';
import { errorAt } from './error-at.ts';
import { type Edit, pick, useEdit } from './use-edit.ts';
import { type Saving, useSaving } from './use-saving.ts';

/** The names of the fields of a form. */
export type NameOf<Fields> = keyof Fields & string;

/** The labels of the fields; each field has its name as `data-path`. */
export type FormLabels<Fields> = Readonly<Record<NameOf<Fields>, string>>;

/** What is said about an action: after it, when it fails, and when it has to be confirmed. */
export interface ActionWords {
  readonly done: string;
  readonly failed: string;
  readonly question: string;
  readonly confirm: string;
}

/** What a form is of, and what can be done with it: `save`, and the actions of the type `More`. */
export interface FormOptions<Data, Fields, More extends string> {
  /** Names the form among all that the user can edit. */
  readonly place: string;
  readonly labels: FormLabels<Fields>;
  /** The label of the button that saves, such as `Create webhook`. */
  readonly action: string;
  /** Absent where there is only that button. */
  readonly words?: Readonly<Record<More | 'save', ActionWords>>;
  /** The resource as it was read; absent of a new one. */
  readonly seen: Tagged<Data> | undefined;
  /** The fields of a new resource. */
  readonly blank: Fields;
  /** The fields of a stored one; `shown` are those that the form shows until then. */
  readonly toFields: (data: Data, shown: Fields | undefined) => Fields;
  /** What is sent of the fields: two values of a field are the same if the same is sent of them. */
  readonly toBody: (fields: Fields) => Members;
  /**
   * Carries out an action on the resource as it was `seen`. It calls `onSaved` if it goes on after the fields are saved, and resolves to false
   * if it does not save them.
   */
  readonly save: (wish: Wish<Data, Fields, More> & { readonly onSaved: () => void }) => Promise<unknown>;
  /** Finds what to ask before an action. */
  readonly tryOut?: (wish: Wish<Data, Fields, More>) => Promise<DryRun | undefined>;
  /** Reads the resource again; absent of a new one. */
  readonly reload?: (() => Promise<{ readonly data: Tagged<Data> | undefined }>) | undefined;
}

/** What is to be done with the fields. */
export interface Wish<Data, Fields, More extends string> {
  readonly action: More | 'save';
  readonly fields: Fields;
  readonly isChanged: boolean;
  readonly seen: Tagged<Data> | undefined;
}

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
