/**
 * Clients that write and read through a proxy while the servers behind it come and go, with the retries of the published client. They note
 * what was acknowledged, and each attempt that failed.
 */
import { expect } from 'vitest';
import {
  type CmaClient,
  ConnectionError,
  createClient,
  NotFoundError,
  PreconditionFailedError,
  ServerError,
  TimeoutError,
} from '../../generated/client/lib/index.js';
import { retry } from '../../src/client/send-request.ts';

/** A proxy, and what the load knows of the servers behind it. */
export interface RollingTarget {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The path of a mapped route that takes `id` and returns `text { name }`. */
  readonly route: string;
}

/** An asset as its client left it. */
export interface WrittenNote {
  /** Absent when it was deleted. */
  readonly name?: string;
  /** Its changes, oldest first. */
  readonly actions: readonly string[];
}

/** What a load has done. */
export interface RollingReport {
  /** By `_id`. */
  readonly notes: Map<string, WrittenNote>;
  /** The name that all assets of an atomic batch have. */
  readonly batches: Set<string>;
  /** The names of a client whose last request was still refused when the time was over. */
  readonly unfinished: string[];
  /** How many attempts failed, by method and reason. */
  readonly failedAttempts: Map<string, number>;
  calls: number;
}

/** The content type of the load, which sets its field `name`. */
export const loadType = 'com.colophon.cms.db.Text';

/** The number of operations of each batch. */
export const batchSize = 3;

/** A load that runs. */
export interface RollingLoad {
  readonly report: RollingReport;
  /** Ends the load: waits for the calls in progress, and aborts those that take longer than `patienceMs`. Throws if a call has failed. */
  stop(patienceMs: number): Promise<RollingReport>;
}

/** The longest wait between two attempts is 10 s, so the retries last for several minutes. */
const retries = 40;

/** Starts some clients. */
export function startRollingLoad(target: RollingTarget, clients: number): RollingLoad {
  const report: RollingReport = {
    notes: new Map(),
    batches: new Set(),
    unfinished: [],
    failedAttempts: new Map(),
    calls: 0,
  };
  const ending = new AbortController();
  let isOver = false;
  const running = Array.from({ length: clients }, async (_, client) => {
    for (let n = 0; !isOver; n++) {
      const name = `${client} ${n}`;
      try {
        await runCycle({ ...target, report, signal: ending.signal }, { name, n });
      } catch (error) {
        if (!ending.signal.aborted) throw error;
        report.unfinished.push(name);
      }
    }
  });
  // Read by `stop`; a failure before that is not unhandled.
  const ended = Promise.allSettled(running);
  return {
    report,
    async stop(patienceMs) {
      isOver = true;
      const timer = setTimeout(() => ending.abort(new Error('The time is over')), patienceMs);
      for (const outcome of await ended) if (outcome.status === 'rejected') throw outcome.reason;
      clearTimeout(timer);
      return report;
    },
  };
}

interface LoadParts extends RollingTarget {
  readonly report: RollingReport;
  readonly signal: AbortSignal;
}

/** Creates, reads, updates and sometimes deletes an asset, and sometimes sends a batch. */
async function runCycle(parts: LoadParts, { name, n }: { name: string; n: number }): Promise<void> {
  const { url, clientId, clientSecret, report, signal } = parts;
  const fetch = countAttempts(report);
  const cma = createClient({ baseUrl: url, clientId, clientSecret, retries, fetch });
  const {
    asset: { _id: id },
    etag,
  } = await cma.createAsset({ _type: loadType, name }, { signal });
  report.notes.set(id, { name, actions: ['create'] });
  expect(await nameOf(cma, id, signal)).toBe(name);
  const changed = `${name} changed`;
  // Until the update has a response, the asset has one of two states.
  report.notes.delete(id);
  await update(cma, { id, etag, name: changed, signal });
  report.notes.set(id, { name: changed, actions: ['create', 'update'] });
  await readRoute(parts, fetch, id);
  if (n % 3 === 0) {
    report.notes.delete(id);
    await remove(cma, id, signal);
    report.notes.set(id, { actions: ['create', 'update', 'delete'] });
  }
  if (n % 4 === 0) {
    const asset = { _type: loadType, name: `${name} batch` } as const;
    const operations = Array.from({ length: batchSize }, () => ({ action: 'create' as const, asset }));
    expect(await cma.batchAssets({ operations, atomic: true }, { signal })).toMatchObject({ failed: 0 });
    report.batches.add(`${name} batch`);
  }
}

async function nameOf(cma: CmaClient, id: string, signal: AbortSignal): Promise<string | undefined> {
  const { asset } = await cma.getAsset(id, { signal });
  return asset._type === loadType ? asset.name : undefined;
}

/**
 * Updates an asset on the condition that nobody else has. When the response is lost, or nginx has sent the request twice, it reads the
 * asset, as every client with this condition has to.
 */
async function update(
  cma: CmaClient,
  { id, etag, name, signal }: { id: string; etag: string; name: string; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    try {
      await cma.updateAsset(id, { name }, { ifMatch: etag, signal });
      return;
    } catch (error) {
      if (!isUncertain(error)) throw error;
      if ((await nameOf(cma, id, signal)) === name) return;
      if (error instanceof PreconditionFailedError) throw error;
    }
  }
}

/** Deletes an asset. nginx sends the request to another server when the first one was killed, which may have deleted it. */
async function remove(cma: CmaClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    await cma.deleteAsset(id, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
  }
}

/** Reads the mapped route, again after a failure that a retry may help against. */
async function readRoute({ url, route, signal }: LoadParts, fetch: typeof globalThis.fetch, id: string) {
  const read = async () => {
    const response = await fetch(`${url}${route}?id=${id}`, { signal });
    const text = await response.text();
    // The kind of error that `fetch` throws when there is no response.
    if ([502, 503, 504].includes(response.status)) throw new TypeError(text);
    expect([response.status, text]).toEqual([200, expect.stringContaining('"name":')]);
  };
  const secondsToWait = (error: unknown) => (error instanceof TypeError ? 0 : undefined);
  await retry(read, { retries, secondsToWait, signal });
}

/** Whether the request may have been executed. */
const isUncertain = (error: unknown) =>
  error instanceof ConnectionError ||
  error instanceof TimeoutError ||
  error instanceof PreconditionFailedError ||
  (error instanceof ServerError && [502, 503, 504].includes(error.status ?? 0));

/** Returns a `fetch` that counts the attempts that failed. */
function countAttempts(report: RollingReport): typeof globalThis.fetch {
  const { failedAttempts } = report;
  const count = (method: string, reason: number | string) => {
    const key = `${method} ${reason}`;
    failedAttempts.set(key, (failedAttempts.get(key) ?? 0) + 1);
  };
  return async (input, init) => {
    const method = init?.method ?? 'GET';
    report.calls++;
    try {
      const response = await fetch(input, init);
      if (response.status >= 400) count(method, response.status);
      return response;
    } catch (error) {
      count(method, 'no response');
      throw error;
    }
  };
}
