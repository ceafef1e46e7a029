/**
 * Gives a field of the selected assets another value, or adds items to a list and takes them away.
 */
import { Checkbox, Group, NativeSelect, Radio, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { admin, answer, type Field } from '../../../../api.ts';
import { fullLabelOf, isSystemField, wordsOf } from '../../../../parts/data/field-label.ts';
import { countOf, formatNumber } from '../../../../parts/data/number-words.ts';
import { type Shapes, shapesOf, viewOf } from '../../../../parts/data/scalar-views.ts';
import { isSameValue } from '../../../../parts/difference/same-value.ts';
import { Loading } from '../../../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../../../parts/problems/problem-alert.tsx';
import { type Draft, toNewDraft } from '../../draft/draft.ts';
import { FormContext } from '../../draft/form-context.ts';
import { readField } from '../../draft/read-draft.ts';
import { FieldInput } from '../../inputs/field-input.tsx';
import { findSelected, type SelectedAsset } from '../use-selection.ts';
import { BulkDialog } from './bulk-dialog.tsx';
import { updateFresh } from './bulk-run.ts';
import { type BulkProps, useBulk } from './use-bulk.ts';

/** The dialog. */
export function BulkChange({ type, selection, onClose }: BulkProps) {
  const [items] = useState(selection.items);
  const [name, setName] = useState('');
  const [draft, setDraft] = useState<Draft>();
  const [isEmptied, setIsEmptied] = useState(false);
  const [isTouched, setIsTouched] = useState(false);
  const [mode, setMode] = useState<Mode>('set');
  const shapes = useMemo(() => shapesOf(type), [type]);
  // A unique value cannot be that of several assets.
  const fields = type.fields.filter((each) => !isSystemField(each) && !each.indexed?.unique);
  const field = fields.find((each) => each.name === name);
  const { value, flaws } = isEmptied ? emptied(field) : readGiven(field, draft, shapes);
  // Nothing is changed before the user has said to what.
  const isGiven = isEmptied || (isTouched && !isEmpty(value));
  // One of few values is chosen by one click; other fields have the input of the form.
  const choices = field && choicesOf(field);
  const next = (stored: unknown) =>
    mode === 'set' ? value : changeList({ mode, stored, items: value, field });
  const present = useQuery({
    queryKey: ['bulk-change', name, items.map(({ asset }) => asset._id)],
    queryFn: () => findSelected(type, items, [name]),
    enabled: field !== undefined,
    gcTime: 0,
  });
  const changed = items.filter(({ asset }) => {
    const stored = present.data?.get(asset._id);
    return stored !== undefined && !isSameValue(stored[name], next(stored[name]));
  });
  const bulk = useBulk(
    ({ asset: { _id: id } }: SelectedAsset, target) =>
      mode === 'set'
        ? answer(admin.updateContent({ path: { id }, body: { [name]: value ?? null }, ...target }))
        : updateFresh({ id, target, change: (stored) => ({ [name]: next(stored[name]) ?? null }) }),
    type,
  );
  const choose = (next: Field | undefined) => {
    setName(next?.name ?? '');
    setMode(next?.list ? 'add' : 'set');
    setDraft(next?.required && !choicesOf(next) ? toNewDraft(next, shapes) : undefined);
    setIsTouched(false);
    setIsEmptied(false);
  };
  const give = (next: Draft) => {
    setDraft(next);
    setIsTouched(true);
    setIsEmptied(false);
  };
  return (
    <BulkDialog
      title={`Change ${countOf(items.length, 'asset')}`}
      action="Change"
      done="changed"
      bulk={bulk}
      isReady={isGiven && flaws.length === 0 && changed.length > 0}
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
      {field?.list && (
        <NativeSelect
          label="How"
          value={mode}
          data={Object.entries(modes).map(([key, label]) => ({ value: key, label }))}
          // The options are the keys of the table.
          onChange={(event) => {
            setMode(event.currentTarget.value as Mode);
            setIsEmptied(false);
          }}
        />
      )}
      {field && (
        <FormContext
          value={{ shapes, messageAt: (path) => flaws.find((flaw) => flaw.path === path)?.message }}
        >
          {choices ? (
            <Radio.Group
              label={fullLabelOf(field)}
              value={isEmptied ? noValue : isTouched ? String(draft) : null}
              onChange={(chosen) =>
                chosen === noValue
                  ? setIsEmptied(true)
                  : give(choices.find(({ key }) => key === chosen)?.draft)
              }
            >
              <Group gap="md" mt={4}>
                {!field.required && <Radio value={noValue} label="not set" />}
                {choices.map(({ key, label }) => (
                  <Radio key={key} value={key} label={label} />
                ))}
              </Group>
            </Radio.Group>
          ) : (
            <>
              {!isEmptied && (
                <FieldInput key={name} field={field} path={name} draft={draft} onChange={give} />
              )}
              {mode === 'set' && (field.list || !field.required) && (
                <Checkbox
                  label={`Remove the ${field.list ? 'items' : 'value'} of ${fullLabelOf(field)}`}
                  checked={isEmptied}
                  onChange={(event) => setIsEmptied(event.currentTarget.checked)}
                />
              )}
            </>
          )}
        </FormContext>
      )}
      {field && present.isPending && <Loading />}
      <ProblemAlert
        error={present.error}
        title="The present values could not be loaded"
        onRetry={present.refetch}
      />
      {field && isGiven && present.data && flaws.length === 0 && (
        <Text size="sm">
          {describe({
            field,
            mode,
            isCleared: isEmptied,
            changed: changed.length,
            total: items.length,
          })}
        </Text>
      )}
    </BulkDialog>
  );
}

/** The choice of no value; values of enums are names. */
const noValue = '';

/** What the user has given for a field. */
const readGiven = (field: Field | undefined, draft: Draft, shapes: Shapes) =>
  field ? readField(field, draft, { path: field.name, shapes }) : emptied(field);

/** A required list stays, without items. */
const emptied = (field: Field | undefined): ReturnType<typeof readField> => ({
  value: field?.required ? [] : undefined,
  flaws: [],
});

const isEmpty = (value: unknown) => value === undefined || (Array.isArray(value) && value.length === 0);

/** The values of a field that has few of them. */
function choicesOf({ type, list }: Field): { key: string; label: string; draft: Draft }[] | undefined {
  if (list) return undefined;
  if (viewOf(type) === 'yesOrNo')
    return [true, false].map((draft) => ({ key: String(draft), label: draft ? 'yes' : 'no', draft }));
  if (type.values === undefined || type.values.length > 8) return undefined;
  return type.values.map((key) => ({ key, label: wordsOf(type, key), draft: key }));
}

/** What can be done with a list. */
const modes = {
  add: 'Add these items at the end, where they are missing',
  take: 'Take these items away',
  set: 'Replace the whole list',
} as const;
type Mode = keyof typeof modes;

function changeList({
  mode,
  stored,
  items,
  field,
}: {
  mode: Exclude<Mode, 'set'>;
  stored: unknown;
  items: unknown;
  field: Field | undefined;
}): unknown {
  const before: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const given: readonly unknown[] = Array.isArray(items) ? items : [];
  const isIn = (list: readonly unknown[], item: unknown) => list.some((each) => isSameValue(each, item));
  const after =
    mode === 'add'
      ? [...before, ...given.filter((item) => !isIn(before, item))]
      : before.filter((item) => !isIn(given, item));
  // An optional list without items is omitted, as forms do.
  return after.length > 0 || field?.required ? after : undefined;
}

function describe({
  field,
  mode,
  isCleared,
  changed,
  total,
}: {
  field: Field;
  mode: Mode;
  isCleared: boolean;
  changed: number;
  total: number;
}): string {
  const label = fullLabelOf(field);
  const effects = {
    add: `get more items of ${label}`,
    take: `lose items of ${label}`,
    set: isCleared ? `lose the value of ${label}` : `get this value of ${label}`,
  };
  const effect = effects[mode];
  const same = total - changed;
  const rest =
    same === 0 ? '' : ` ${formatNumber(same)} are so already, or no longer exist, and stay as they are.`;
  return `${formatNumber(changed)} of ${countOf(total, 'asset')} ${effect}. Their other fields stay.${rest}`;
}
