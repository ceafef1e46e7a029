/** A MongoDB database of one test, with its client and the stores that the test opens on it. */
import { randomUUID } from 'node:crypto';
import { type Collection, MongoClient } from 'mongodb';
import { silentLogger } from '../../src/base/runtime.ts';
import type { Catalog } from '../../src/model/content-type.ts';
import { createMongoStore } from '../../src/store/mongo/mongo-store.ts';
import type { ContentStore } from '../../src/store/port.ts';

/** A new, empty database. */
export interface MongoDatabase {
  readonly client: MongoClient;
  collection(name: string): Collection<{ _id: string }>;
  /** Opens a store that closes when the database is removed. */
  open(catalog: Catalog): Promise<ContentStore>;
  remove(): Promise<void>;
}

/** Creates a database on the server. */
export async function createMongoDatabase(serverUrl: string): Promise<MongoDatabase> {
  const url = new URL(serverUrl);
  url.pathname = `/colophon_test_${randomUUID()}`;
  const client = await MongoClient.connect(url.href);
  const opened: ContentStore[] = [];
  return {
    client,
    collection: (name) => client.db().collection(name),
    async open(catalog) {
      const store = await createMongoStore({ url: url.href, catalog, logger: silentLogger });
      opened.push(store);
      return store;
    },
    async remove() {
      await Promise.all(opened.map((store) => store.close()));
      await client.db().dropDatabase();
      await client.close();
    },
  };
}
