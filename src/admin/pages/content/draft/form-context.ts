/**
 * The context of an asset's form, for inputs at any depth.
 */
import { type ComponentType, createContext, createElement, type ReactNode, use } from 'react';
import type { Field } from '../../../api.ts';
import { describeConstraint, describeDeprecation } from '../../../parts/data/describe-field.ts';
import { labelOf } from '../../../parts/data/field-label.ts';
import { type Shapes, viewOf } from '../../../parts/data/scalar-views.ts';
import type { Draft } from './draft.ts';

/** The embedded types, the error message at a path, and what else inputs need of the whole form. */
export interface FormContents {
  readonly shapes: Shapes;
  readonly messageAt: (path: string) => string | undefined;
  /** Whether there is a message about something inside the value at a path. */
  readonly hasMessageWithin?: (path: string) => boolean;
  /** The path to show, as a list shows only some of its items; a new object for each time that the user goes there. */
  readonly target?: { readonly path: string } | undefined;
  /** Keeps the field of a path as it is, before the part with that name is removed from it; absent where nothing is kept. */
  readonly keepRemoved?: ((path: string, name: string) => void) | undefined;
  /** The title that has been typed; absent in a form without a title. */
  readonly readTitle?: (() => string) | undefined;
}

export const FormContext = createContext<FormContents>({ shapes: new Map(), messageAt: () => undefined });

/** The props of an input: its field, its path and its draft. `itemLabel` is its label when it is a list item. */
export interface InputProps {
  readonly field: Field;
  readonly path: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly itemLabel?: string | undefined;
  /** The buttons of a list item with a heading, in which they stand. */
  readonly itemActions?: ReactNode;
}

/** The label, the hint, the mark and the error of an input, and its path, by which the form finds it. */
export function useInputFrame({ field, path, itemLabel }: Pick<InputProps, 'field' | 'path' | 'itemLabel'>) {
  const message = use(FormContext).messageAt(path);
  const error = toSentence(itemLabel ?? labelOf(field), message);
  const place = { 'data-path': path, error };
  if (itemLabel !== undefined) return { 'aria-label': itemLabel, description: undefined, ...place };
  return { label: drawLabel(field), description: describeHint(field), required: field.required, ...place };
}

/** What is wrong with a value, as a sentence: messages of the API go on from the name of a field. */
export const toSentence = (name: string, message: string | undefined): string | undefined =>
  message === undefined ? undefined : `${name} ${message}.`;

/** The label of a field; its technical name is shown on hover. */
export function drawLabel(field: Field): ReactNode {
  return createElement('span', { title: field.name }, labelOf(field));
}

/** What a field is for, its limits, and why it is deprecated. */
export function describeHint(field: Field): string | undefined {
  const limits = describeConstraint({ ...field, constraint: withoutCounted(field) });
  const sentence = limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`;
  const reason = field.deprecated === undefined ? '' : describeDeprecation(field.deprecated);
  const isLabel = field.description?.trim() === labelOf(field);
  const help = isLabel ? '' : (field.description?.trim() ?? '');
  const isEnded = /[.!?:…]$/.test(help) || (sentence === '' && reason === '');
  return (
    [isEnded || help === '' ? help : `${help}.`, sentence, reason].filter(Boolean).join(' ') || undefined
  );
}

/** The limits of a field without those that its input counts. */
function withoutCounted({ type, list, constraint }: Field): Field['constraint'] {
  const { maxLength, minLength, maxItems, ...rest } = constraint;
  const isCounted = !list && type.kind === 'scalar' && viewOf(type) !== 'richText';
  const { minItems = 0 } = rest;
  return {
    ...rest,
    ...(maxLength !== undefined && !isCounted && { maxLength }),
    ...(minLength !== undefined && (minLength > 1 || !isCounted) && { minLength }),
    ...(maxItems !== undefined && minItems > 0 && { maxItems }),
  };
}

/** What the dialog is given; `onCreated` receives the reference once the asset is stored. */
export interface CreateReferencedProps {
  readonly className: string;
  readonly onCreated: (reference: { _ref: string; _type: string }) => void;
  readonly onClose: () => void;
}

/** The dialog; without one, references lead to existing assets only. */
export const CreateContext = createContext<ComponentType<CreateReferencedProps> | undefined>(undefined);
