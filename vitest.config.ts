import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { bundledThreads } from './test/support/bundled-threads.ts';
import { compileCache } from './test/support/compile-cache.ts';
import { SlowFilesFirst } from './test/support/slow-files-first.ts';

const mongoServer = 'test/support/mongo-server.ts';
const builtAdmin = 'test/support/built-admin.ts';
const builtCommandLine = 'test/support/built-command-line.ts';

/** Files that use the published package, or follow the documents, in a clean checkout. */
const published = ['test/contract/published/**/*.test.ts', 'test/contract/guide.test.ts'];

/**
 * The lanes of the tests. `npm test` runs all of them; `npm run test:unit`, `test:contract`, `test:browser` and
 * `test:published` run one each.
 */
export default defineConfig({
  plugins: [bundledThreads],
  test: {
    env: compileCache,
    sequence: { sequencer: SlowFilesFirst },
    // Tests often wait: for the processes that they start, and for time limits to pass.
    maxWorkers: availableParallelism() + 2,
    // On a busy machine everything can take ten times as long for a while.
    testTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 300_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', 'test/architecture/**/*.test.ts'],
          // These files share no state, so they can share threads and load each module once.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['test/{contract,integration,property}/**/*.test.ts'],
          exclude: published,
          globalSetup: [mongoServer, builtCommandLine],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: [builtAdmin, builtCommandLine],
        },
      },
      { extends: true, test: { name: 'published', include: published, globalSetup: builtAdmin } },
    ],
  },
});
