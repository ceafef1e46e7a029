import { defineConfig } from 'vitest/config';
import { compileCache } from './test/support/compile-cache.ts';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/long/**'],
    globalSetup: ['test/support/mongo-server.ts', 'test/support/built-admin.ts'],
    env: compileCache,
    // Tests wait for processes of their own most of the time.
    maxWorkers: '100%',
    // Machines that others use as well can be ten times slower for a while.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
