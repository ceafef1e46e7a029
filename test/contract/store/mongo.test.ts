/** The store contract on MongoDB, with a new database for each harness. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe, inject } from 'vitest';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createMongoStore } from '../../../src/store/mongo/mongo-store.ts';
import { describeContentStore } from './store-suite.ts';

const serverUrl = inject('mongodbUrl');

describe.skipIf(serverUrl === '')('with a server', () => {
  describeContentStore('MongoDB', async () => {
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
  });
});
