/**
 * Finds the field of the form that a problem is about, and leads to it, also to one of a mapping whose panel is closed.
 */
import { createContext, type RefObject, use, useEffect, useRef } from 'react';
import { isWithin } from '../../../parts/data/field-label.ts';
import { focusField } from '../../../parts/forms/field-link.tsx';
import type { FormLabels } from '../../../parts/forms/form-options.ts';
import type { EndpointDraft, MappingDraft } from './draft.ts';

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

/** The labels of the fields of an endpoint. */
export const endpointLabels: FormLabels<EndpointDraft> = {
  name: 'Name',
  pathPrefix: 'Path prefix',
  source: 'Source endpoint',
  access: 'API access',
  cors: 'Allowed origins',
  cacheTags: 'Cache tag header',
  disableParameterSlashSyntax: 'Disable Parameter Slash Syntax',
  preview: 'Preview of releases',
  mappings: 'Mappings',
};

const mappingLabels: Readonly<Partial<Record<keyof MappingDraft, string>>> = {
  name: 'Name',
  path: 'Path',
  methods: 'Methods',
  cacheSeconds: 'Cache seconds',
  notFound: 'Not found',
  result: 'Result',
  tool: 'Tool for agents',
  query: 'Query',
};

/** A field, with the name that the form gives it. */
export interface ProblemPlace extends FieldGoal {
  readonly label: string;
}

/** The field at the path of a problem, such as `mappings[0].query`; undefined where the form has none. */
export function placeOf(draft: EndpointDraft, path: string): ProblemPlace | undefined {
  const [, digits, member = ''] = /^mappings\[(\d+)\]\.(.+)$/.exec(path) ?? [];
  if (digits === undefined) return fieldAt(endpointLabels, path, undefined, '');
  const index = Number(digits);
  const mapping = draft.mappings[index];
  return (
    mapping && fieldAt(mappingLabels, member, mapping.key, `${mapping.name || `Mapping ${index + 1}`}, `)
  );
}

function fieldAt(
  labels: Readonly<Record<string, string>>,
  path: string,
  mapping: number | undefined,
  holder: string,
): ProblemPlace | undefined {
  const member = Object.keys(labels).find((each) => isWithin(path, each));
  return member === undefined ? undefined : { mapping, member, label: `${holder}${labels[member]}` };
}

/** Whether the field has another value in `now` than in `before`. That of a mapping that is no more has. */
export function isChangedAt(
  { mapping, member }: FieldGoal,
  before: EndpointDraft,
  now: EndpointDraft,
): boolean {
  const valueIn = (draft: EndpointDraft) => {
    const holder: object | undefined =
      mapping === undefined ? draft : draft.mappings.find(({ key }) => key === mapping);
    return holder && JSON.stringify(Object.entries(holder).find(([name]) => name === member)?.[1] ?? null);
  };
  return valueIn(before) !== valueIn(now);
}
