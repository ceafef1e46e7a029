import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Drills that need more time or memory than `npm test` may take, one after the other. */
export default defineConfig({
  test: {
    ...config.test,
    include: ['test/long/**/*.test.ts'],
    exclude: [],
    maxWorkers: 1,
    testTimeout: 3_600_000,
  },
});
