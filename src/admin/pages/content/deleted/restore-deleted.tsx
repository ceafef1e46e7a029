/**
 * Restores deleted assets, and deletes them again when that is undone.
 */
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { admin, answer, answerWithTag, type DeletedContent } from '../../../api.ts';
import { typeList } from '../../../parts/data/lists.ts';
import { pathOfAsset } from '../../../parts/data/load-titles.ts';
import { countOf } from '../../../parts/data/number-words.ts';
import { useSession } from '../../../session.ts';
import type { StoredAsset } from '../draft/use-asset-draft.ts';

/** What could not be done, and why. */
interface Failure {
  readonly title: string;
  readonly message: string;
}

/** How long the message with "Undo" stays. */
const undoMs = 15_000;

/** Restores assets one by one, says which ones could not be, and offers to undo that unless a deletion cannot be taken back. */
export function useRestoreDeleted() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayUndo = useSession()?.erasesDeletions !== true;
  const [isPending, setPending] = useState(false);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const restore = async (items: readonly DeletedContent[]) => {
    setPending(true);
    const { done, failed } = await doEach(items, ({ _id: id, version }) =>
      answerWithTag(admin.restoreContent({ path: { id }, body: { version } })),
    );
    setPending(false);
    setFailures(failed);
    refresh(client);
    const [first] = items.filter(({ _id }) => done.some(({ data }) => data._id === _id));
    if (!first) return;
    const id = `restored ${first._id}`;
    const undo = () => {
      notifications.hide(id);
      void deleteAgain(client, done);
    };
    notifications.show({
      id,
      // Messages stand outside the router, so that links in them would not find it.
      message: (
        <Restored
          name={first.title}
          count={done.length}
          onOpen={() => navigate(pathOfAsset(first))}
          onUndo={mayUndo ? undo : undefined}
        />
      ),
      color: 'green',
      autoClose: undoMs,
    });
  };
  return { restore: (items: readonly DeletedContent[]) => void restore(items), isPending, failures };
}

function Restored({
  name,
  count,
  onOpen,
  onUndo,
}: {
  name: string;
  count: number;
  onOpen: () => void;
  onUndo: (() => void) | undefined;
}) {
  return (
    <Group gap="xs">
      <Text size="sm">Restored {count > 1 ? countOf(count, 'asset') : name}</Text>
      {count === 1 && (
        <Button size="compact-sm" variant="default" onClick={onOpen}>
          Open
        </Button>
      )}
      {onUndo && (
        <Button size="compact-sm" variant="default" onClick={onUndo}>
          Undo
        </Button>
      )}
    </Group>
  );
}

/** Deletes what was restored, unless someone has changed it since. */
async function deleteAgain(client: QueryClient, restored: readonly StoredAsset[]): Promise<void> {
  const { done, failed } = await doEach(
    restored.map((stored) => ({ ...stored, title: stored.data._id })),
    ({ data: { _id: id }, tag }) =>
      answer(
        admin.deleteContent({ path: { id }, ...(tag !== undefined && { headers: { 'If-Match': tag } }) }),
      ),
  );
  refresh(client);
  const [failure] = failed;
  if (failure)
    notifications.show({
      title: `${countOf(failed.length, 'asset')} could not be deleted again`,
      message: failure.message,
      color: 'red',
    });
  if (done.length > 0) notifications.show({ message: `Deleted again: ${countOf(done.length, 'asset')}` });
}

/** Does something with each item, also after one has failed. */
async function doEach<Item extends { readonly title: string }, Result>(
  items: readonly Item[],
  act: (item: Item) => Promise<Result>,
): Promise<{ done: Result[]; failed: Failure[] }> {
  const [done, failed]: [Result[], Failure[]] = [[], []];
  for (const item of items) {
    try {
      done.push(await act(item));
    } catch (error) {
      failed.push({ title: item.title, message: error instanceof Error ? error.message : String(error) });
    }
  }
  return { done, failed };
}

function refresh(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['contents'] });
  void client.invalidateQueries({ queryKey: typeList.queryKey, exact: true });
}
