/**
 * Says who has saved something, and when, where two people have changed it at the same time.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiProblem, admin, answer, type ContentChange } from '../../api.ts';
import { useSession } from '../../session.ts';
import { Ago } from '../time/ago.tsx';
import { nameOfActor } from './actor-name.tsx';
import { systemPrefix } from './change-table.tsx';

/**
 * Who last changed one of the `fields` of an asset, or the asset. With a release, that is the live asset or its draft, since the release
 * shows both. It says nothing where the store keeps no history.
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
    queryFn: async () => {
      const places = [{}, ...(release === undefined ? [] : [{ release }])];
      const found = await Promise.all(places.map((place) => readLatest(id, place)));
      return found.flat().toSorted((a, b) => b.at - a.at);
    },
    gcTime: 0,
  });
  const last = data?.find(({ changed }) => fields?.some((name) => changed.includes(name)) ?? true);
  if (!last) return null;
  const isMine = last.by.kind === 'user' && last.by.id === user?.id;
  return <SavedBy name={isMine ? 'You' : nameOfActor(last.by)} at={last.at} isMine={isMine} />;
}

/** Reads the latest changes; none of an asset that has none there. */
async function readLatest(
  id: string,
  place: { readonly release?: string },
): Promise<readonly ContentChange[]> {
  try {
    const query = { limit: 20, ...place };
    return (await answer(admin.listContentHistory({ path: { id }, query }))).items;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return [];
    throw error;
  }
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
