/**
 * What can be done with the selected assets of a list.
 */
import { Box, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { admin, answer, type ContentType } from '../../../../api.ts';
import { type AssetQuery, toRequest } from '../../../../parts/data/asset-query.ts';
import { titleOf } from '../../../../parts/data/load-titles.ts';
import { countOf, formatNumber } from '../../../../parts/data/number-words.ts';
import { useAction } from '../../../../parts/forms/busy-button.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { releaseByName } from '../../../../parts/releases/release-data.ts';
import { draftsRelease, inRelease, useWorkRelease } from '../../../../parts/releases/work-release.ts';
import { useMay } from '../../../../roles.ts';
import { exportSelected, maxSelected, type Selection } from '../use-selection.ts';
import { BulkChange } from './bulk-change.tsx';
import { BulkDelete } from './bulk-delete.tsx';
import { BulkDuplicate } from './bulk-duplicate.tsx';
import { BulkPublish, BulkWithdraw } from './bulk-publish.tsx';
import { BulkReplace } from './bulk-replace.tsx';
import { textPaths } from './replace-text.ts';

/** The number of selected assets and the actions; nothing without a selection. Assets of an interface have different forms. */
export function BulkBar({
  type,
  selection,
  found,
}: {
  type: ContentType;
  selection: Selection;
  /** What the list shows, on all pages. */
  found: FoundAssets;
}) {
  const [open, setOpen] = useState<'change' | 'replace' | 'duplicate' | 'withdraw' | 'delete'>();
  const download = useAction(() => exportSelected(type, selection.items), {
    onSuccess: (missing) => {
      if (missing > 0)
        notifications.show({
          message: `${formatNumber(missing)} of the assets no longer exist.`,
          color: 'orange',
        });
    },
  });
  const { length } = selection.items;
  const close = () => setOpen(undefined);
  const isTooMany = length > maxSelected;
  const isMixed = type.kind === 'interface';
  const hasTexts = useMemo(() => textPaths(type).length > 0, [type]);
  const isEditor = useMay('editor');
  const work = useWorkRelease();
  const mayWrite = isEditor || work !== undefined;
  // Absent where the store has no releases.
  const release = useQuery({ ...releaseByName(work ?? draftsRelease), staleTime: 10_000 }).data;
  return (
    <Box component="section" aria-label="Selected assets">
      <Group gap={4} mih={28}>
        <Text size="sm" role="status">
          {`${countOf(length, 'asset')} selected`}
          {isTooMany && `. At most ${formatNumber(maxSelected)} can be handled at a time.`}
        </Text>
        <SelectFound type={type} selection={selection} found={found} />
        <Button size="compact-sm" variant="subtle" onClick={() => selection.replace([])}>
          Clear selection
        </Button>
        {mayWrite && !isMixed && (
          <Button size="compact-sm" variant="default" disabled={isTooMany} onClick={() => setOpen('change')}>
            Change…
          </Button>
        )}
        {mayWrite && !isMixed && hasTexts && (
          <Button size="compact-sm" variant="default" disabled={isTooMany} onClick={() => setOpen('replace')}>
            Find and replace…
          </Button>
        )}
        {mayWrite && !isMixed && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isTooMany}
            onClick={() => setOpen('duplicate')}
          >
            Duplicate…
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          disabled={isTooMany}
          loading={download.isPending}
          onClick={() => download.run()}
        >
          Export
        </Button>
        {isEditor && release && (
          <BulkPublish type={type} release={release} selection={selection} isDisabled={isTooMany} />
        )}
        {isEditor && release && work === undefined && (
          <Button
            size="compact-sm"
            variant="default"
            disabled={isTooMany}
            onClick={() => setOpen('withdraw')}
          >
            Withdraw…
          </Button>
        )}
        {mayWrite && (
          <Button size="compact-sm" variant="default" disabled={isTooMany} onClick={() => setOpen('delete')}>
            Delete…
          </Button>
        )}
      </Group>
      <ProblemAlert error={download.error} title="The assets could not be exported" />
      {open === 'change' && <BulkChange type={type} selection={selection} onClose={close} />}
      {open === 'replace' && <BulkReplace type={type} selection={selection} onClose={close} />}
      {open === 'duplicate' && <BulkDuplicate type={type} selection={selection} onClose={close} />}
      {open === 'withdraw' && <BulkWithdraw selection={selection} onClose={close} />}
      {open === 'delete' && <BulkDelete selection={selection} onClose={close} />}
    </Box>
  );
}

/** The query of a list, and how many assets it finds. */
interface FoundAssets {
  readonly query: AssetQuery;
  readonly count: number;
}

/** The button; nothing when as many are selected as can be. */
function SelectFound({
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
