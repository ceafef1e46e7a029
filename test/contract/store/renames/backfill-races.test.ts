/** A backfill of renamed fields while other processes write and phases have just begun. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryTooCostly } from '../../../../src/base/errors.ts';
import { silentLogger } from '../../../../src/base/runtime.ts';
import type { BackfillState } from '../../../../src/store/backfill-calls.ts';
import { openNamedStore } from '../../../../src/store/open-store.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import type { BackfillGoal } from '../../../../src/store/renames/backfill-steps.ts';
import { moveAssets } from '../../../../src/store/renames/move-assets.ts';
import { createRenames } from '../../../../src/store/renames/renames.ts';
import { type BackfillRun, runBackfill } from '../../../../src/store/renames/run-backfill.ts';
import { describeOnEachStore, type StoreLocation } from '../../../support/stores.ts';
import { catalogOf } from '../../../support/types.ts';
import { newId, serveStore } from './changed-types.ts';

const formerTypes = 'type Page @contentType(class: "t.Page") { title: String body: String }';
const presentTypes = `type Page @contentType(class: "t.Page") {
  headline: String @was(name: "title")
  body: String
}`;
const catalog = catalogOf(presentTypes);

describeOnEachStore('a backfill at a bad moment', (locations) => {
  let location: StoreLocation;

  beforeEach(() => {
    location = locations();
  });
  afterEach(async () => {
    await location.remove();
  });

  /** Writes pages as a process with the former types does. */
  async function asFormer(write: (one: Awaited<ReturnType<typeof serveStore>>) => Promise<void>) {
    const former = await serveStore(location, formerTypes);
    await write(former);
    await former.store.close();
  }

  const backfill = (goal: BackfillGoal, options: Partial<BackfillRun> = {}) =>
    runBackfill(location.config, { catalog, logger: silentLogger, goal, settleMs: 0, ...options });

  it('moves all assets that others change meanwhile, also when they are more than a chunk, and the store is slow', async () => {
    const ids = [newId(), newId(), newId()];
    await asFormer(async ({ insert }) => {
      for (const _id of ids) await insert({ _id, _type: 't.Page', title: _id });
    });
    const { store, names } = await openNamedStore(location.config, {
      catalog,
      logger: silentLogger,
      purpose: 'all',
    });
    await store.prepare();
    const { movable } = createRenames(catalog, { names });
    const progress = { holder: 'x', seenMs: 0, startedMs: 0, visited: 0, rewritten: 0, total: ids.length };
    const state: BackfillState = { revision: 1, phase: 'copying', fields: movable, finished: [], progress };
    const renames = createRenames(catalog, { names, backfill: state }, { isLenient: true });
    let isFirst = true;
    let slowReads = 1;
    const disturbed: ContentStore = {
      ...store,
      texts: {
        ...store.texts,
        async find(request) {
          if (slowReads-- > 0) throw queryTooCostly();
          return store.texts.find(request);
        },
      },
      backfill: {
        ...store.backfill,
        async rewrite(rewrites) {
          if (isFirst) {
            isFirst = false;
            // Two of these do not fit in a chunk.
            const body = 'x'.repeat(700_000);
            await asFormer(async ({ patch }) => {
              for (const _id of ids) await patch({ _id, _type: 't.Page' }, { body });
            });
          }
          return store.backfill.rewrite(rewrites);
        },
      },
    };
    let visited = 0;
    const report = async (reported: typeof progress) => {
      visited = reported.visited;
    };
    expect(await moveAssets(disturbed, { renames, state, report })).toBe(true);
    expect(visited).toBe(3);
    const moved = await Promise.all(ids.map((id) => store.get(id)));
    expect(moved.map((one) => one?.asset)).toMatchObject(
      ids.map((_id) => ({ _id, title: _id, headline: _id })),
    );
    await store.close();
  });

  it('gives up a name only after all processes have had time to follow the phase before', async () => {
    await asFormer(({ insert }) => insert({ _id: newId(), _type: 't.Page', title: 'One' }));
    // Stopped, so that nobody knows whether the others follow.
    const stopper = new AbortController();
    const stopped = await backfill('copy', {
      signal: stopper.signal,
      onProgress: ({ phase }) => {
        if (phase === 'copied') stopper.abort();
      },
    });
    expect(stopped?.phase).toBe('copied');
    const phases: string[] = [];
    await backfill('finish', {
      settleMs: 600_000,
      signal: AbortSignal.timeout(2_000),
      onProgress: ({ phase }) => phases.push(phase),
    });
    expect(phases).toEqual([]);
    expect((await backfill('finish'))?.phase).toBe('removed');
  });
});
