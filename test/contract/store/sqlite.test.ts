/** The store contract on SQLite, with a new folder for each database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { describeIndexedSearches } from './budget-cases.ts';
import type { CreateHarness } from './harness.ts';
import { describeContentStore } from './store-suite.ts';

const createHarness: CreateHarness = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
  return {
    open: (catalog, options) =>
      createSqliteStore({ file: join(folder, 'content.db'), catalog, logger: silentLogger, ...options }),
    dispose: () => rm(folder, { recursive: true }),
  };
};

describeContentStore('SQLite', createHarness);
describe('searches with an index', () => describeIndexedSearches(createHarness));
