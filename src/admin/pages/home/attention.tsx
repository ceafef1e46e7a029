/**
 * What needs attention, a card for each: stopped releases, failing webhooks, broken mappings, and content that does not fit its type.
 */
import { Anchor, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Dashboard } from '../../api.ts';
import { dashboard, useTypeNames } from '../../parts/data/lists.ts';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { unfitPath } from '../../parts/data/unfit.ts';
import { Mark } from '../../parts/layout/mark.tsx';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { nameOfRelease, pathOfRelease } from '../../parts/releases/release-data.ts';
import { Ago } from '../../parts/time/ago.tsx';
import { describeState } from '../../parts/webhooks/webhook-state.ts';
import classes from './attention.module.css';

/** The section, or why it could not be read. */
export function Attention() {
  return (
    <Section title="Needs attention">
      <Loaded query={useQuery(dashboard)} what="what needs attention">
        {(found) => <Found dashboard={found} />}
      </Loaded>
    </Section>
  );
}

/** What is wrong, since when, and the page on which it is mended. */
interface Fault {
  readonly mark: { readonly label: string; readonly color: string };
  readonly title: string;
  readonly cause: string;
  readonly at?: number;
  readonly action: string;
  readonly to: string;
}

function Found({ dashboard: found }: { dashboard: Dashboard }) {
  const nameOf = useTypeNames();
  const faults = listFaults(found, nameOf);
  const { mappings, webhooks, releases, unfit } = found;
  const unlisted =
    mappings.count +
    (webhooks?.count ?? 0) +
    (releases?.count ?? 0) +
    (unfit.assets > 0 ? 1 : 0) -
    faults.length;
  return (
    <>
      {faults.length === 0 && (
        <Text size="sm">
          Nothing: all published mappings work, all webhooks reach their receivers, all assets fit their
          types, and no scheduled release has stopped.
        </Text>
      )}
      {!unfit.isCounted && <Text size="sm">Assets are being checked against their types.</Text>}
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm" className={classes.cards}>
        {faults.map((fault, index) => (
          <li key={index} className={classes.card}>
            <Mark color={fault.mark.color}>{fault.mark.label}</Mark>
            <Anchor component={Link} to={fault.to} c="inherit" size="sm" fw={500} dir="auto">
              {fault.title}
            </Anchor>
            <Text size="xs" c="dimmed" lineClamp={3}>
              {fault.cause}
            </Text>
            <Text size="xs" className={classes.foot}>
              <span>{fault.at !== undefined && <Ago ms={fault.at} />}</span>
              <Anchor component={Link} to={fault.to} inherit underline="always">
                {fault.action}
              </Anchor>
            </Text>
          </li>
        ))}
      </SimpleGrid>
      {unlisted > 0 && <Text size="sm">And {formatNumber(unlisted)} more, on the pages of these.</Text>}
    </>
  );
}

function listFaults(
  { mappings, webhooks, releases, unfit }: Dashboard,
  nameOf: (className: string) => string,
): readonly Fault[] {
  const counts = unfit.items.map(
    ({ class: className, assets }) => `${nameOf(className)}: ${formatNumber(assets)}`,
  );
  return [
    ...(releases?.items ?? []).map(({ name, title, message, at }) => ({
      mark: { label: 'Stopped release', color: 'red' },
      title: nameOfRelease({ name, ...(title !== undefined && { title }) }),
      cause: message,
      at,
      action: 'Open the release',
      to: pathOfRelease(name),
    })),
    ...(webhooks?.items ?? []).map((webhook) => ({
      mark: { label: `Webhook: ${describeState(webhook).label}`, color: describeState(webhook).color },
      title: webhook.name,
      cause: describeState(webhook).meaning,
      action: 'See its deliveries',
      to: `/admin/webhooks/${webhook.id}`,
    })),
    ...mappings.items.map(({ endpoint, mapping, message }) => ({
      mark: { label: 'Broken mapping', color: 'red' },
      title: `${endpoint.name}: ${mapping}`,
      cause: message,
      action: 'Repair the mapping',
      to: `/admin/rest-endpoints/${endpoint.id}`,
    })),
    ...(unfit.assets === 0
      ? []
      : [
          {
            mark: { label: 'Content', color: 'orange' },
            title:
              unfit.assets === 1
                ? '1 asset does not fit its type'
                : `${countOf(unfit.assets, 'asset')} do not fit their types`,
            cause: counts.join(', '),
            action: 'Repair assets',
            to: unfitPath,
          },
        ]),
  ];
}
