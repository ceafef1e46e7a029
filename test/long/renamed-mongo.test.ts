/** The store contract on MongoDB, where every class and every field is stored under a former name. */
import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { describe } from 'vitest';
import { silentLogger } from '../../src/base/runtime.ts';
import { createMongoStore } from '../../src/store/mongo/mongo-store.ts';
import { describeContentStore } from '../contract/store/store-suite.ts';
import { openUnderFormerNames } from '../support/former-names.ts';
import { mongodbUrl } from '../support/mongo-url.ts';

const serverUrl = mongodbUrl();

describe.skipIf(serverUrl === '')('with a server', () => {
  describeContentStore('MongoDB with former names', async () => {
    const url = new URL(serverUrl);
    url.pathname = `/colophon_store_${randomUUID()}`;
    return {
      open: (catalog, options) =>
        openUnderFormerNames(catalog, (stored) =>
          createMongoStore({ url: url.href, catalog: stored, logger: silentLogger, ...options }),
        ),
      async dispose() {
        const client = await MongoClient.connect(url.href);
        await client.db().dropDatabase();
        await client.close();
      },
    };
  });
});
