/**
 * What the revert of a run would do, asset by asset, and what it would leave as it is.
 */
import { Anchor, Group, List, Paper, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Field, PlannedRevert, RevertConflict } from '../../api.ts';
import { TypeName } from '../../parts/assets/asset-name.tsx';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { FieldChange } from '../../parts/difference/asset-difference.tsx';
import { type ComparedType, compareField } from '../../parts/difference/compare-values.ts';
import { ValueView } from '../../parts/difference/value-view.tsx';
import { Mark } from '../../parts/layout/mark.tsx';
import { EmptyState } from '../../parts/layout/page.tsx';
import { ShowMore } from '../../parts/layout/paging.tsx';
import { Loading } from '../../parts/loading/loading.tsx';
import { ProblemAlert } from '../../parts/problems/problem-alert.tsx';
import { Moment } from '../../parts/time/ago.tsx';
import { revertPlan, revertWords } from './run-data.ts';

/** The list, in pages. */
export function RevertPreview({ run }: { run: string }) {
  const query = useInfiniteQuery(revertPlan(run));
  const [isConflictsOnly, setIsConflictsOnly] = useState(false);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const shown = isConflictsOnly ? items.filter(({ conflict }) => conflict !== undefined) : items;
  const conflictCount = items.filter(({ conflict }) => conflict !== undefined).length;
  return (
    <Stack gap="sm" role="region" aria-label="Preview">
      <ProblemAlert error={query.error} title="The preview could not be made" onRetry={query.refetch} />
      {query.isPending && <Loading />}
      {query.data && items.length === 0 && !query.hasNextPage && (
        <EmptyState title="Nothing to revert">All assets are in the state that they had before.</EmptyState>
      )}
      {items.length > 0 && (
        <Group justify="space-between">
          <Text size="sm" aria-live="polite">
            {countOf(items.length, 'step')}
            {query.hasNextPage && ' so far'}, {describeConflicts(conflictCount)}
          </Text>
          <Switch
            label="Only conflicts"
            checked={isConflictsOnly}
            onChange={(event) => setIsConflictsOnly(event.currentTarget.checked)}
          />
        </Group>
      )}
      {shown.map((item, index) => (
        <Step key={`${item.asset} ${index}`} item={item} />
      ))}
      <ShowMore query={query}>Show more</ShowMore>
    </Stack>
  );
}

function describeConflicts(count: number): string {
  if (count === 0) return 'no conflicts';
  return `${formatNumber(count)} of them ${count === 1 ? 'a conflict' : 'conflicts'}`;
}

function Step({ item }: { item: PlannedRevert }) {
  const { asset, type, title, action, changes, conflict } = item;
  return (
    <Paper withBorder p="sm" component="section" aria-label={title}>
      <Group gap="xs" mb={changes.length > 0 || conflict ? 'xs' : 0}>
        <Mark {...(conflict && { color: 'orange' })}>{conflict ? 'Conflict' : revertWords[action]}</Mark>
        <Anchor
          component={Link}
          to={`${pathOfAsset({ _id: asset, _type: type })}?tab=history`}
          size="sm"
          style={{ overflowWrap: 'anywhere' }}
        >
          {title}
        </Anchor>
        <TypeName className={type} />
      </Group>
      {conflict && <ConflictReason type={type} conflict={conflict} />}
      {!conflict && <Changes type={type} changes={changes} />}
    </Paper>
  );
}

function Changes({ type, changes }: Pick<PlannedRevert, 'type' | 'changes'>) {
  const compared = useQuery(contentType(type)).data ?? unknownType;
  const shown = changes.filter(({ path }) => path !== 'cms.content.updateDate');
  if (shown.length === 0) return null;
  return (
    <List
      listStyleType="none"
      spacing="xs"
      styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
    >
      {shown.map(({ path, from, to }) => (
        <List.Item key={path}>
          <FieldChange change={compareField(compared, path, { before: from, after: to })} />
        </List.Item>
      ))}
    </List>
  );
}

/** Stands for a type until it is loaded, or when it no longer exists. */
const unknownType: ComparedType = { fields: [], embeddedTypes: [] };

/** The reason with its facts: the later change with both values, the assets that refer to it, or the rules it breaks. */
function ConflictReason({ type, conflict }: { type: string; conflict: RevertConflict }) {
  const { message, change, values = [], problems = [], referrers = [] } = conflict;
  const { data: shape } = useQuery(contentType(type));
  const nameOf = (path: string) => (shape ? labelOfPath(shape, path) : path);
  const shown = values.filter(({ path }) => path !== 'cms.content.updateDate');
  return (
    <Stack gap="xs">
      <Text size="sm">
        {message}
        {change && (
          <>
            {': '}
            {nameOfActor(change.by)}, <Moment ms={change.at} />
          </>
        )}
      </Text>
      {shown.map((value) => (
        <BothValues
          key={value.path}
          name={nameOf(value.path)}
          value={value}
          field={shape?.fields.find(({ name }) => name === value.path)}
        />
      ))}
      {(problems.length > 0 || referrers.length > 0) && (
        <List size="sm">
          {problems.map(({ path, message }) => (
            <List.Item key={`${path} ${message}`}>
              <strong>{nameOf(path)}</strong> {message}
            </List.Item>
          ))}
          {referrers.map((asset) => (
            <List.Item key={asset._id}>
              <Anchor component={Link} to={pathOfAsset(asset)} size="sm">
                {asset.title}
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

function BothValues({
  name,
  value: { theirs, yours },
  field,
}: {
  name: string;
  value: NonNullable<RevertConflict['values']>[number];
  field: Field | undefined;
}) {
  const side = (label: string, value: unknown) => (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {value === undefined ? 'no value' : <ValueView field={field} value={value} />}
      </Text>
    </div>
  );
  return (
    <div>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
        {side('Now', theirs)}
        {side('Before the run', yours)}
      </SimpleGrid>
    </div>
  );
}
