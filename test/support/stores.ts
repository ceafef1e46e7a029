/**
 * The stores that suites run on: SQLite always, MongoDB where `mongo-server.ts` found or started a server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { describe, inject } from 'vitest';
import type { Config } from '../../src/app/config.ts';

/** A fresh, empty place for content, and the end of it. */
export interface StorePlace {
  readonly config: Pick<Config, 'dataDir' | 'mongodbUrl'>;
  remove(): Promise<void>;
}

/** Makes a new place each time it is called. */
export type StorePlaces = () => StorePlace;

/** Runs a suite on every store there is; MongoDB's absence shows as a skipped suite. */
export function describeOnEachStore(name: string, suite: (places: StorePlaces) => void): void {
  describe(`${name} on SQLite`, () => suite(sqlitePlace));
  const mongodbUrl = inject('mongodbUrl');
  describe.skipIf(mongodbUrl === '')(`${name} on MongoDB`, () => suite(() => mongoPlace(mongodbUrl)));
}

/** An empty folder for an embedded store. */
export function sqlitePlace(): StorePlace {
  const dataDir = mkdtempSync(join(tmpdir(), 'colophon-test-'));
  return {
    config: { dataDir },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

let databases = 0;

/** A database of its own on a server. */
export function mongoPlace(serverUrl: string): StorePlace {
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
