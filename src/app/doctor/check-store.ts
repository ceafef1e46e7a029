/**
 * Checks the store, which it only reads: whether it can be reached, what it can do, its clock, and who may use it.
 */

import { isSecret } from '../../access/clients/secret.ts';
import type { RunRecords } from '../../access/runs/run-records.ts';
import { abandonedMs } from '../../access/runs/runs.ts';
import type { Clock } from '../../base/runtime.ts';
import { isBeyond } from '../../content/changes/clock-watch.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { GraphqlEndpoint } from '../../graphql/endpoints/graphql-endpoint.ts';
import { findPublicTypes } from '../../mapping/records/endpoint-warnings.ts';
import type { CursorRecords, HeldAssets } from '../../webhooks/records/cursor-records.ts';
import type { Webhook } from '../../webhooks/records/webhook.ts';
import { listStoredWebhooks } from '../../webhooks/records/webhook.ts';
import type { AccessRecords, EndpointRecords } from '../compose/compose-records.ts';
import { type Finding, findingsOf } from './finding.ts';

/** A store that is open for reading, with its services. */
export interface ReadStore extends AccessRecords, Pick<EndpointRecords, 'graphqlEndpoints'> {
  /** What the store is and can do, in a few words. */
  readonly description: string;
  readonly hasChangeLog: boolean;
  /** Tells whether deletions erase, and the history still has assets that were deleted before they did. */
  hasKeptDeletions(): Promise<boolean>;
  /** Finds the indexes that are still being built, each with the part of the assets that it has. */
  findIncompleteIndexes(): Promise<readonly { type: string; field: string; filled: number }[]>;
  /** The time by the clock of the database server; `undefined` if that is this machine's. */
  readClock(): Promise<number | undefined>;
  /** The highest time that the store has seen; `undefined` if it has seen none. */
  findHighestTime(): Promise<number | undefined>;
  /** The number of its format; `undefined` if it is empty. */
  readFormat(): Promise<number | undefined>;
  /** The records of background work; absent without a change log. */
  readonly background?: BackgroundRecords;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A greater difference spoils leases, sessions and `updateDate`. */
const maxClockMs = 5_000;

/** Checks a store that is open. Errors: those of the store. */
export async function checkStore(store: ReadStore, clock: Clock): Promise<Finding[]> {
  const { ok, warning } = findingsOf('store');
  const format = await store.readFormat();
  const name = format === undefined ? store.description : `${store.description} has format ${format},`;
  const state = store.hasChangeLog
    ? ok(`${name} can be read and keeps a change log`)
    : warning(
        `${name} can be read but keeps no change log: no server has written to it, or it has no transactions`,
      );
  return [
    state,
    ...(await checkDeletions(store)),
    ...(await checkIndexes(store)),
    ...(await checkClock(store, clock)),
    ...(await checkClients(store)),
    ...(await checkEndpoints(store)),
    ...(store.background ? await checkBackground(store.background, clock) : []),
  ];
}

async function checkDeletions(store: ReadStore): Promise<Finding[]> {
  if (!(await store.hasKeptDeletions())) return [];
  return [
    findingsOf('history').warning(
      'COLOPHON_DELETE is erase, but the history has assets that were deleted before that, or withdrawn: erase each, or wait until COLOPHON_HISTORY_DAYS have passed',
    ),
  ];
}

async function checkIndexes(store: ReadStore): Promise<Finding[]> {
  const { warning } = findingsOf('indexes');
  const incomplete = await store.findIncompleteIndexes();
  return incomplete.map(({ type, field, filled }) =>
    warning(
      `the index of ${type} ${field} is ${Math.floor(filled * 100)} % complete; a server completes it, and no search uses it before`,
    ),
  );
}

async function checkClock(store: ReadStore, clock: Clock): Promise<Finding[]> {
  const before = clock.nowMs();
  const there = await store.readClock();
  const compared =
    there === undefined ? [] : [compareClocks("the database server's", there, (before + clock.nowMs()) / 2)];
  const now = Math.max(clock.nowMs(), there ?? 0);
  const seen = await store.findHighestTime();
  if (seen === undefined || !isBeyond(now, seen)) return compared;
  const [nowText, seenText] = [now, seen].map((ms) => new Date(ms).toISOString());
  return [
    ...compared,
    findingsOf('clock').warning(
      `it is ${nowText}, more than seven days beyond the last time that the store has seen, ${seenText}: old history, unused files and ` +
        'scheduled releases wait. If the clock is right, run `colophon clock accept`; otherwise correct it',
    ),
  ];
}

/** Compares the clock of this machine with another one. `toleranceMs` is how inexact the other time is. */
export function compareClocks(whose: string, thereMs: number, hereMs: number, toleranceMs = 0): Finding {
  const { ok, error } = findingsOf('clock');
  const differenceMs = Math.abs(hereMs - thereMs);
  return differenceMs > maxClockMs + toleranceMs
    ? error(
        `the clock of this machine differs from ${whose} by ${Math.round(differenceMs / 1000)} s; synchronize both`,
      )
    : ok(`the clock of this machine agrees with ${whose}`);
}

/** Secrets that are in examples, or that people choose. */
const knownSecrets = ['demo', 'secret', 'change-me', 'changeme', 'password', 'colophon', 'test'];

async function checkClients({ clients, users }: ReadStore): Promise<Finding[]> {
  const { ok, warning, error } = findingsOf('access');
  const active = (await clients.list()).filter(({ revokedAtMs }) => revokedAtMs === undefined);
  const guessable = active.filter(({ clientId, secretHash }) =>
    [...knownSecrets, clientId].some((secret) => isSecret(secret, secretHash)),
  );
  const people = (await users.list()).length;
  if (active.length === 0 && people === 0)
    return [warning('there are no API clients and no users yet; the first start creates them')];
  return guessable.length === 0
    ? [ok(`${active.length} API clients, ${people} users; no client has a well-known secret`)]
    : guessable.map(({ clientId }) =>
        error(`API client ${clientId} has a secret that anyone can guess; replace it`),
      );
}

async function checkEndpoints({ graphqlEndpoints }: ReadStore): Promise<Finding[]> {
  const { ok } = findingsOf('endpoints');
  const endpoints = await graphqlEndpoints.list();
  const findings = endpoints.flatMap(checkEndpoint);
  return findings.length > 0
    ? findings
    : [ok(`${endpoints.length} GraphQL endpoints, none open to anyone more than it says`)];
}

function checkEndpoint(endpoint: GraphqlEndpoint): Finding[] {
  const { warning, error } = findingsOf('endpoints');
  const name = `GraphQL endpoint ${endpoint.name}`;
  return [
    ...findPublicTypes(endpoint).map(({ message }) => error(`${name}: ${message}`)),
    ...(endpoint.access === 'ANYONE' && endpoint.introspection && !endpoint.trustedOnly
      ? [
          warning(
            `${name}: anyone can read its schema; switch off introspection if it is not meant for the public`,
          ),
        ]
      : []),
  ];
}

/** The records of background work. */
interface BackgroundRecords {
  readonly system: ContentService;
  readonly cursors: Pick<CursorRecords, 'find'>;
  readonly held: Pick<HeldAssets, 'count'>;
  readonly runs: Pick<RunRecords, 'list'>;
}

/** How many of the newest runs are looked at. */
const runsAtMost = 100;

/** Checks the records. Errors: those of the store. */
async function checkBackground(records: BackgroundRecords, clock: Clock): Promise<Finding[]> {
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
