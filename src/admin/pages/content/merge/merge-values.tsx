/**
 * Asks which values to keep of an asset that two people have changed at the same time.
 */
import { Text } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { ContentType } from '../../../api.ts';
import { labelOfPath } from '../../../parts/data/field-label.ts';
import { compareField } from '../../../parts/difference/compare-values.ts';
import { DifferenceView } from '../../../parts/difference/difference-view.tsx';
import { isSameValue, type MergeConflict } from '../../../parts/difference/same-value.ts';
import { ValueView } from '../../../parts/difference/value-view.tsx';
import { MergeDialog, type Side } from '../../../parts/forms/merge-dialog.tsx';

/** The dialog for the fields of a type. */
export function MergeValues({
  type,
  ...rest
}: { type: ContentType } & Omit<ComponentProps<typeof MergeDialog>, 'labelOf' | 'children'>) {
  return (
    <MergeDialog {...rest} labelOf={(name) => labelOfPath(type, name)}>
      {(conflict, side) => <OneValue type={type} conflict={conflict} side={side} />}
    </MergeDialog>
  );
}

/** One of the two values, as it differs from what both began with, or alone where it has nothing in common with that. */
function OneValue({ type, conflict, side }: { type: ContentType; conflict: MergeConflict; side: Side }) {
  const { name, base } = conflict;
  if (isSameValue(base, conflict[side])) return <Text size="sm">Not changed.</Text>;
  const { field, difference } = compareField(type, name, { before: base, after: conflict[side] });
  if (difference.kind !== 'replaced')
    return <DifferenceView name={labelOfPath(type, name)} field={field} difference={difference} />;
  return (
    <Text size="sm" component="div">
      <ValueView field={field} value={difference.after} />
    </Text>
  );
}
