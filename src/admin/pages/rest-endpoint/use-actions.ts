/**
 * Saving, publishing and taking down what the form of a REST endpoint holds.
 */
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { EndpointDraft } from './draft.ts';
import { type Kept, useEndpointChanges, useRestEndpoint } from './rest-endpoint-data.ts';

/** What can be done; publishing saves first where there is something to save. */
export type Action = 'save' | 'publish' | 'unpublish';

const done: Readonly<Record<Action, string>> = {
  save: 'Saved',
  publish: 'Published',
  unpublish: 'Taken down',
};

/** The actions on a form; `onSaved` is told when it is to show what is kept. */
export function useActions({
  kept,
  draft,
  isChanged,
  onSaved,
}: {
  kept: Kept | undefined;
  draft: EndpointDraft;
  isChanged: boolean;
  onSaved: (kept: Kept) => void;
}) {
  const { save, publish, unpublish } = useEndpointChanges();
  const { refetch } = useRestEndpoint(kept?.data.id ?? 'new');

  async function run(action: Action): Promise<void> {
    if (action === 'unpublish') {
      if (kept) await unpublish(kept);
      return;
    }
    const saved = isChanged || !kept ? await save(draft, kept) : kept;
    try {
      if (action === 'publish') await publish(saved);
    } finally {
      if (saved !== kept) onSaved(saved);
    }
  }

  const { mutate, reset, isPending, error, variables, submittedAt } = useMutation({
    mutationFn: run,
    onSuccess: (_, action) => notifications.show({ message: done[action], color: 'green' }),
  });
  return {
    run: mutate,
    isPending,
    /** Whether something was tried since the form was loaded. */
    isTried: submittedAt > 0,
    /** Why the last action failed, and which it was. */
    failure: error && variables ? { error, action: variables } : undefined,
    /** Gives the form's changes up for the present state. */
    async reload() {
      const { data } = await refetch();
      if (!data) return;
      reset();
      onSaved(data);
    },
  };
}
