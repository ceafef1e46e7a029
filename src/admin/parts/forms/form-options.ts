/**
 * What a page tells the form of a stored resource: its fields, how they are read and sent, and what can be done.
 */
import type { DryRun, Tagged } from '../../api.ts';
import type { Members } from '../difference/same-value.ts';

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
  /** Merges fields of several parts, where two people have changed other parts of them; returns these fields. */
  readonly mergeParts?: (sides: Record<'base' | 'theirs' | 'mine', Fields>) => Partial<Fields>;
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
