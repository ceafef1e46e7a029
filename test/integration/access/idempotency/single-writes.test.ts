/**
 * Updates, deletions and erasures of one asset with an idempotency key: a request that ended between its write and the response
 * recognizes the write when it runs again, whatever others have written since.
 */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createIdempotentRequests,
  type IdempotentRequests,
} from '../../../../src/access/idempotency/idempotent-requests.ts';
import { storedCatalog } from '../../../../src/access/system-types.ts';
import { storeBusy } from '../../../../src/base/errors.ts';
import { randomIds, silentLogger, systemClock } from '../../../../src/base/runtime.ts';
import { type ContentService, createContentService } from '../../../../src/content/content-service.ts';
import type { PreAssignedIds } from '../../../../src/content/pre-assigned-ids.ts';
import type { Json } from '../../../../src/model/content-type.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { contentOver, openStoreAt } from '../../../support/content.ts';
import { describeOnEachStore } from '../../../support/stores.ts';
import { catalogOf, systemCatalog } from '../../../support/types.ts';

const noteType = 'x.Note';
const catalog = catalogOf(`type Note @contentType(class: "${noteType}") { text: String, other: String }`);
const rules = { siteOwnerRequired: false, referencesChecked: true };

type Work = (reserved: PreAssignedIds) => Promise<Json>;

describeOnEachStore('an idempotent write of one asset', (locations) => {
  let store: ContentStore;
  let content: ContentService;
  let system: ContentService;
  let requests: IdempotentRequests;
  let id: string;
  let first: string;
  let key = 0;

  beforeAll(async () => {
    const systemTypes = systemCatalog();
    store = await openStoreAt(locations(), storedCatalog(systemTypes, catalog));
    const parts = { store, clock: systemClock, ids: randomIds, rules };
    content = createContentService({ catalog, ...parts });
    system = createContentService({ catalog: systemTypes, ...parts });
    requests = createIdempotentRequests({ system, clock: systemClock, ids: randomIds, logger: silentLogger });
  });
  beforeEach(async () => {
    const created = await content.create({ _type: noteType, text: 'first' }, {});
    id = created.asset._id;
    first = created.version;
    key++;
  });

  const request = () => ({ key: `k${key}`, owner: 'o', fingerprint: 'f' });
  const run = async (work: Work) => (await requests.run(request(), work)).response;
  /** Runs a request whose process ends after its write, before the response. */
  async function dieAfter(work: Work): Promise<void> {
    const dying = async (reserved: PreAssignedIds) => {
      await work(reserved);
      throw storeBusy('the process has died');
    };
    await expect(run(dying)).rejects.toThrow('died');
  }
  /** Runs a request whose process ends before its write. */
  const dieBefore = () => dieAfter(async () => null);
  const change = (text: string) => content.update({ id, body: { text } }, {});
  const updateIf =
    (ifVersions?: readonly string[], over = content): Work =>
    async (reserved) => {
      const update = { id, body: { text: 'mine' }, ...(ifVersions && { ifVersions }) };
      const { asset, version, change } = await over.update(update, {}, reserved);
      return { text: asset.text ?? null, version, change: change ?? null };
    };
  const deleteIf =
    (ifVersions?: readonly string[]): Work =>
    async (reserved) => {
      const { change } = await content.delete({ id, ...(ifVersions && { ifVersions }) }, {}, reserved);
      return { change: change ?? null };
    };
  const eraseIf =
    (ifVersions?: readonly string[]): Work =>
    async (reserved) => {
      const erasure = { id, eraseCopies: async () => {}, reserved, ...(ifVersions && { ifVersions }) };
      const { change } = await content.history.erase(erasure, {});
      return { change: change ?? null };
    };
  const historyOf = async () =>
    (await store.changes.history({ asset: id, limit: 100 })).entries.map(
      ({ action, id: entry }) => `${action} ${entry}`,
    );

  it('updates once although its condition no longer holds', async () => {
    await dieAfter(updateIf([first]));
    const { version } = await content.get(id, {});
    expect(await run(updateIf([first]))).toEqual({ text: 'mine', version, change: version });
    expect((await content.get(id, {})).version).toBe(version);
  });

  it('does not overwrite what others have written since its update, however much', async () => {
    await dieAfter(updateIf());
    const own = (await content.get(id, {})).version;
    for (let n = 0; n < 60; n++) await change(`of others ${n}`);
    const { version } = await content.get(id, {});
    expect(await run(updateIf())).toEqual({ text: 'of others 59', version, change: own });
    expect((await content.get(id, {})).version).toBe(version);
  });

  it('updates when its first run wrote nothing, and is refused when others were first', async () => {
    await dieBefore();
    expect(await run(updateIf([first]))).toMatchObject({ text: 'mine' });
    key++;
    await dieBefore();
    await expect(run(updateIf([first]))).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  it('writes nothing more after another run has taken it over', async () => {
    let other: Json = null;
    const slow = {
      ...store,
      texts: {
        ...store.texts,
        async patch(...args: Parameters<ContentStore['texts']['patch']>) {
          const { items } = await system.find(
            { from: 'com.colophon.system.KeyedRequest', offset: 0, limit: 100, withCount: false },
            {},
          );
          const held = items.filter(({ asset }) => asset.holder !== undefined);
          for (const { asset } of held) await system.update({ id: asset._id, body: { holder: null } }, {});
          const another = createIdempotentRequests({
            system,
            clock: systemClock,
            ids: randomIds,
            logger: silentLogger,
          });
          other ??= (await another.run(request(), updateIf())).response;
          await change('of others');
          return store.texts.patch(...args);
        },
      },
    };
    const late = contentOver(catalog, slow);
    expect(await requests.run(request(), updateIf(undefined, late))).toEqual({
      response: other,
      isReplayed: true,
    });
    expect((await content.get(id, {})).asset.text).toBe('of others');
  });

  it('deletes once, and leaves an asset that others have created since', async () => {
    await dieAfter(deleteIf([first]));
    const [entry = ''] = await historyOf();
    const deleted = { change: entry.replace('delete ', '') };
    await content.create({ _id: id, _type: noteType, text: 'of others' }, {});
    expect(await run(deleteIf([first]))).toEqual(deleted);
    expect((await content.get(id, {})).asset.text).toBe('of others');
  });

  it('deletes when its first run deleted nothing; an asset that is gone counts as deleted', async () => {
    await dieBefore();
    expect(await run(deleteIf())).toMatchObject({ change: expect.any(String) });
    key++;
    await expect(run(deleteIf())).rejects.toMatchObject({ code: 'not_found' });
    key++;
    await dieBefore();
    expect(await run(deleteIf())).toEqual({ change: null });
  });

  it('does not tell a caller of the asset of another site that it is gone', async () => {
    await dieBefore();
    const foreign: Work = async (reserved) => {
      await content.delete({ id }, { sites: [randomIds.assetId()] }, reserved);
      return null;
    };
    await expect(run(foreign)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('erases once, also after it ended between deleting and erasing', async () => {
    await dieAfter(eraseIf([first]));
    const [entry = ''] = await historyOf();
    expect(await run(eraseIf([first]))).toEqual({ change: entry.replace('erase ', '') });
    expect(await historyOf()).toEqual([entry]);
  });

  it('erases an asset that its first run has only deleted', async () => {
    await dieAfter(deleteIf([first]));
    const { change } = Object(await run(eraseIf([first])));
    expect(await historyOf()).toEqual([`erase ${change}`]);
  });
});
