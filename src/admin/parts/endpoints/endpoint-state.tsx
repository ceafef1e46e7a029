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
  const warnings = [...endpoint.warnings, ...(endpoint.published?.warnings ?? [])];
  const { label, color } = states[endpoint.state];
  return (
    <Group gap={4}>
      <Mark color={color}>{label}</Mark>
      {endpoint.broken.length > 0 && <Mark color="red">{`${endpoint.broken.length} broken`}</Mark>}
      <PublicWritesMark warnings={warnings} />
    </Group>
  );
}
