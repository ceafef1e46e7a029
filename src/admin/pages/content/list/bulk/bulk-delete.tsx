/**
 * Deletes the selected assets, after telling how many others refer to them.
 */
import { Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { admin, answer, answerWithTag } from '../../../../api.ts';
import { formatNumber } from '../../../../parts/data/number-words.ts';
import { Loading } from '../../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { inRelease } from '../../../../parts/releases/work-release.ts';
import type { SelectedAsset, Selection } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { useBulk } from './use-bulk.ts';

/** An asset to delete in the state of which the dialog tells. */
interface Found extends SelectedAsset {
  readonly tag: string | undefined;
  readonly references: number;
}

/** The dialog. */
export function BulkDelete({ selection, onClose }: { selection: Selection; onClose: () => void }) {
  const [items] = useState(selection.items);
  const [typed, setTyped] = useState('');
  const ids = items.map(({ asset }) => asset._id);
  const found = useQuery({
    queryKey: ['bulk-delete', ids],
    queryFn: () => inspect(items),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const bulk = useBulk(({ asset: { _id: id }, tag }: Found, { query, headers }) =>
    answer(
      admin.deleteContent({
        path: { id },
        query,
        headers: { ...headers, ...(tag !== undefined && { 'If-Match': tag }) },
      }),
    ),
  );
  const number = String(items.length);
  const referenced = found.data?.filter(({ references }) => references > 0) ?? [];
  return (
    <BulkDialog
      title={items.length === 1 ? 'Delete 1 asset?' : `Delete ${number} assets?`}
      action="Delete"
      done="deleted"
      color="red"
      bulk={bulk}
      isReady={found.data !== undefined && typed === number}
      selection={selection}
      onRun={() => void bulk.run(found.data ?? [])}
      onClose={onClose}
    >
      <Text size="sm">
        References to them stay, but lead nowhere. You can restore the assets from the deleted assets while
        their history is kept. An asset that someone changes meanwhile is not deleted.
      </Text>
      {found.isPending && <Loading />}
      <ProblemAlert
        error={found.error}
        title="The references to these assets could not be loaded"
        onRetry={found.refetch}
      />
      {found.data && <Text size="sm">{describe(referenced)}</Text>}
      <TextInput
        label={`Type ${number}, the number of assets, to confirm`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        data-autofocus
      />
    </BulkDialog>
  );
}

/** One after the other: each asset is searched for in all types. */
async function inspect(items: readonly SelectedAsset[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const item of items) {
    const path = { id: item.asset._id };
    const [{ tag }, { count }] = await Promise.all([
      answerWithTag(admin.getContent({ path, query: inRelease() })),
      answer(admin.listContentReferences({ path, query: { limit: 0, ...inRelease() } })),
    ]);
    found.push({ ...item, tag, references: count });
  }
  return found;
}

function describe(referenced: readonly Found[]): string {
  if (referenced.length === 0) return 'No other asset refers to them.';
  const named = referenced.slice(0, 5).map(({ name, references }) => `${name} (${formatNumber(references)})`);
  const more = referenced.length > 5 ? ` and ${formatNumber(referenced.length - 5)} more` : '';
  return `Other assets refer to ${formatNumber(referenced.length)} of them, so many to each: ${named.join(', ')}${more}.`;
}
