/**
 * What needs attention, a card for each: stopped releases and reverts, failing webhooks, broken mappings, content that does not fit its
 * type, and the imports of the last day.
 */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Dashboard, Run } from '../../api.ts';
import { nameOfActor, pathOfRun } from '../../parts/changes/actor-name.tsx';
import { dashboard, useTypeNames } from '../../parts/data/lists.ts';
import { countOf, formatNumber } from '../../parts/data/number-words.ts';
import { unfitPath } from '../../parts/data/unfit.ts';
import { Section } from '../../parts/layout/page.tsx';
import { Loaded } from '../../parts/loading/loading.tsx';
import { nameOfRelease, pathOfRelease, scheduledReleases } from '../../parts/releases/release-data.ts';
import { describeState } from '../../parts/webhooks/webhook-state.ts';
import { describeWrites, kindOfRun } from '../runs/run-data.ts';
import { type Card, Cards } from './cards.tsx';
import { latestRuns } from './home-data.ts';

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

function Found({ dashboard: found }: { dashboard: Dashboard }) {
  const nameOf = useTypeNames();
  const scheduled = useQuery(scheduledReleases).data?.items ?? [];
  const runs = useQuery(latestRuns).data ?? [];
  const countDrafts = (release: string) => {
    const drafts = scheduled.find(({ name }) => name === release)?.drafts;
    return drafts === undefined ? undefined : countOf(drafts, 'draft');
  };
  const faults = listFaults(found, { nameOf, countDrafts });
  const { mappings, webhooks, releases, unfit } = found;
  const unlisted = [mappings, webhooks, releases].reduce(
    (sum, listed) => sum + (listed ? listed.count - listed.items.length : 0),
    0,
  );
  return (
    <>
      {faults.length === 0 && (
        <Text size="sm">
          Nothing: all published mappings work, all webhooks reach their receivers, all assets fit their
          types, and no scheduled release has stopped.
        </Text>
      )}
      {!unfit.isCounted && <Text size="sm">Assets are being checked against their types.</Text>}
      <Cards cards={[...faults, ...runs.flatMap(describeRun)]} />
      {unlisted > 0 && <Text size="sm">And {formatNumber(unlisted)} more, on the pages of these.</Text>}
    </>
  );
}

/** Webhooks in one state: one card leads to the one that there is, or to all. */
function describeWebhooks([first, ...others]: readonly DashboardWebhook[]): Card[] {
  if (!first) return [];
  const { label, color, meaning } = describeState(first);
  const names = [first, ...others].map(({ name }) => name).join(', ');
  const isOne = others.length === 0;
  return [
    {
      mark: { label: `Webhook: ${label}`, color },
      title: isOne ? first.name : countOf(others.length + 1, 'webhook'),
      cause: isOne ? meaning : `${names}. ${meaning}`,
      action: isOne ? 'See its deliveries' : 'See the webhooks',
      to: isOne ? `/admin/webhooks/${first.id}` : '/admin/webhooks',
    },
  ];
}

type DashboardWebhook = NonNullable<Dashboard['webhooks']>['items'][number];

function listFaults(
  { mappings, webhooks, releases, unfit }: Dashboard,
  {
    nameOf,
    countDrafts,
  }: { nameOf: (className: string) => string; countDrafts: (release: string) => string | undefined },
): readonly Card[] {
  const counts = unfit.items.map(
    ({ class: className, assets }) => `${nameOf(className)}: ${formatNumber(assets)}`,
  );
  return [
    ...(releases?.items ?? []).map(({ name, title, message, at }) => ({
      mark: { label: 'Stopped release', color: 'red' },
      title: nameOfRelease({ name, ...(title !== undefined && { title }) }),
      cause: [countDrafts(name), message].filter((part) => part !== undefined).join(': '),
      at,
      action: 'Open the release',
      to: pathOfRelease(name),
    })),
    ...[...Map.groupBy(webhooks?.items ?? [], (webhook) => describeState(webhook).label).values()].flatMap(
      describeWebhooks,
    ),
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

/** A revert that stopped, or an import that may still be going on: its run is open for a day after the last write. */
function describeRun(run: Run): readonly Card[] {
  const { name, by, state, revert, beganAt, lastWriteAt = beganAt } = run;
  const to = pathOfRun(name);
  if (revert?.state === 'interrupted') {
    const cause = `${countOf(revert.written, 'write')} done, ${countOf(revert.conflicts, 'conflict')}`;
    const mark = { label: 'Stopped revert', color: 'red' };
    return [{ mark, title: `Revert of ${name}`, cause, at: lastWriteAt, action: 'Continue it', to }];
  }
  if (state !== 'open' || kindOfRun(name) !== 'Import') return [];
  const mark = { label: 'Import', color: 'blue' };
  const cause = `${describeWrites(run)}, by ${nameOfActor(by)}`;
  return [{ mark, title: name, cause, at: lastWriteAt, action: 'Check it, or revert it', to }];
}
