/**
 * Finds the field of the form that a problem is about.
 */
import { isWithin } from '../../../parts/data/field-label.ts';
import type { EndpointDraft, MappingDraft } from './draft.ts';
import type { FieldGoal } from './field-goal.ts';

const endpointLabels: Readonly<Partial<Record<keyof EndpointDraft, string>>> = {
  name: 'Name',
  pathPrefix: 'Path prefix',
  source: 'Source endpoint',
  access: 'API access',
  cors: 'Allowed origins',
  cacheTags: 'Cache tag header',
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
