/**
 * Shows the difference between two states of an asset, field by field, and their JSON on request.
 */
import { Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Asset, Field } from '../../api.ts';
import { RichTextFrame } from '../assets/rich-text-frame.tsx';
import { fullLabelOf } from '../data/field-label.ts';
import { viewOf } from '../data/scalar-views.ts';
import { CopyField } from '../layout/copy-field.tsx';
import { Mark } from '../layout/mark.tsx';
import {
  type ComparedType,
  compareAssets,
  type FieldDifference,
  labelOfDifference,
} from './compare-values.ts';
import { DifferenceView } from './difference-view.tsx';
import { ValueView } from './value-view.tsx';

/** Two states of an asset; undefined means that it does not exist. */
export interface States {
  readonly before: Asset | undefined;
  readonly after: Asset | undefined;
}

/** The fields that differ, and the others of the later state if `withEqual`. `controlOf` adds a control to each, such as a checkbox. */
export function AssetDifference({
  type,
  states,
  withEqual = false,
  controlOf,
}: {
  type: ComparedType;
  states: States;
  withEqual?: boolean;
  controlOf?: (field: FieldDifference) => ReactNode;
}) {
  const differences = compareAssets(type, states.before, states.after);
  return (
    <Stack gap="sm">
      {differences.length === 0 && <Text size="sm">No field differs.</Text>}
      {differences.map((each) => (
        <FieldChange key={each.name} change={each} control={controlOf?.(each)} />
      ))}
      {withEqual && (
        <EqualFields type={type} state={states.after} differing={differences.map(({ name }) => name)} />
      )}
      <BothStates states={states} />
    </Stack>
  );
}

/** The fields that do not differ, as readers see them. */
function EqualFields({
  type,
  state = {},
  differing,
}: {
  type: ComparedType;
  state: Readonly<Record<string, unknown>> | undefined;
  differing: readonly string[];
}) {
  return type.fields
    .filter(({ name }) => state[name] !== undefined && !differing.includes(name))
    .map((field) => (
      <Paper key={field.name} withBorder p="sm" role="group" aria-label={fullLabelOf(field)}>
        <Text size="sm" fw={600} mb="xs">
          {fullLabelOf(field)}
        </Text>
        <RenderedValue field={field} value={state[field.name]} />
      </Paper>
    ));
}

function RenderedValue({ field, value }: { field: Field; value: unknown }) {
  if (viewOf(field.type) === 'richText' && typeof value === 'string')
    return <RichTextFrame title={fullLabelOf(field)} html={value} />;
  return <ValueView field={field} value={value} />;
}

/** One field, with its name, how it changed, and an optional control before its name. */
export function FieldChange({ change, control }: { change: FieldDifference; control?: ReactNode }) {
  const { field, difference } = change;
  const label = labelOfDifference(change);
  return (
    <Paper withBorder p="sm" role="group" aria-label={label}>
      <Group gap="xs" mb="xs">
        {control}
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }} title={change.name}>
          {label}
        </Text>
        <Mark>{markOf(difference.kind)}</Mark>
        {!field && <Mark color="orange">Not in the type</Mark>}
      </Group>
      <DifferenceView name={label} field={field} difference={difference} />
    </Paper>
  );
}

function markOf(kind: FieldDifference['difference']['kind']): string {
  if (kind === 'added') return 'Added';
  return kind === 'removed' ? 'Removed' : 'Changed';
}

function BothStates({ states: { before, after } }: { states: States }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  return (
    <div>
      <Button variant="default" size="xs" mb="xs" aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Hide' : 'Show'} JSON
      </Button>
      {isOpen && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          {before && <CopyField label="Before" text={JSON.stringify(before, null, 2)} maxHeight={480} />}
          {after && <CopyField label="After" text={JSON.stringify(after, null, 2)} maxHeight={480} />}
        </SimpleGrid>
      )}
    </div>
  );
}
