/** What reads of SQLite give when every class and every field is stored under a former name. `npm run test:long` runs the whole contract. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../../src/base/runtime.ts';
import { createSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts';
import { openUnderFormerNames } from '../../../support/former-names.ts';
import { isLong } from '../../../support/rounds.ts';
import { describeContent, describeContentStore } from '../store-suite.ts';

const describeStore = isLong ? describeContentStore : describeContent;

describeStore('SQLite with former names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-store-'));
  const file = join(folder, 'content.db');
  return {
    open: (catalog, options) =>
      openUnderFormerNames(catalog, (stored) =>
        createSqliteStore({ file, catalog: stored, logger: silentLogger, ...options }),
      ),
    dispose: () => rm(folder, { recursive: true }),
  };
});
