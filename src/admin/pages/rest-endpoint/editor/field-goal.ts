/**
 * Leads from an error to the field that it is about, also to one of a mapping whose panel is closed.
 */
import { createContext, type RefObject, use, useEffect, useRef } from 'react';
import { focusField } from '../../../parts/forms/focus-field.ts';

/** The field to lead to, by its `data-path`: one of a mapping, or of the endpoint itself. */
export interface FieldGoal {
  /** The mapping's key. */
  readonly mapping: number | undefined;
  readonly member: string;
}

/** The field to lead to, until it is reached. */
export const GoalContext = createContext<{
  readonly goal: FieldGoal | undefined;
  readonly onReached: () => void;
}>({ goal: undefined, onReached: () => {} });

/** Focuses the goal if it is among the fields of a mapping, or of the endpoint. Returns the ref of the element around them. */
export function useGoal(mapping: number | undefined): RefObject<HTMLDivElement | null> {
  const { goal, onReached } = use(GoalContext);
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (goal?.mapping !== mapping || goal === undefined) return;
    focusField(fields.current?.querySelector<HTMLElement>(`[data-path="${goal.member}"]`) ?? null);
    // Fields that are not displayed yet take no focus; once they are, this runs again.
    if (fields.current?.contains(document.activeElement)) onReached();
  }, [goal, mapping, onReached]);
  return fields;
}
