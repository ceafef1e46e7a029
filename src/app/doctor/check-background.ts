/**
 * Checks the work that servers do in the background: deliveries to webhooks, and reverts of runs.
 */
import type { RunRecords } from '../../access/runs/run-records.ts';
import { abandonedMs } from '../../access/runs/runs.ts';
import type { Clock } from '../../base/runtime.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { CursorRecords } from '../../webhooks/records/cursor-records.ts';
import type { HeldAssets } from '../../webhooks/records/held-assets.ts';
import { listStoredWebhooks } from '../../webhooks/records/stored-webhooks.ts';
import type { Webhook } from '../../webhooks/records/webhook.ts';
import { type Finding, findingsOf } from './finding.ts';

/** The records of background work. */
export interface BackgroundRecords {
  readonly system: ContentService;
  readonly cursors: Pick<CursorRecords, 'find'>;
  readonly held: Pick<HeldAssets, 'count'>;
  readonly runs: Pick<RunRecords, 'list'>;
}

/** How many of the newest runs are looked at. */
const runsAtMost = 100;

/** Checks the records. Errors: those of the store. */
export async function checkBackground(records: BackgroundRecords, clock: Clock): Promise<Finding[]> {
  const webhooks = await listStoredWebhooks(records.system);
  const found: Finding[] = [];
  for (const webhook of webhooks) found.push(...(await checkWebhook(webhook, records)));
  const { ok } = findingsOf('webhooks');
  const sound =
    webhooks.length > 0 && found.length === 0 ? [ok(`${webhooks.length} webhooks, none failing`)] : [];
  return [...sound, ...found, ...(await checkReverts(records, clock))];
}

async function checkWebhook(
  { id, name, disabled }: Webhook,
  { cursors, held }: BackgroundRecords,
): Promise<Finding[]> {
  const { warning } = findingsOf('webhooks');
  if (disabled?.reason === 'user') return [];
  if (disabled) {
    const why =
      disabled.reason === 'gone' ? 'its receiver answered 410' : 'its receiver failed for three days';
    const since = new Date(disabled.atMs).toISOString();
    return [
      warning(
        `webhook ${name} is disabled since ${since}, because ${why}; enable it once the receiver works`,
      ),
    ];
  }
  const [cursor, waiting] = await Promise.all([cursors.find(id), held.count(id)]);
  const since = cursor?.failingSinceMs;
  if (since !== undefined)
    return [
      warning(
        `webhook ${name} fails since ${new Date(since).toISOString()}; the changes of ${waiting} assets wait`,
      ),
    ];
  return waiting === 0
    ? []
    : [
        warning(
          `webhook ${name}: a delivery of each of ${waiting} assets has failed and will be tried again`,
        ),
      ];
}

async function checkReverts({ runs }: BackgroundRecords, clock: Clock): Promise<Finding[]> {
  const { warning } = findingsOf('runs');
  const newest = await runs.list({ limit: runsAtMost });
  return newest.flatMap(({ revertOf, stored: { asset } }) => {
    const isOver = revertOf === undefined || asset.finishedAt !== undefined;
    if (isOver || clock.nowMs() - Number(asset.renewedAt) < abandonedMs) return [];
    return [
      warning(
        `the revert of run ${revertOf} was interrupted and does not go on by itself: run \`colophon runs revert ${revertOf}\``,
      ),
    ];
  });
}
