/**
 * Says who has saved something, and when, where two people have changed it at the same time.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { admin, answer } from '../../api.ts';
import { useSession } from '../../session.ts';
import { Ago } from '../time/ago.tsx';
import { nameOfActor } from './actor-name.tsx';
import { systemPrefix } from './change-table.tsx';

/**
 * Who last changed one of the `fields` of an asset, or the asset, live or in a release. It says nothing where the store keeps no history.
 */
export function LastSave({
  id,
  release,
  fields,
}: {
  id: string;
  release: string | undefined;
  fields?: readonly string[];
}) {
  const user = useSession()?.user;
  const { data } = useQuery({
    queryKey: ['contents', id, 'last changes', release ?? null],
    queryFn: () =>
      answer(
        admin.listContentHistory({
          path: { id },
          query: { limit: 20, ...(release !== undefined && { release }) },
        }),
      ),
    gcTime: 0,
  });
  const last = data?.items.find(({ changed }) => fields?.some((name) => changed.includes(name)) ?? true);
  if (!last) return null;
  const isMine = last.by.kind === 'user' && last.by.id === user?.id;
  return <SavedBy name={isMine ? 'You' : nameOfActor(last.by)} at={last.at} isMine={isMine} />;
}

/** What is read of a record, such as a webhook, to say who has saved it. The ID of an API client is not that of its record. */
interface SavedRecord {
  readonly id?: string;
  readonly name: string;
  readonly updatedAt: number;
}

/**
 * Who last changed a GraphQL endpoint, a webhook or an API client. `read` reads it; nothing that the page shows is replaced by that. A
 * change that is not among the latest ones has no name.
 */
export function LastRecordSave({ type, read }: { type: string; read: () => Promise<SavedRecord> }) {
  const user = useSession()?.user;
  const { data } = useQuery({
    queryKey: ['dashboard', 'last save', type],
    queryFn: async () => {
      const [{ changes = [] }, { id, name, updatedAt }] = await Promise.all([
        answer(admin.getDashboard()),
        read(),
      ]);
      const found = changes.find(
        (change) =>
          change.type === systemPrefix + type &&
          (id === undefined ? change.name === name : change.asset === id),
      );
      return found ?? { at: updatedAt, by: undefined };
    },
    gcTime: 0,
  });
  if (!data) return null;
  const { at, by } = data;
  const isMine = by?.kind === 'user' && by.id === user?.id;
  return <SavedBy name={isMine ? 'You' : by ? nameOfActor(by) : 'Someone'} at={at} isMine={isMine} />;
}

/** Who saved, and when. */
export function SavedBy({ name, at, isMine = false }: { name: string; at: number; isMine?: boolean }) {
  return (
    <Text size="sm" fw={500}>
      {name} saved this <Ago ms={at} />
      {isMine && ', in another tab or browser'}.
    </Text>
  );
}
