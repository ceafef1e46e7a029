/**
 * The stores that suites run on: always SQLite, and MongoDB where `mongo-server.ts` found or started a server.
 */
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { beforeAll, describe } from 'vitest';
import type { Config } from '../../src/app/config/config.ts';
import { type OwnMongo, startOwnMongo } from './mongo-server.ts';
import { mongodbUrl } from './mongo-url.ts';
import { closeAfterFile } from './opened.ts';
import { isLong } from './rounds.ts';

/** The location of a new, empty store; `remove` deletes it, if a test wants that before its file ends. */
export interface StoreLocation {
  readonly config: Pick<Config, 'dataDir' | 'mongodbUrl'>;
  remove(): Promise<void>;
}

/** Creates a new store location at each call. */
export type StoreLocations = () => StoreLocation;

/** What a suite runs of its cases on a store. */
export interface SuiteExtent {
  /**
   * Whether all cases run. On MongoDB, whose test server is slow, `npm run test:more` leaves out those that reach the store only as others
   * do; `npm run test:long` runs them.
   */
  readonly isWhole: boolean;
}

/** How commands reach a store. */
export type Way = 'over HTTP' | 'directly';

/** Returns the ways in which a suite reaches the store of commands. */
export const waysOf = ({ isWhole }: SuiteExtent): readonly Way[] =>
  isWhole ? ['over HTTP', 'directly'] : ['directly'];

/** The stores of the lane: one, or both where the lane does not say. */
const lane = process.env.COLOPHON_TEST_STORES;
const hasSqlite = lane !== 'MongoDB';
const hasMongodb = lane !== 'SQLite';

/** Runs a suite on each store of the lane; without MongoDB, its suite is reported as skipped. */
export function describeOnEachStore(
  name: string,
  suite: (locations: StoreLocations, extent: SuiteExtent) => void,
): void {
  if (hasSqlite) describeOnSqlite(name, suite);
  if (!hasMongodb) return;
  const serverUrl = mongodbUrl();
  describe.skipIf(serverUrl === '')(`${name} on MongoDB`, () =>
    suite(() => mongoLocation(serverUrl), { isWhole: isLong }),
  );
}

/** Runs a suite on SQLite only. */
export function describeOnSqlite(
  name: string,
  suite: (locations: StoreLocations, extent: SuiteExtent) => void,
): void {
  describe(`${name} on SQLite`, () => suite(sqliteLocation, { isWhole: true }));
}

/**
 * Runs a suite that kills processes on every available store; MongoDB is a separate server, where one can be started. The
 * transaction of a killed process stays for a minute, and the test server can do nothing else while it drops a database in which there
 * is one.
 */
export function describeKillsOnEachStore(
  name: string,
  suite: (locations: StoreLocations, extent: SuiteExtent) => void,
): void {
  if (hasSqlite) describeOnSqlite(name, suite);
  if (!hasMongodb) return;
  const sharedUrl = mongodbUrl();
  describe.skipIf(sharedUrl === '')(`${name} on MongoDB`, () => {
    let own: OwnMongo | undefined;
    beforeAll(async () => {
      own = await startOwnMongo();
    });
    const locations = () => (own ? ownMongoLocation(own) : mongoLocation(sharedUrl));
    suite(locations, { isWhole: isLong });
  });
}

/** Creates an empty folder for an SQLite store. */
export function sqliteLocation(): StoreLocation {
  const dataDir = mkdtempSync(join(storesFolder(), 'colophon-test-'));
  return {
    config: { dataDir },
    remove: closeAfterFile(async () => rmSync(dataDir, { recursive: true, force: true })),
  };
}

/** Returns a folder in memory if there is one with 4 GB, because tests of what a store does need not wait for a disk. */
function storesFolder(): string {
  const inMemory = '/dev/shm';
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= 4 * 2 ** 30 ? inMemory : tmpdir();
}

let databases = 0;

/** Reserves a new database name on a MongoDB server. */
export function mongoLocation(serverUrl: string): StoreLocation {
  const location = locateOn(serverUrl);
  return { ...location, remove: closeAfterFile(location.remove) };
}

/** Reserves a new database name on a server of one test, which is stopped with its databases. */
export function ownMongoLocation({ url }: Pick<OwnMongo, 'url'>): StoreLocation {
  const { config } = locateOn(url);
  const removeFolder = async () => rmSync(config.dataDir, { recursive: true, force: true });
  return { config, remove: closeAfterFile(removeFolder) };
}

function locateOn(serverUrl: string): StoreLocation {
  const url = new URL(serverUrl);
  url.pathname = `/colophon_test_${process.pid}_${databases++}`;
  const mongodbUrl = url.href;
  // Only variants of pictures are kept in it.
  const dataDir = join(tmpdir(), url.pathname);
  return {
    config: { dataDir, mongodbUrl },
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
      const client = await MongoClient.connect(mongodbUrl);
      await client.db().dropDatabase();
      await client.close();
    },
  };
}
