/**
 * Finds words in texts of the selected assets and replaces them, after a preview of each change.
 */
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import type { Asset, ContentType } from '../../../../api.ts';
import { labelOfPath } from '../../../../parts/data/field-label.ts';
import { countOf, formatNumber } from '../../../../parts/data/number-words.ts';
import { FieldChange } from '../../../../parts/difference/asset-difference.tsx';
import { compareField } from '../../../../parts/difference/compare-values.ts';
import { isSameValue } from '../../../../parts/difference/same-value.ts';
import { Loading } from '../../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { findSelected, type SelectedAsset } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { updateFresh } from './bulk-run.ts';
import { type ReplacedTexts, type Replacement, replaceTexts, textPaths } from './replace-text.ts';
import { type BulkProps, useBulk } from './use-bulk.ts';

/** An asset with the words, as it is now, and its new texts. */
interface Match extends SelectedAsset, ReplacedTexts {
  readonly stored: Asset;
}

/** How many assets are previewed at first, and by each "Show more". */
const previewed = 20;

/** The dialog. */
export function BulkReplace({ type, selection, onClose }: BulkProps) {
  const [items] = useState(selection.items);
  const all = useMemo(() => textPaths(type), [type]);
  const [chosen, setChosen] = useState(all.map(({ path }) => path));
  const [replacement, setReplacement] = useState<Replacement>(nothing);
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set());
  const paths = useMemo(() => all.filter(({ path }) => chosen.includes(path)), [all, chosen]);
  const stored = useQuery({
    queryKey: ['bulk-replace', type.class, items.map(({ asset }) => asset._id)],
    queryFn: () => findSelected(type, items, [...new Set(all.map(({ steps }) => steps[0] ?? ''))]),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const searched = useDeferredValue(replacement);
  const matches = useMemo(
    () =>
      items.flatMap((item): Match[] => {
        const asset = stored.data?.get(item.asset._id);
        const replaced = asset && replaceTexts(asset, paths, searched);
        return replaced ? [{ ...item, ...replaced, stored: asset }] : [];
      }),
    [items, stored.data, paths, searched],
  );
  const wanted = matches.filter(({ asset }) => !excluded.has(asset._id));
  const bulk = useBulk(
    (match: Match, target) =>
      updateFresh({
        id: match.asset._id,
        target,
        change: (present) => {
          const names = Object.keys(match.fields);
          if (names.every((name) => isSameValue(present[name], match.stored[name]))) return match.fields;
          throw new Error('Its texts were changed after the preview. Open the dialog again to see them.');
        },
      }),
    type,
  );
  const change = (part: Partial<Replacement>) => setReplacement((before) => ({ ...before, ...part }));
  const turn = (id: string) =>
    setExcluded((before) =>
      before.has(id) ? new Set([...before].filter((each) => each !== id)) : new Set([...before, id]),
    );
  return (
    <BulkDialog
      title={`Find and replace in ${countOf(items.length, 'asset')}`}
      action="Replace"
      done="changed"
      bulk={bulk}
      isReady={wanted.length > 0 && searched === replacement}
      selection={selection}
      onRun={() => void bulk.run(wanted)}
      onClose={onClose}
    >
      <Group grow align="start">
        <TextInput
          label="Find"
          value={replacement.find}
          onChange={(event) => change({ find: event.currentTarget.value })}
          autoComplete="off"
          data-autofocus
        />
        <TextInput
          label="Replace with"
          value={replacement.by}
          onChange={(event) => change({ by: event.currentTarget.value })}
          autoComplete="off"
        />
      </Group>
      <Group>
        <Checkbox
          label="Match upper and lower case"
          checked={replacement.isCaseKept}
          onChange={(event) => change({ isCaseKept: event.currentTarget.checked })}
        />
        <Checkbox
          label="Whole words only"
          checked={replacement.isWholeWord}
          onChange={(event) => change({ isWholeWord: event.currentTarget.checked })}
        />
      </Group>
      <Checkbox.Group label="In the fields" value={chosen} onChange={setChosen}>
        <Group gap="sm" mt="xs">
          {all.map(({ path }) => (
            <Checkbox key={path} value={path} label={labelOfPath(type, path)} />
          ))}
        </Group>
      </Checkbox.Group>
      {stored.isPending && <Loading />}
      <ProblemAlert error={stored.error} title="The texts could not be loaded" onRetry={stored.refetch} />
      {stored.data && searched.find !== '' && (
        <>
          <Text size="sm" role="status">
            {describe(wanted, items.length)}
          </Text>
          <Preview key={searched.find} type={type} matches={matches} excluded={excluded} onTurn={turn} />
        </>
      )}
    </BulkDialog>
  );
}

const nothing: Replacement = { find: '', by: '', isCaseKept: true, isWholeWord: false };

function describe(wanted: readonly Match[], total: number): string {
  const places = wanted.reduce((sum, match) => sum + match.places, 0);
  return `${formatNumber(wanted.length)} of ${countOf(total, 'asset')} will change, in ${countOf(places, 'place')}.`;
}

function Preview({
  type,
  matches,
  excluded,
  onTurn,
}: {
  type: ContentType;
  matches: readonly Match[];
  excluded: ReadonlySet<string>;
  onTurn: (id: string) => void;
}) {
  const [shown, setShown] = useState(previewed);
  return (
    <Stack gap="sm" role="group" aria-label="Preview">
      {matches.slice(0, shown).map(({ asset, name, fields, stored }) => (
        <Stack key={asset._id} gap="xs">
          <Checkbox label={name} checked={!excluded.has(asset._id)} onChange={() => onTurn(asset._id)} />
          {!excluded.has(asset._id) &&
            Object.entries(fields).map(([field, after]) => (
              <FieldChange key={field} change={compareField(type, field, { before: stored[field], after })} />
            ))}
        </Stack>
      ))}
      {matches.length > shown && (
        <Button variant="default" size="xs" onClick={() => setShown(shown + previewed)}>
          Show more ({matches.length - shown})
        </Button>
      )}
    </Stack>
  );
}
