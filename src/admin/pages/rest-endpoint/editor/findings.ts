/**
 * Checks the form on the server while the user types: problems, defaults and the types of the operations.
 */
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
  ApiProblem,
  admin,
  answer,
  type CheckedMapping,
  type CheckedRestEndpoint,
  type Place,
  type Warning,
} from '../../../api.ts';
import { sentenceOf } from '../../../parts/forms/error-at.ts';
import { type EndpointDraft, type MappingDraft, toInput } from './draft.ts';

/** The result of a check. */
export interface Findings {
  /** Those of the endpoint's own members. */
  readonly problems: readonly Place[];
  /** Warnings: what is allowed but may be a mistake. */
  readonly warnings: readonly Warning[];
  /** By the mapping's key; the `path` of a problem is a member of the mapping. */
  readonly mappings: ReadonlyMap<number, MappingFindings>;
}

/** What is known of a mapping. */
export interface MappingFindings {
  readonly checked: CheckedMapping;
  readonly problems: readonly Place[];
}

/** How long the user must pause before the form is checked. */
const quietMs = 300;

/**
 * Checks a form; while it is typed in, the last findings stay.
 *
 * Unless `isStrict`, what is only not filled in yet is no problem.
 */
export function useFindings({
  draft,
  id,
  isStrict,
}: {
  draft: EndpointDraft;
  id: string | undefined;
  isStrict: boolean;
}): Findings {
  const [settled] = useDebouncedValue(draft, quietMs);
  const { data = nothing } = useQuery({
    queryKey: ['rest-endpoints', 'check', id, isStrict, settled],
    queryFn: async () => {
      const { problems, ...rest } = await check(settled, id);
      const worthSaying = problems.filter(
        ({ path }) => !isConsequence(settled, path) && (isStrict || !isEmpty(settled, path)),
      );
      return toFindings(settled, { ...rest, problems: worthSaying });
    },
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  return data;
}

const nothing: Findings = { problems: [], warnings: [], mappings: new Map() };

/** Checks a form as it stands. A body that is not even looked into has its problems in the refusal. */
export async function check(draft: EndpointDraft, id: string | undefined): Promise<CheckedRestEndpoint> {
  try {
    const body = { ...toInput(draft), ...(id === undefined ? {} : { id }) };
    return await answer(admin.checkRestEndpoint({ body }));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 400) {
      return { problems: error.problems, warnings: [], mappings: [] };
    }
    throw error;
  }
}

/** Sorts what a check answered by the mappings of the form that was checked. */
function toFindings(draft: EndpointDraft, { problems, warnings, mappings }: CheckedRestEndpoint): Findings {
  const byMapping = draft.mappings.map(({ key }, index) => {
    const prefix = `mappings[${index}].`;
    const own = problems
      .filter(({ path }) => path.startsWith(prefix))
      .map((problem) => ({ ...problem, path: problem.path.slice(prefix.length) }));
    return [key, { checked: mappings[index] ?? {}, problems: own }] as const;
  });
  return {
    problems: problems.filter(({ path }) => !/^mappings\[\d+\]\./.test(path)),
    warnings,
    mappings: new Map(byMapping),
  };
}

/** Whether a problem only says that something else has still to be filled in: without a name there is no path. */
function isConsequence(draft: EndpointDraft, path: string): boolean {
  const [holder, member] = holderOf(draft, path);
  return /^(path|pathPrefix)$/.test(member) && holder?.name === '';
}

/** Whether a problem is only that nothing stands in a field yet. */
function isEmpty(draft: EndpointDraft, path: string): boolean {
  const [holder, member] = holderOf(draft, path);
  return (member === 'name' || member === 'source' || member === 'query') && holder?.[member] === '';
}

/** The part of the form that a path leads into, and the member there. */
function holderOf(
  draft: EndpointDraft,
  path: string,
): [Partial<EndpointDraft & MappingDraft> | undefined, string] {
  const [, index, member = ''] = /^mappings\[(\d+)\]\.(\w+)/.exec(path) ?? [];
  return index === undefined ? [draft, path] : [draft.mappings[Number(index)], member];
}

/** What to say at a field; nothing without a problem. Problems within the member are its own. */
export function messageAt(problems: readonly Place[], member: string): string | undefined {
  const own = problems.filter(({ path }) => path === member || path.startsWith(`${member}[`));
  return own.length === 0 ? undefined : own.map(({ message }) => sentenceOf(message)).join(' ');
}
