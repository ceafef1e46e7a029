/** The store contract on SQLite, with a new folder for each database. */
import { join } from 'node:path';
import { describe } from 'vitest';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { describeIndexedSearches } from './budget-cases.ts';
import type { CreateHarness } from './harness.ts';
import { describeContentStore } from './store-suite.ts';

const createHarness: CreateHarness = async () => {
  const { config, remove } = sqliteLocation();
  const file = join(config.dataDir, 'content.db');
  return {
    open: (catalog, options) => createSqliteStore({ file, catalog, logger: silentLogger, ...options }),
    dispose: remove,
  };
};

describeContentStore('SQLite', createHarness);
describe('searches with an index', () => describeIndexedSearches(createHarness));
