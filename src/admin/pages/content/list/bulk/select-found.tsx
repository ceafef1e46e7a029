/**
 * Selects everything that a list finds, on all of its pages.
 */
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { admin, answer, type ContentType } from '../../../../api.ts';
import { type AssetQuery, toRequest } from '../../../../parts/data/asset-query.ts';
import { titleOf } from '../../../../parts/data/load-titles.ts';
import { formatNumber } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { inRelease } from '../../../../parts/releases/work-release.ts';
import type { Selection } from '../use-selection.ts';
import { maxSelected } from './find-selected.ts';

/** The query of a list, and how many assets it finds. */
export interface FoundAssets {
  readonly query: AssetQuery;
  readonly count: number;
}

/** The button; nothing when as many are selected as can be. */
export function SelectFound({
  type,
  selection,
  found: { query, count },
}: {
  type: ContentType;
  selection: Selection;
  found: FoundAssets;
}) {
  const select = useAction(
    async () => {
      const body = { ...toRequest({ ...query, offset: 0, limit: maxSelected }), fields: titleFields(type) };
      const { items } = await answer(admin.runQuery({ body, query: inRelease() }));
      return items.map((asset) => ({ asset, name: titleOf(asset, type) }));
    },
    {
      onSuccess: selection.replace,
      onError: ({ message }) =>
        notifications.show({ title: 'The assets could not be selected', message, color: 'red' }),
    },
  );
  const selected = selection.items.length;
  if (selected >= Math.min(count, maxSelected)) return null;
  const words =
    count > maxSelected
      ? `Select the first ${formatNumber(maxSelected)} of ${formatNumber(count)}`
      : `Select all ${formatNumber(count)} that match`;
  return (
    <Button size="compact-sm" variant="subtle" loading={select.isPending} onClick={() => select.run()}>
      {words}
    </Button>
  );
}

const titleFields = ({ titleField }: ContentType) => (titleField === undefined ? ['_id'] : [titleField]);
