/**
 * Finds what the user must confirm before an action on a REST endpoint.
 */
import { ApiProblem, type DryRun } from '../../../api.ts';
import { worthAsking } from '../../../parts/confirm/consequences.tsx';
import type { StoredEndpoint, useEndpointChanges } from '../rest-endpoint-data.ts';
import { type EndpointDraft, toInput } from './draft.ts';
import { check } from './findings.ts';

/** What can be done; publishing saves first where there is something to save. */
export type Action = 'save' | 'publish' | 'unpublish';

/** What the form holds, and what it was made of. */
export interface ActionState {
  readonly stored: StoredEndpoint | undefined;
  readonly draft: EndpointDraft;
  readonly isChanged: boolean;
}

/**
 * Finds what to ask about: routes whose callers notice the change, wider access, and warnings that are not there already. Nothing is found for what would be
 * refused, as the refusal itself says why.
 */
export async function findQuestion(
  action: Action,
  { stored, draft, isChanged }: ActionState,
  tryOut: ReturnType<typeof useEndpointChanges>['tryOut'],
): Promise<DryRun | undefined> {
  const id = stored?.data.id;
  if (!stored || id === undefined || action === 'save') {
    const { warnings } = await check(draft, id);
    return worthAsking({ breaks: [], changes: [], warnings }, stored?.data.warnings);
  }
  if (action === 'unpublish') return tryOut({ change: 'UNPUBLISH', id }, stored);
  try {
    const definition = isChanged ? { definition: toInput(draft) } : {};
    const found = await tryOut({ change: 'PUBLISH', id, ...definition }, stored);
    return worthAsking(found, stored.data.published?.warnings);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 400) return undefined;
    throw error;
  }
}
