/**
 * Gives a field of the selected assets another value.
 */
import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { admin, answer, type ContentType, type Field } from '../../../../api.ts';
import { fullLabelOf, isSystemField } from '../../../../parts/data/field-label.ts';
import { shapesOf } from '../../../../parts/data/shapes.ts';
import { isSameValue } from '../../../../parts/difference/same-value.ts';
import { Loading } from '../../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { inRelease } from '../../../../parts/releases/work-release.ts';
import { type Draft, toNewDraft } from '../../draft/draft.ts';
import { FormContext } from '../../draft/form-context.ts';
import { readField } from '../../draft/read-draft.ts';
import { FieldInput } from '../../inputs/field-input.tsx';
import type { SelectedAsset, Selection } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { findSelected } from './find-selected.ts';
import { useBulk } from './use-bulk.ts';

/** The dialog. `type` is the type of all selected assets. */
export function BulkChange({
  type,
  selection,
  onClose,
}: {
  type: ContentType;
  selection: Selection;
  onClose: () => void;
}) {
  const [items] = useState(selection.items);
  const [name, setName] = useState('');
  const [draft, setDraft] = useState<Draft>();
  const shapes = useMemo(() => shapesOf(type), [type]);
  // A unique value cannot be that of several assets.
  const fields = type.fields.filter((each) => !isSystemField(each) && !each.indexed?.unique);
  const field = fields.find((each) => each.name === name);
  const { value, flaws } = field
    ? readField(field, draft, { path: name, shapes })
    : { value: null, flaws: [] };
  const present = useQuery({
    queryKey: ['bulk-change', name, items.map(({ asset }) => asset._id)],
    queryFn: () => findSelected(type, items, [name]),
    enabled: field !== undefined,
    gcTime: 0,
  });
  const changed = items.filter(({ asset }) => {
    const stored = present.data?.get(asset._id);
    return stored !== undefined && !isSameValue(stored[name], value);
  });
  const bulk = useBulk(
    ({ asset: { _id: id } }: SelectedAsset) =>
      answer(admin.updateContent({ path: { id }, body: { [name]: value ?? null }, query: inRelease() })),
    type,
  );
  const choose = (next: Field | undefined) => {
    setName(next?.name ?? '');
    setDraft(next?.required ? toNewDraft(next, shapes) : undefined);
  };
  return (
    <BulkDialog
      title={items.length === 1 ? 'Change 1 asset' : `Change ${items.length} assets`}
      action="Change"
      done="changed"
      bulk={bulk}
      isReady={field !== undefined && flaws.length === 0 && changed.length > 0}
      selection={selection}
      onRun={() => void bulk.run(changed)}
      onClose={onClose}
    >
      <NativeSelect
        label="Field"
        value={name}
        data={[
          { value: '', label: 'Choose a field' },
          ...fields.map((each) => ({ value: each.name, label: fullLabelOf(each) })),
        ]}
        onChange={(event) => choose(fields.find((each) => each.name === event.currentTarget.value))}
      />
      {field && (
        <FormContext
          value={{ shapes, messageAt: (path) => flaws.find((flaw) => flaw.path === path)?.message }}
        >
          <FieldInput key={name} field={field} path={name} draft={draft} onChange={setDraft} />
        </FormContext>
      )}
      {field && present.isPending && <Loading />}
      <ProblemAlert
        error={present.error}
        title="The present values could not be loaded"
        onRetry={present.refetch}
      />
      {field && present.data && flaws.length === 0 && (
        <Text size="sm">
          {describe({ field, isCleared: value === undefined, changed: changed.length, total: items.length })}
        </Text>
      )}
    </BulkDialog>
  );
}

function describe({
  field,
  isCleared,
  changed,
  total,
}: {
  field: Field;
  isCleared: boolean;
  changed: number;
  total: number;
}): string {
  const label = fullLabelOf(field);
  const effect = isCleared ? `lose the value of ${label}` : `get this value of ${label}`;
  const same = total - changed;
  const rest = same === 0 ? '' : ` ${same} have it already, or no longer exist, and stay as they are.`;
  return `${changed} of ${total} assets ${effect}. Their other fields stay.${rest}`;
}
