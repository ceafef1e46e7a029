/**
 * `node test/support/backfill-process.ts <types folder> <goal>`: runs a backfill on the store of the environment, with a short time
 * for other processes to follow each phase. Prints each state as a line of JSON. Ends with 1 when the backfill cannot run now.
 */
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { isDomainError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { loadTypes } from '../../src/model/load-types.ts';
import { readTypeSources } from '../../src/model/types/type-sources.ts';
import type { BackfillGoal } from '../../src/store/renames/backfill-steps.ts';
import { runBackfill } from '../../src/store/renames/run-backfill.ts';

const [, , folder = '', goal] = process.argv;
const { COLOPHON_DATA_DIR: dataDir = '', COLOPHON_MONGODB_URL: mongodbUrl } = process.env;
try {
  await runBackfill(
    { dataDir, ...(mongodbUrl !== undefined && { mongodbUrl }) },
    {
      catalog: storedCatalog(loadSystemTypes(), loadTypes(readTypeSources(folder))),
      logger: silentLogger,
      // Safe: the tests give a goal.
      goal: goal as BackfillGoal,
      settleMs: 3_000,
      onProgress: (state) => console.log(JSON.stringify(state)),
    },
  );
} catch (error) {
  if (!isDomainError(error, 'transfer_failed')) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
