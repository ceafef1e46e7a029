/**
 * Saves, publishes and unpublishes a REST endpoint, after the user has confirmed what that would break.
 */
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { DryRun } from '../../../api.ts';
import { useAction } from '../../../parts/forms/use-action.ts';
import { type StoredEndpoint, useEndpointChanges, useRestEndpoint } from '../rest-endpoint-data.ts';
import type { EndpointDraft } from './draft.ts';
import { type Action, type ActionState, findQuestion } from './try-action.ts';

const done: Readonly<Record<Action, string>> = {
  save: 'Saved',
  publish: 'Published',
  unpublish: 'Unpublished',
};

/** A question that the user must confirm before an action. */
export interface Question {
  readonly action: Action;
  readonly found: DryRun;
}

/** The actions on a form. `onSaved` is called when it was saved, `onReload` when it should show the stored state. */
export function useActions({
  onSaved,
  onReload,
  ...state
}: ActionState & {
  onSaved: (stored: StoredEndpoint) => void;
  onReload: (stored: StoredEndpoint) => void;
}) {
  const { stored, draft, isChanged } = state;
  const { save, publish, unpublish, tryOut } = useEndpointChanges();
  const { refetch } = useRestEndpoint(stored?.data.id ?? 'new');
  const [question, setQuestion] = useState<Question>();

  async function act(action: Action): Promise<void> {
    if (action === 'unpublish') {
      if (stored) await unpublish(stored);
      return;
    }
    const saved = isChanged || !stored ? await save(draft, stored) : stored;
    try {
      if (action === 'publish') await publish(saved);
    } finally {
      if (saved !== stored) onSaved(saved);
    }
  }

  /** Resolves to whether it was done; otherwise there is a question. */
  async function askOrAct({ action, isConfirmed }: Wish): Promise<boolean> {
    const found = isConfirmed ? undefined : await findQuestion(action, state, tryOut);
    setQuestion(found && { action, found });
    if (!found) await act(action);
    return found === undefined;
  }

  const doing = useAction(askOrAct, {
    onSuccess: (isDone, { action }) => {
      if (isDone) notifications.show({ message: done[action], color: 'green' });
    },
  });
  const { error, variables } = doing;
  return {
    run: (action: Action) => doing.run({ action, draft, isConfirmed: false }),
    isPending: doing.isPending,
    question,
    /** Carries out the action in question, or cancels it. */
    answer: (isWanted: boolean) => {
      setQuestion(undefined);
      if (isWanted && question) doing.run({ action: question.action, draft, isConfirmed: true });
    },
    /** Whether something was tried since the form was loaded. */
    isTried: doing.submittedAt > 0,
    /** Why the last action failed, which it was, and the form at that time. */
    failure: error && variables ? { error, action: variables.action, draft: variables.draft } : undefined,
    /** Reads the endpoint again, and lets the form show the stored state. */
    async reload() {
      const { data } = await refetch();
      if (!data) return;
      doing.reset();
      onReload(data);
    },
  };
}

/** An action that the user has chosen; a confirmed one is carried out without another question. */
interface Wish {
  readonly action: Action;
  readonly draft: EndpointDraft;
  readonly isConfirmed: boolean;
}
