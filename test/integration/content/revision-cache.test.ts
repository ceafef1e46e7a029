import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/runtime.ts';
import {
  createRevisionCache,
  type RevisionCache,
  type RevisionCacheSource,
} from '../../../src/content/revision-cache.ts';
import { type OpenedClients, useClients } from '../../support/api-clients.ts';
import { createRecordingLogger } from '../../support/runtime.ts';

const siteType = 'com.colophon.cms.db.Site';

const openClients = useClients();
let opened: OpenedClients;
let started: RevisionCache<unknown>[];
beforeEach(async () => {
  opened = await openClients();
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((value) => value.stop()));
});

const addSite = (name: string) => opened.system.create({ _type: siteType, name }, {});

const revision = () => opened.system.revision(siteType);

async function readNames(): Promise<string[]> {
  const { items } = await opened.system.find({ from: siteType, offset: 0, limit: 10, withCount: false }, {});
  return items.map(({ asset }) => String(asset.name));
}

/** The names of all sites, refreshed once a minute by default. */
async function startNames(
  source: Partial<RevisionCacheSource<string[]>> = {},
): Promise<RevisionCache<string[]>> {
  const common = { logger: silentLogger, subject: 'Sites', pollIntervalMs: 60_000 };
  const names = await createRevisionCache({ revision, read: readNames, ...common, ...source });
  started.push(names);
  return names;
}

describe('a cached value', () => {
  it('is available from the start', async () => {
    await addSite('a');
    expect((await startNames()).current()).toEqual(['a']);
  });

  it('fails to start when the store fails', async () => {
    const read = () => Promise.reject(new Error('broken'));
    await expect(startNames({ read })).rejects.toThrow('broken');
  });

  it('is unchanged until it is refreshed', async () => {
    const names = await startNames();
    await addSite('a');
    expect(names.current()).toEqual([]);
    await names.refresh();
    expect(names.current()).toEqual(['a']);
  });

  it('is read again only after a record was written', async () => {
    let readings = 0;
    const read = async () => ++readings;
    const count = await createRevisionCache({ revision, read, logger: silentLogger, subject: 'x' });
    started.push(count);
    await count.refresh();
    await count.refresh();
    expect(readings).toBe(1);
    await addSite('a');
    await count.refresh();
    expect(count.current()).toBe(2);
  });

  it('is refreshed automatically, twice a second', async () => {
    const names = await createRevisionCache({
      revision,
      read: readNames,
      logger: silentLogger,
      subject: 'Sites',
    });
    started.push(names);
    await addSite('a');
    await expect.poll(() => names.current()).toEqual(['a']);
  });

  it('is no longer refreshed after stop', async () => {
    const names = await startNames({ pollIntervalMs: 5 });
    await names.stop();
    await addSite('a');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(names.current()).toEqual([]);
  });
});

describe('a refresh', () => {
  it('sees every earlier write, even while an older read is in progress', async () => {
    const gate = Promise.withResolvers<void>();
    let isHeld = false;
    const names = await startNames({
      async revision() {
        const read = await revision();
        if (isHeld) await gate.promise;
        return read;
      },
    });
    isHeld = true;
    const early = names.refresh();
    await addSite('a');
    const late = [names.refresh(), names.refresh()];
    gate.resolve();
    await Promise.all([early, ...late]);
    expect(names.current()).toEqual(['a']);
  });

  it('misses no write between reading the revision and reading the records', async () => {
    let between = async () => {};
    const names = await startNames({
      async read() {
        const read = await readNames();
        await between();
        return read;
      },
    });
    between = async () => {
      between = async () => {};
      await addSite('b');
    };
    await addSite('a');
    await names.refresh();
    expect(names.current()).toEqual(['a']);
    await names.refresh();
    expect(names.current().toSorted()).toEqual(['a', 'b']);
  });

  it('fails when reading fails, keeps the value, and reads again the next time', async () => {
    let isBroken = false;
    const names = await startNames({
      read: () => (isBroken ? Promise.reject(new Error('broken')) : readNames()),
    });
    await addSite('a');
    isBroken = true;
    await expect(names.refresh()).rejects.toThrow('broken');
    expect(names.current()).toEqual([]);
    isBroken = false;
    await names.refresh();
    expect(names.current()).toEqual(['a']);
  });
});

it('a store failure is logged, and the value stays available', async () => {
  await addSite('a');
  const { logger, lines } = createRecordingLogger();
  const names = await startNames({ logger, pollIntervalMs: 5 });
  await opened.closeStore();
  await expect
    .poll(() => lines)
    .toContainEqual({
      level: 'error',
      message: 'Sites could not be read',
      err: expect.objectContaining({ code: 'store_failure' }),
    });
  expect(names.current()).toEqual(['a']);
});
