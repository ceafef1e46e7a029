/**
 * The state of a REST endpoint as a coloured badge.
 */
import { Group } from '@mantine/core';
import type { RestEndpoint } from '../../api.ts';
import { Mark, PublicWritesMark } from '../layout/mark.tsx';

const states = {
  draft: { label: 'Draft', color: 'gray' },
  published: { label: 'Published', color: 'green' },
  changed: { label: 'Published, draft differs', color: 'blue' },
} as const;

/** Its badge; further ones when published mappings are broken, with their number, and when anyone can change content through it. */
export function EndpointState({
  endpoint,
}: {
  endpoint: Pick<RestEndpoint, 'state' | 'broken' | 'warnings' | 'published'>;
}) {
  const { state, broken, published } = endpoint;
  const warnings = [...endpoint.warnings, ...(published?.warnings ?? [])];
  const hasPublicWrites = warnings.some(({ code }) => code === 'public_write');
  return <StateMarks state={state} broken={broken.length} hasPublicWrites={hasPublicWrites} />;
}

/** The same badges, of an endpoint in short. */
export function StateMarks({
  state,
  broken,
  hasPublicWrites,
}: {
  state: RestEndpoint['state'];
  broken: number;
  hasPublicWrites: boolean;
}) {
  const { label, color } = states[state];
  return (
    <Group gap={4}>
      <Mark color={color}>{label}</Mark>
      {broken > 0 && <Mark color="red">{`${broken} broken`}</Mark>}
      {hasPublicWrites && <PublicWritesMark />}
    </Group>
  );
}
