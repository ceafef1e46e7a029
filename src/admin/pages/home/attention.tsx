/**
 * What needs attention: broken mappings, webhooks and content, and releases that have stopped.
 */
import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Dashboard } from '../../api.ts';
import { dashboard } from '../../parts/data/dashboard.ts';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { useTypeNames } from '../../parts/data/type-names.ts';
import { pathOfUnfit, unfitPath } from '../../parts/data/unfit.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loaded.tsx';
import { nameOfRelease, pathOfRelease } from '../../parts/releases/release-data.ts';
import { describeState } from '../../parts/webhooks/webhook-state.ts';

/** The section, or why it could not be read. */
export function Attention() {
  return (
    <Section title="Needs attention">
      <Loaded query={useQuery(dashboard)} what="what needs attention">
        {(found) => <Broken dashboard={found} />}
      </Loaded>
    </Section>
  );
}

function Broken({ dashboard: { mappings, webhooks, releases, unfit } }: { dashboard: Dashboard }) {
  const nameOf = useTypeNames();
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
            </Anchor>
            <Text size="xs" c="dimmed">
              {message}
            </Text>
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
            <Mark color={describeState(webhook).color}>{describeState(webhook).label}</Mark>
            <Text size="xs" c="dimmed">
              {describeState(webhook).meaning}
            </Text>
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
        {unfit.items.map(({ class: className, assets }) => (
          <List.Item key={className}>
            <Anchor component={Link} dir="auto" to={pathOfUnfit(className)} size="sm" underline="always">
              {nameOf(className)}
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
      <List size="sm" listStyleType="none" spacing={4} aria-label={title}>
        {children}
      </List>
    </>
  );
}
