/** A standalone server, which has no transactions: everything works but atomic batches and the change log. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { createMongoStore } from '../../../../src/store/mongo/mongo-store.ts';
import type { ContentStore } from '../../../../src/store/port.ts';
import { type OwnMongo, startOwnMongo } from '../../../support/mongo-server.ts';
import { mongodbUrl } from '../../../support/mongo-url.ts';
import { catalogOf } from '../../../support/types.ts';

const id = '0191f3a0-5b7e-7c11-9d2e-000000000001';

describe.skipIf(mongodbUrl() === '' || process.env.COLOPHON_TEST_MONGODB_URL)('MongoDB', () => {
  let mongo: OwnMongo;
  let store: ContentStore;

  beforeAll(async () => {
    const server = await startOwnMongo({ isStandalone: true });
    if (!server) throw new Error('There was a server for other tests');
    mongo = server;
    const catalog = catalogOf('type Note @contentType(class: "t.Note") { a: String }');
    store = await createMongoStore({ url: `${mongo.url}standalone`, catalog, logger: silentLogger });
    await store.prepare();
  });
  afterAll(async () => {
    await store.close();
    await mongo.stop();
  });

  test('says that it has neither transactions nor a change log, and why', async () => {
    expect(store.capabilities).toEqual({ transactions: false, changes: false });
    await expect(store.changes.position()).rejects.toMatchObject({
      code: 'not_supported',
      message: expect.stringContaining('standalone'),
    });
  });

  test('does not start with types whose references keep their target', async () => {
    const catalog = catalogOf(
      'type Note @contentType(class: "t.Note") { next: Note @indexed @onDelete(action: RESTRICT) }',
    );
    const ruled = await createMongoStore({ url: `${mongo.url}standalone`, catalog, logger: silentLogger });
    const served = { sources: [], folder: '/', areShipped: false };
    await expect(ruled.serve(served)).rejects.toMatchObject({
      code: 'bad_config',
      message: expect.stringMatching(/^t\.Note next @onDelete needs transactions.*run it as a replica set/),
    });
    await ruled.close();
  });

  test('writes, and changes the revision with every write', async () => {
    const revisions = [await store.revision(['t.Note'])];
    await store.insert({ asset: { _id: id, _type: 't.Note', a: 'x' }, version: 'v1' });
    revisions.push(await store.revision(['t.Note']));
    const patch = { id, type: 't.Note', set: { a: 'y' }, unset: [], version: 'v2' };
    expect(await store.patch(patch)).toEqual({ asset: { _id: id, _type: 't.Note', a: 'y' }, version: 'v2' });
    revisions.push(await store.revision(['t.Note']));
    expect(await store.write([{ kind: 'delete', id, type: 't.Note' }])).toEqual([{ kind: 'done' }]);
    revisions.push(await store.revision(['t.Note']));
    await store.write([{ kind: 'insert', asset: { _id: id, _type: 't.Note' }, version: 'v3' }]);
    await store.delete({ id, type: 't.Note' });
    revisions.push(await store.revision(['t.Note']));
    expect(new Set(revisions).size).toBe(5);
  });
});
