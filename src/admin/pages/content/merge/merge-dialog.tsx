/**
 * Asks which value to keep of each field that two people have changed at the same time.
 */
import { Paper, Radio, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { ContentType } from '../../../api.ts';
import { Confirm } from '../../../parts/confirm/confirm.tsx';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { compareField } from '../../../parts/difference/compare-values.ts';
import { DifferenceView } from '../../../parts/difference/difference-view.tsx';
import { isSameValue } from '../../../parts/difference/same-value.ts';
import { ValueView } from '../../../parts/difference/value-view.tsx';
import type { MergeConflict, TheirChanges } from './find-conflicts.ts';

/** Whose value of a field to keep. */
export type Side = 'mine' | 'theirs';

/**
 * The dialog. `onMerge` receives the names of the fields whose values of the other person are kept. `action` is the word on its button,
 * `after` says what happens then.
 */
export function MergeDialog({
  type,
  changes,
  action = 'Save',
  after = 'Nothing is saved until you do.',
  lastSave,
  onClose,
  onMerge,
}: {
  type: ContentType;
  changes: TheirChanges;
  action?: string;
  after?: string;
  /** Who the other person is. */
  lastSave?: ReactNode;
  onClose: () => void;
  onMerge: (theirs: readonly string[]) => void | Promise<void>;
}) {
  const [sides, setSides] = useState<Readonly<Record<string, Side>>>({});
  const { conflicts, others } = changes;
  const names = conflicts.map(({ name }) => name);
  return (
    <Confirm
      title="Someone else has changed the same fields"
      size="xl"
      consequence={`Choose which value to keep for each field. ${after}`}
      action={action}
      color="indigo"
      isReady={names.every((name) => sides[name] !== undefined)}
      isOpen
      onClose={onClose}
      onConfirm={async () => await onMerge(names.filter((name) => sides[name] === 'theirs'))}
    >
      {lastSave}
      <Stack
        gap="md"
        mah="55vh"
        style={{ overflowY: 'auto' }}
        tabIndex={0}
        role="group"
        aria-label="Conflicts"
      >
        {conflicts.map((conflict) => (
          <Radio.Group
            key={conflict.name}
            label={labelOfPath(type, conflict.name)}
            value={sides[conflict.name] ?? null}
            // Safe: the values of the choices below.
            onChange={(side) => setSides((before) => ({ ...before, [conflict.name]: side as Side }))}
          >
            <Stack gap="xs" mt="xs">
              <Choice type={type} conflict={conflict} side="theirs" label="Keep their value" />
              <Choice type={type} conflict={conflict} side="mine" label="Keep my value" />
            </Stack>
          </Radio.Group>
        ))}
        {others.length > 0 && (
          <Text size="sm">
            Their changes of other fields are kept: {others.map((name) => labelOfPath(type, name)).join(', ')}
            .
          </Text>
        )}
      </Stack>
    </Confirm>
  );
}

/** One of the two values, as it differs from what both began with, or alone where it has nothing in common with that. */
function Choice({
  type,
  conflict,
  side,
  label,
}: {
  type: ContentType;
  conflict: MergeConflict;
  side: Side;
  label: string;
}) {
  const { name, base } = conflict;
  const values = { before: base, after: conflict[side] };
  const { field, difference } = compareField(type, name, values);
  return (
    <Paper withBorder p="sm">
      <Radio value={side} label={label} aria-label={`${label} of ${labelOfPath(type, name)}`} mb="xs" />
      {isSameValue(values.before, values.after) && <Text size="sm">Not changed.</Text>}
      {!isSameValue(values.before, values.after) &&
        (difference.kind === 'replaced' ? (
          <Text size="sm" component="div">
            <ValueView field={field} value={difference.after} />
          </Text>
        ) : (
          <DifferenceView name={labelOfPath(type, name)} field={field} difference={difference} />
        ))}
    </Paper>
  );
}
