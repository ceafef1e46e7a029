/**
 * The action buttons of a REST endpoint's page.
 */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { ConfirmByName } from '../../../parts/confirm/confirm-by-name.tsx';
import { ConfirmChange } from '../../../parts/confirm/confirm-change.tsx';
import { DryRunReport } from '../../../parts/confirm/consequences.tsx';
import { type StoredEndpoint, useEndpointChanges } from '../rest-endpoint-data.ts';
import type { Action } from './try-action.ts';
import type { useActions } from './use-actions.ts';

type Actions = ReturnType<typeof useActions>;

/** The buttons that apply to the current state. */
export function EndpointActions({
  stored,
  isChanged,
  actions,
  onRemoved,
}: {
  stored: StoredEndpoint | undefined;
  isChanged: boolean;
  actions: Actions;
  onRemoved: () => void;
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
      {stored && <DeleteButton stored={stored} onRemoved={onRemoved} />}
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

function DeleteButton({ stored, onRemoved }: { stored: StoredEndpoint; onRemoved: () => void }) {
  const { remove, tryOut } = useEndpointChanges();
  const [isOpen, { open, close }] = useDisclosure();
  const { id } = stored.data;
  const report = useQuery({
    queryKey: ['rest-endpoints', id, 'dry-run'],
    queryFn: () => tryOut({ change: 'DELETE', id }, stored),
    enabled: isOpen,
    gcTime: 0,
  });
  return (
    <>
      <Button variant="outline" color="red" onClick={open}>
        Delete
      </Button>
      <ConfirmByName
        name={stored.data.draft.name}
        title="Delete this REST endpoint?"
        consequence="Its routes stop working immediately, and all its versions are deleted. This cannot be undone."
        action="Delete"
        isOpen={isOpen}
        onClose={close}
        onConfirm={async () => {
          await remove(stored);
          onRemoved();
        }}
        isReady={report.isSuccess && !report.isFetching}
      >
        <DryRunReport query={report} nothing="It has no published routes." />
      </ConfirmByName>
    </>
  );
}
