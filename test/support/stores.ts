/**
 * The stores that suites run on: always SQLite, and MongoDB where `mongo-server.ts` found or started a server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, inject } from 'vitest';
import type { Config } from '../../src/app/config.ts';

/** The location of a new, empty store; `remove` deletes it. */
export interface StoreLocation {
  readonly config: Pick<Config, 'dataDir' | 'mongodbUrl'>;
  remove(): Promise<void>;
}

/** Creates a new store location at each call. */
export type StoreLocations = () => StoreLocation;

/** Runs a suite on every available store; without MongoDB, its suite is reported as skipped. */
export function describeOnEachStore(name: string, suite: (locations: StoreLocations) => void): void {
  describe(`${name} on SQLite`, () => suite(sqliteLocation));
  const mongodbUrl = inject('mongodbUrl');
  describe.skipIf(mongodbUrl === '')(`${name} on MongoDB`, () => suite(() => mongoLocation(mongodbUrl)));
}

/** Creates an empty folder for an SQLite store. */
export function sqliteLocation(): StoreLocation {
  const dataDir = mkdtempSync(join(tmpdir(), 'colophon-test-'));
  return {
    config: { dataDir },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let databases = 0;

/** Reserves a new database name on a MongoDB server. */
export function mongoLocation(serverUrl: string): StoreLocation {
  const url = new URL(serverUrl);
  url.pathname = `/colophon_test_${process.pid}_${databases++}`;
  const mongodbUrl = url.href;
  return {
    config: { dataDir: 'unused', mongodbUrl },
    async remove() {
      const client = await MongoClient.connect(mongodbUrl);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}
