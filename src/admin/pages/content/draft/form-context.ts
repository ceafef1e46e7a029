/**
 * The context of an asset's form, for inputs at any depth.
 */
import { createContext, use } from 'react';
import type { Field } from '../../../api.ts';
import { describeConstraint, describeDeprecation } from '../../../parts/data/describe-field.ts';
import type { Draft, Shapes } from './draft.ts';

/** The embedded types, and the error message at a path. */
export interface FormContents {
  readonly shapes: Shapes;
  readonly messageAt: (path: string) => string | undefined;
}

export const FormContext = createContext<FormContents>({ shapes: new Map(), messageAt: () => undefined });

/** The props of an input: its field, its path and its draft. `itemLabel` is its label when it is a list item. */
export interface InputProps {
  readonly field: Field;
  readonly path: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly itemLabel?: string | undefined;
}

/** The label, the hint, the mark and the error of an input. */
export function useInputFrame({ field, path, itemLabel }: Pick<InputProps, 'field' | 'path' | 'itemLabel'>) {
  const error = use(FormContext).messageAt(path);
  if (itemLabel !== undefined) return { 'aria-label': itemLabel, error };
  return { label: field.name, description: describeHint(field), required: field.required, error };
}

/** What a field is for, its limits, and why it is deprecated. */
export function describeHint(field: Field): string | undefined {
  const limits = describeConstraint(field);
  const sentence = limits && `${limits.charAt(0).toUpperCase()}${limits.slice(1)}.`;
  const reason = field.deprecated === undefined ? '' : describeDeprecation(field.deprecated);
  return [field.description, sentence, reason].filter(Boolean).join(' ') || undefined;
}
