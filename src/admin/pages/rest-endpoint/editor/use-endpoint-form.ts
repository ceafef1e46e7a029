/**
 * The form of a REST endpoint: it saves, publishes and unpublishes, after the user has confirmed what that would break.
 */
import { ApiProblem, type DryRun, type RestEndpoint } from '../../../api.ts';
import { worthAsking } from '../../../parts/confirm/consequences.tsx';
import type { ActionWords, Wish } from '../../../parts/forms/form-options.ts';
import { type Form, useForm } from '../../../parts/forms/use-form.ts';
import { type StoredEndpoint, useEndpointChanges, useRestEndpoint } from '../rest-endpoint-data.ts';
import { type EndpointDraft, emptyDraft, mergeMappings, toDraft, toInput } from './draft.ts';
import { endpointLabels } from './field-goal.ts';
import { check } from './findings.ts';

/** What can be done besides saving; publishing saves first where there is something to save. */
export type More = 'publish' | 'unpublish';

/** The form of an endpoint. */
export type EndpointForm = Form<EndpointDraft, More>;

type EndpointWish = Wish<RestEndpoint, EndpointDraft, More>;

const words: Readonly<Record<More | 'save', ActionWords>> = {
  save: { done: 'Saved', failed: 'Not saved', question: 'Save this draft?', confirm: 'Save anyway' },
  publish: {
    done: 'Published',
    failed: 'Not published',
    question: 'Publish this REST endpoint?',
    confirm: 'Publish anyway',
  },
  unpublish: {
    done: 'Unpublished',
    failed: 'Not unpublished',
    question: 'Unpublish this REST endpoint?',
    confirm: 'Unpublish',
  },
};

/** The form; `before` is what the form of a new endpoint knew of its mappings, `onCreated` is called when one is stored. */
export function useEndpointForm({
  stored,
  before,
  onCreated,
}: {
  stored: StoredEndpoint | undefined;
  before: EndpointDraft | null;
  onCreated: (id: string, draft: EndpointDraft) => void;
}): EndpointForm {
  const { save, publish, unpublish, tryOut } = useEndpointChanges();
  const id = stored?.data.id ?? 'new';
  const { refetch } = useRestEndpoint(id);
  async function act({ action, fields, seen, isChanged, onSaved }: EndpointWish & { onSaved: () => void }) {
    if (action === 'unpublish') {
      if (seen) await unpublish(seen);
      return false;
    }
    const saved = isChanged || !seen ? await save(fields, seen) : seen;
    onSaved();
    try {
      if (action === 'publish') await publish(saved);
    } finally {
      if (!seen) onCreated(saved.data.id, fields);
    }
    return true;
  }
  return useForm<RestEndpoint, EndpointDraft, More>({
    place: `rest-endpoint ${id}`,
    labels: endpointLabels,
    action: 'Save draft',
    words,
    seen: stored,
    blank: emptyDraft,
    toFields: ({ draft }, shown = before ?? undefined) => toDraft(draft, shown),
    toBody: (draft) => ({ ...toInput(draft) }),
    mergeParts: mergeMappings,
    save: act,
    tryOut: (wish) => findQuestion(wish, tryOut),
    reload: refetch,
  });
}

/**
 * Finds what to ask about: routes whose callers notice the change, wider access, and warnings that are not there already. Nothing is found for what would be
 * refused, as the refusal itself says why.
 */
async function findQuestion(
  { action, seen, fields, isChanged }: EndpointWish,
  tryOut: ReturnType<typeof useEndpointChanges>['tryOut'],
): Promise<DryRun | undefined> {
  if (!seen || action === 'save') {
    const { warnings } = await check(fields, seen?.data.id);
    return worthAsking({ breaks: [], changes: [], warnings }, seen?.data.warnings);
  }
  const { id, published } = seen.data;
  if (action === 'unpublish') return tryOut({ change: 'UNPUBLISH', id }, seen);
  try {
    const definition = isChanged ? { definition: toInput(fields) } : {};
    return worthAsking(await tryOut({ change: 'PUBLISH', id, ...definition }, seen), published?.warnings);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 400) return undefined;
    throw error;
  }
}
