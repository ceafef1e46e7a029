import { defineConfig } from 'vitest/config';
import { compileCache } from './test/support/compile-cache.ts';

/** Drills that `npm test` runs with few rounds. */
const repeated = [
  'test/contract/transfer/resume.test.ts',
  'test/contract/cli/kill*.test.ts',
  'test/integration/store/mongo/drills/*.test.ts',
  'test/contract/store/crash.test.ts',
  'test/contract/http/limits/attacks.test.ts',
  'test/contract/http/limits/costly-searches.test.ts',
  'test/contract/http/limits/route-attacks.test.ts',
  'test/contract/http/workers/deaths.test.ts',
];

/** Drills that need more time or memory than `npm test` may take, one after the other. */
export default defineConfig({
  test: {
    env: { ...compileCache, COLOPHON_LONG_TESTS: 'true' },
    include: ['test/long/**/*.test.ts', ...repeated],
    globalSetup: ['test/support/mongo-server.ts', 'test/support/built-command-line.ts'],
    maxWorkers: 1,
    testTimeout: 3_600_000,
    hookTimeout: 3_600_000,
  },
});
