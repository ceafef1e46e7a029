/** A reader that follows the change log of a SQLite store while four processes write misses no change and sees none twice. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { silentLogger } from '../../src/base/runtime.ts';
import { openStore } from '../../src/store/open-store.ts';
import { sqliteLocation } from '../support/stores.ts';
import { catalogOf } from '../support/types.ts';

const processes = 4;
const writesOfEach = 5_000;

it('a follower of 20,000 writes by four processes sees each once, in order', async () => {
  const location = sqliteLocation();
  const { dataDir } = location.config;
  const catalog = catalogOf('type Note @contentType(class: "log.Note") { title: String @indexed }');
  const store = await openStore({ dataDir, catalog, logger: silentLogger });
  await store.prepare();
  const children = Array.from({ length: processes }, (_, n) =>
    fork(new URL('./log-writer.ts', import.meta.url), [dataDir, String(n), String(writesOfEach)]),
  );
  let isWriting = true;
  const writing = Promise.all(
    children.map(async (child) => {
      const exit = once(child, 'exit').then(([exitCode]) => expect(exitCode).toBe(0));
      const [[changes]] = await Promise.all([once(child, 'message'), exit]);
      // Sent by log-writer.ts.
      return changes as string[];
    }),
  ).finally(() => {
    isWriting = false;
  });

  const seen: { readonly seq: number; readonly id: string }[] = [];
  const follow = async () => {
    for (let isLast = false, from = 0; !isLast; ) {
      isLast = !isWriting;
      for (let next: number | undefined = from; next !== undefined; ) {
        const page = await store.changes.read({ order: 'oldest first', from: next, limit: 100 });
        seen.push(...page.entries.map(({ seq, id }) => ({ seq, id })));
        next = page.next;
      }
      from = seen.at(-1)?.seq ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const [written] = await Promise.all([writing, follow()]);

  expect(seen.length).toBeGreaterThanOrEqual(processes * writesOfEach);
  expect(seen.every(({ seq }, index) => index === 0 || seq > (seen[index - 1]?.seq ?? 0))).toBe(true);
  const ids = seen.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.toSorted()).toEqual(written.flat().toSorted());
  await store.close();
  await location.remove();
});
