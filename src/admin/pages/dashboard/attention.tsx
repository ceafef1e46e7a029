/**
 * What needs attention: broken mappings, webhooks and content; and the latest changes.
 */
import { Anchor, List, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Dashboard } from '../../api.ts';
import { nameOfActor } from '../../parts/changes/actor-name.tsx';
import { pathOfChange } from '../../parts/changes/change-table.tsx';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { pathOfUnfit, unfitPath } from '../../parts/data/unfit.ts';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { nameOfRelease, pathOfRelease } from '../../parts/releases/release-data.ts';
import { Moment } from '../../parts/time/moment.tsx';
import { describeState } from '../../parts/webhooks/webhook-state.ts';
import { useMay } from '../../roles.ts';
import { attention } from './dashboard-data.ts';

/** Two sections, side by side where there is room. */
export function Attention() {
  const query = useQuery(attention);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title="What is broken">
        <Loaded query={query} what="what is broken">
          {(dashboard) => <Broken dashboard={dashboard} />}
        </Loaded>
      </Section>
      <Section title="Latest changes">
        <Loaded query={query} what="the latest changes">
          {({ changes }) =>
            changes ? <Changes changes={changes} /> : <Text size="sm">This store keeps no change log.</Text>
          }
        </Loaded>
      </Section>
    </SimpleGrid>
  );
}

function Broken({ dashboard: { mappings, webhooks, releases, unfit } }: { dashboard: Dashboard }) {
  const counts = [mappings.count, webhooks?.count ?? 0, releases?.count ?? 0, unfit.assets];
  const isWhole = counts.every((count) => count === 0);
  return (
    <>
      {isWhole && (
        <Text size="sm">
          Nothing: all published mappings work, all webhooks reach their receivers, all assets fit their
          types, and no scheduled release has stopped.
        </Text>
      )}
      {!unfit.isCounted && <Text size="sm">Assets are being checked against their types.</Text>}
      <Group title="Mappings" count={mappings.count} noun="broken mapping">
        {mappings.items.map(({ endpoint, mapping, message }) => (
          <List.Item key={`${endpoint.id} ${mapping}`} style={{ overflowWrap: 'anywhere' }}>
            <Anchor
              component={Link}
              dir="auto"
              to={`/admin/rest-endpoints/${endpoint.id}`}
              size="sm"
              underline="always"
            >
              {endpoint.name}: {mapping}
            </Anchor>{' '}
            {message}
          </List.Item>
        ))}
      </Group>
      <Group title="Webhooks" count={webhooks?.count ?? 0} noun="broken webhook">
        {(webhooks?.items ?? []).map((webhook) => (
          <List.Item key={webhook.id}>
            <Anchor
              component={Link}
              dir="auto"
              to={`/admin/webhooks/${webhook.id}`}
              size="sm"
              underline="always"
            >
              {webhook.name}
            </Anchor>{' '}
            {describeState(webhook).meaning}
          </List.Item>
        ))}
      </Group>
      <Group title="Releases" count={releases?.count ?? 0} noun="stopped release">
        {(releases?.items ?? []).map(({ name, title, message }) => (
          <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
            <Anchor component={Link} dir="auto" to={pathOfRelease(name)} size="sm" underline="always">
              {nameOfRelease({ name, ...(title !== undefined && { title }) })}: {message}
            </Anchor>
          </List.Item>
        ))}
      </Group>
      <Group
        title="Assets that do not fit"
        count={unfit.assets}
        noun="asset that does not fit its type"
        plural="assets that do not fit their types"
      >
        {unfit.items.map(({ class: className, name, assets }) => (
          <List.Item key={className}>
            <Anchor component={Link} dir="auto" to={pathOfUnfit(className)} size="sm" underline="always">
              {name}
            </Anchor>{' '}
            {countOf(assets, 'asset')}
          </List.Item>
        ))}
      </Group>
      {unfit.assets > 0 && (
        <Anchor component={Link} dir="auto" to={unfitPath} size="sm" underline="always">
          Repair assets
        </Anchor>
      )}
    </>
  );
}

/** A list with its number; nothing if that is 0. */
function Group({
  title,
  count,
  noun,
  plural,
  children,
}: {
  title: string;
  count: number;
  noun: string;
  plural?: string;
  children: ReactNode;
}) {
  if (count === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="xs">
        {plural !== undefined && count !== 1 ? `${formatNumber(count)} ${plural}` : countOf(count, noun)}
      </Text>
      <List size="sm" aria-label={title}>
        {children}
      </List>
    </>
  );
}

function Changes({ changes }: { changes: NonNullable<Dashboard['changes']> }) {
  const mayAudit = useMay('admin');
  if (changes.length === 0) return <Text size="sm">Nothing has changed lately.</Text>;
  return (
    <>
      <List size="sm" aria-label="Latest changes">
        {changes.map((change) => (
          <List.Item key={change.id} style={{ overflowWrap: 'anywhere' }}>
            <ChangeLink change={change} />
            <Text size="xs">
              <Moment ms={change.at} /> by {nameOfActor(change.by)}
            </Text>
          </List.Item>
        ))}
      </List>
      {mayAudit && (
        <Anchor component={Link} dir="auto" to="/admin/audit" size="sm" underline="always">
          All changes
        </Anchor>
      )}
    </>
  );
}

/** What was done, as a link to the page of what it was done to, if it has one. */
function ChangeLink({ change }: { change: NonNullable<Dashboard['changes']>[number] }) {
  const path = pathOfChange(change);
  if (path === undefined) return change.description;
  return (
    <Anchor component={Link} dir="auto" to={path} size="sm" underline="always">
      {change.description}
    </Anchor>
  );
}
