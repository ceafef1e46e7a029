/**
 * Kills a server every few seconds, which is more often than a lease lasts: an idempotent request that its sender repeats is finished all
 * the same, and executed exactly once.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { credentialsOf, environmentOf, startServing } from '../../support/command-line.ts';
import { describeKillsOnEachStore, type StoreLocation } from '../../support/stores.ts';

const livesMs = 3_000;
const article = 'com.example.news.Article';
/** MongoDB keeps the transaction of a killed process, and with it the asset that was being written, for up to a minute: some 20 lives. */
const sizeOf = ({ config }: StoreLocation) =>
  config.mongodbUrl === undefined ? { articles: 400, maxLives: 30 } : { articles: 30, maxLives: 120 };
const headers = {
  'X-Client-Id': 'writer',
  'X-Client-Secret': 'secret',
  'Content-Type': 'application/json',
};

describeKillsOnEachStore('a server that is killed every few seconds', (locations) => {
  it('finishes a request that was under way when it was killed first, exactly once', async () => {
    const location = locations();
    const { articles, maxLives } = sizeOf(location);
    const environment = {
      ...environmentOf(location),
      ...credentialsOf(headers),
    };
    // Executed twice, it would conflict by the slugs. Each article is written after the one that it refers to, so that the batch takes a while.
    const idOf = (n: number) => `0190a0c0-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const operations = Array.from({ length: articles }, (_, n) => ({
      action: 'create',
      asset: {
        ...{ _id: idOf(n), _type: article, slug: `s-${n}`, headline: 'A', status: 'DRAFT' },
        ...(n > 0 && { related: [{ _ref: idOf(n - 1), _type: article }] }),
      },
    }));
    const count = async (url: string): Promise<number> => {
      const found = await fetch(`${url}/api/rest/cma/contents?from=${article}&limit=0`, { headers });
      return Object(await found.json()).result.count;
    };
    const send = async (url: string) =>
      fetch(`${url}/api/rest/cma/contents/batch`, {
        method: 'POST',
        headers: { ...headers, 'Idempotency-Key': 'often' },
        body: JSON.stringify({ operations }),
      });
    const first = await startServing(environment);
    // Killed while the request writes, and holds its lease.
    const broken = send(first.url).then(
      () => 'answered',
      () => 'broken',
    );
    while ((await count(first.url)) === 0) await sleep(5);
    first.signal('SIGKILL');
    expect(await broken).toBe('broken');
    await first.ended;
    let lives = 0;
    for (let answer: { failed: number; results: readonly unknown[] } | undefined; !answer; lives++) {
      expect(lives).toBeLessThan(maxLives);
      const serving = await startServing(environment);
      const timer = setTimeout(() => serving.signal('SIGKILL'), livesMs);
      answer = await sendUntilAnswered(() => send(serving.url));
      clearTimeout(timer);
      serving.signal('SIGKILL');
      await serving.ended;
      if (answer) expect([answer.failed, answer.results.length]).toEqual([0, operations.length]);
    }
    // The lease outlasts each of them.
    expect(lives).toBeGreaterThan(1);
    const serving = await startServing(environment);
    const counted = await count(serving.url);
    await serving.stop();
    expect(counted).toBe(articles);
    await location.remove();
  });
});

const errorOf = ({ error }: { readonly error?: { readonly code: string } | null }) => error?.code;

/** Sends a request again while the store is busy with what killed servers have begun; returns `undefined` when the server was killed. */
async function sendUntilAnswered(send: () => Promise<Response>) {
  for (;;) {
    try {
      const response = await send();
      const body = Object(await response.json());
      if (response.status === 200 && body.result.failed === 0) return body.result;
      const errors = response.status === 200 ? body.result.results.map(errorOf) : [errorOf(body)];
      // What a killed server was writing.
      expect(new Set(errors.filter(Boolean))).toEqual(new Set(['store_busy']));
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return undefined;
    }
  }
}
