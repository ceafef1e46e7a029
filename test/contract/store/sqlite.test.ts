/** The store contract on SQLite, with a new folder for each database. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/runtime.ts';
import { createSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { describeContentStore } from './store-suite.ts';

describeContentStore('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
  return {
    open: (catalog, options) =>
      createSqliteStore({ file: join(folder, 'content.db'), catalog, logger: silentLogger, ...options }),
    dispose: () => rm(folder, { recursive: true }),
  };
});
