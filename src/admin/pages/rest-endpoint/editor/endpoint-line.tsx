/**
 * The line below an endpoint's title: its state, its latest version and a link to its API reference.
 */
import { Anchor, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EndpointState } from '../../../parts/endpoints/endpoint-state.tsx';
import { Moment } from '../../../parts/time/moment.tsx';
import type { Kept } from '../rest-endpoint-data.ts';
import { actionWords } from '../versions/version-words.ts';

/** The line; of a new endpoint there is only what stands in it. */
export function EndpointLine({ kept, children }: { kept: Kept | undefined; children: ReactNode }) {
  if (!kept) return children && <Group>{children}</Group>;
  const { data: endpoint } = kept;
  const { id, number, action, savedAt, savedBy, published } = endpoint;
  return (
    <Group gap="md">
      <EndpointState endpoint={endpoint} />
      {children}
      <Text size="sm">
        Version {number}, {actionWords[action]} <Moment ms={savedAt} /> by {savedBy}
      </Text>
      <Anchor component={Link} to={`/admin/rest-endpoints/${id}/versions`} size="sm" underline="always">
        Versions
      </Anchor>
      {published && (
        <Anchor component={Link} to={`/docs/${id}`} size="sm" underline="always">
          Reference of the published version
        </Anchor>
      )}
    </Group>
  );
}
