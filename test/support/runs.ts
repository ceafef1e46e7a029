/** A store with content and runs, and the writers of several clients, for tests of runs. */

import { randomUUID } from 'node:crypto';
import type { Runs } from '../../src/access/runs/runs.ts';
import { storedCatalog } from '../../src/access/system-types.ts';
import { createContent } from '../../src/app/compose/compose-records.ts';
import { createRequestOrigins } from '../../src/base/request-origin.ts';
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import { type ContentService, createContentService } from '../../src/content/content-service.ts';
import type { PlannedUndo } from '../../src/content/runs/plan-undo.ts';
import type { Catalog } from '../../src/model/content-type.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { openStoreAt } from './content.ts';
import { closeAfterFile } from './opened.ts';
import { createFakeClock, type FakeClock } from './runtime.ts';
import type { StoreLocation } from './stores.ts';
import { systemCatalog } from './types.ts';

/** A minute, after which a run may be reverted. */
const minuteMs = 60_000;

/** An open store. */
export interface RunsUnderTest {
  readonly store: ContentStore;
  readonly content: ContentService;
  readonly runs: Runs;
  readonly clock: FakeClock;
  /** Does work in a run of a client. */
  inRun<Result>(run: string, work: () => Result, client?: string): Result;
  /** Does work of a client outside any run. */
  asClient<Result>(work: () => Result, client?: string): Result;
  /** Waits until the log has everything that was written. */
  waitUntilLogged(): Promise<void>;
  /** Lists everything that a revert of a run would do. */
  planAll(run: string, limit?: number): Promise<PlannedUndo[]>;
  /** Reverts a run after the minute that it must have been quiet, and waits for the end. */
  revert(run: string): Promise<void>;
  close(): Promise<void>;
}

/** The required text of the first type of the catalog. */
const markerField = 'name';

/** Opens a store. Two of one location share nothing but the store. */
export async function openRuns(location: StoreLocation, catalog: Catalog): Promise<RunsUnderTest> {
  const clock = createFakeClock(Date.parse('2026-01-01'));
  const origins = createRequestOrigins();
  const runtime = { clock, origins, ids: randomIds, logger: silentLogger };
  const systemTypes = systemCatalog();
  const stored = storedCatalog(systemTypes, catalog);
  const store = await openStoreAt(location, stored);
  const rules = { siteOwnerRequired: false, referencesChecked: true };
  const system = createContentService({ ...runtime, catalog: systemTypes, store, rules });
  const { content, runs } = createContent({ catalog, store, system, rules }, runtime);
  const actor = (id: string) => ({ kind: 'client', id, name: `Client ${id}` }) as const;

  /** Waits until the log has all that was written: it is in the order of the log when something later is. */
  async function waitUntilLogged(): Promise<void> {
    const [type = ''] = catalog.types.keys();
    const { asset, version } = await content.create({ _type: type, [markerField]: randomUUID() }, {});
    for (;;) {
      const { entries } = await store.changes.read({ order: 'newest first', limit: 10 });
      if (entries.some(({ id }) => id === version)) break;
    }
    await content.delete({ id: asset._id }, {});
  }

  async function planAll(run: string, limit = 100): Promise<PlannedUndo[]> {
    await waitUntilLogged();
    const items: PlannedUndo[] = [];
    for (let from: number | undefined; ; ) {
      const page = await runs.plan({ run, limit, ...(from !== undefined && { from }) });
      items.push(...page.items);
      if (page.next === undefined) return items;
      from = page.next;
    }
  }

  return {
    store,
    content,
    runs,
    clock,
    inRun: (run, work, client = 'importer') => origins.runAs({ by: actor(client), run }, work),
    asClient: (work, client = 'editor') => origins.runAs({ by: actor(client) }, work),
    waitUntilLogged,
    planAll,
    async revert(run) {
      await waitUntilLogged();
      clock.advance(minuteMs);
      await origins.runAs({ by: actor('admin') }, () => runs.start(run));
      await runs.wait(run);
    },
    close: closeAfterFile(async () => {
      await runs.stop();
      await store.close();
    }),
  };
}
