/**
 * The buttons that save, publish and unpublish a REST endpoint.
 */
import { Button } from '@mantine/core';
import { ConfirmChange } from '../../../parts/confirm/confirm-change.tsx';
import type { StoredEndpoint } from '../rest-endpoint-data.ts';
import type { Action } from './try-action.ts';
import type { useActions } from './use-actions.ts';

type Actions = ReturnType<typeof useActions>;

/** The buttons that apply to the current state. */
export function EndpointActions({
  stored,
  isChanged,
  actions,
}: {
  stored: StoredEndpoint | undefined;
  isChanged: boolean;
  actions: Actions;
}) {
  const { run, isPending } = actions;
  const isNew = stored === undefined;
  return (
    <>
      <Button
        variant="default"
        disabled={!isNew && !isChanged}
        loading={isPending}
        onClick={() => run('save')}
      >
        Save draft
      </Button>
      <Button
        disabled={stored?.data.state === 'published' && !isChanged}
        loading={isPending}
        onClick={() => run('publish')}
      >
        Publish
      </Button>
      {stored?.data.published && (
        <Button variant="default" loading={isPending} onClick={() => run('unpublish')}>
          Unpublish
        </Button>
      )}
      <ActionQuestion actions={actions} />
    </>
  );
}

const questions: Readonly<Record<Action, { title: string; action: string }>> = {
  save: { title: 'Save this draft?', action: 'Save anyway' },
  publish: { title: 'Publish this REST endpoint?', action: 'Publish anyway' },
  unpublish: { title: 'Unpublish this REST endpoint?', action: 'Unpublish' },
};

function ActionQuestion({ actions: { question, answer } }: { actions: Actions }) {
  return (
    <ConfirmChange
      question={question && { found: question.found, ...questions[question.action] }}
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
    />
  );
}
