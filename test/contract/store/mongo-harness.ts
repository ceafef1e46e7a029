/** The harness of the store contract on MongoDB: a new database on a server for each. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createMongoStore } from '../../../src/store/mongo/mongo-store.ts';
import type { CreateHarness } from './harness.ts';

/** Returns the harness for a server. */
export const mongoHarness =
  (serverUrl: string): CreateHarness =>
  async () => {
    const url = new URL(serverUrl);
    url.pathname = `/colophon_store_${randomUUID()}`;
    return {
      open: (catalog, options) =>
        createMongoStore({ url: url.href, catalog, logger: silentLogger, ...options }),
      async dispose() {
        const client = await MongoClient.connect(url.href);
        await client.db().dropDatabase();
        await client.close();
      },
    };
  };
