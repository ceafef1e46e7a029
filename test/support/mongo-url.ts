import { inject } from 'vitest';

/** Returns the URL of the MongoDB server for this test process, without a database name; empty when there is no server. */
export function mongodbUrl(): string {
  const urls = inject('mongodbUrls');
  return urls[Number(process.env.VITEST_POOL_ID) % urls.length] ?? '';
}
