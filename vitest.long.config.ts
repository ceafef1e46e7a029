import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { bundledThreads } from './test/support/bundled-threads.ts';
import { compileCache } from './test/support/compile-cache.ts';
import { drills } from './vitest.config.ts';

/** Suites of which the other lanes run a part on MongoDB or none, or a part with former names. */
const whole = [
  'test/contract/store/renames/renamed-sqlite.test.ts',
  ...globSync('test/{contract,integration,property}/**/*.test.ts').filter((path) =>
    readFileSync(path, 'utf8').includes('OnEachStore('),
  ),
];

/** Drills that `npm test` and `npm run test:more` run with few rounds. */
const repeated = [
  'test/browser/every-page.test.ts',
  'test/property/{checked-batches,pages-*}.test.ts',
  'test/contract/http/limits/condition-memory.test.ts',
  'test/contract/transfer/resume.test.ts',
  'test/contract/cli/kill.test.ts',
  'test/contract/store/crash.test.ts',
  'test/contract/backup/damaged-pages.test.ts',
  'test/contract/http/webhooks/purge.test.ts',
  'test/contract/schemathesis/schemathesis.test.ts',
];

/** Drills that need more time or memory than `npm test` may take, one after the other. */
export default defineConfig({
  plugins: [bundledThreads],
  test: {
    env: { ...compileCache, COLOPHON_LONG_TESTS: 'true' },
    setupFiles: 'test/support/close-opened.ts',
    include: ['test/long/**/*.test.ts', ...whole, ...repeated, ...drills],
    globalSetup: [
      'test/support/mongo-server.ts',
      'test/support/built-command-line.ts',
      'test/support/built-admin.ts',
    ],
    maxWorkers: 1,
    testTimeout: 3_600_000,
    expect: { poll: { timeout: 60_000 } },
    hookTimeout: 3_600_000,
  },
});
