/**
 * Says why a revert leaves an asset as it is.
 */
import { Anchor, List, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Field, RevertConflict } from '../../api.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { labelOfPath } from '../../parts/data/field-label.ts';
import { contentType } from '../../parts/data/lists.ts';
import { pathOfAsset } from '../../parts/data/load-titles.ts';
import { ValueView } from '../../parts/difference/value-view.tsx';
import { Moment } from '../../parts/time/ago.tsx';

/** The reason with its facts: the later change with both values, the assets that refer to it, or the rules it breaks. */
export function ConflictReason({ type, conflict }: { type: string; conflict: RevertConflict }) {
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
