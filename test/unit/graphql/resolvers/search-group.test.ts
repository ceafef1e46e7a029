import { describe, expect, it } from 'vitest';
import { queryTooCostly } from '../../../../src/base/errors.ts';
import type { Caller } from '../../../../src/content/reading/find-assets.ts';
import { createSearchGroup } from '../../../../src/graphql/resolvers/reference-loaders.ts';

const tooCostly = queryTooCostly('text');

/** A search that ends only when its caller's signal stops it. */
const search = ({ signal }: Caller) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

function groupOf(lists: number) {
  const group = createSearchGroup();
  for (let list = 0; list < lists; list++) group.add();
  return group;
}

describe('the searches of one operation', () => {
  it('stop when one of them is too costly', async () => {
    const group = groupOf(3);
    const outcomes = await Promise.allSettled([
      group.run({}, search),
      group.run({}, () => Promise.reject(tooCostly)),
      group.run({}, search),
    ]);
    expect(outcomes.map((outcome) => Object(outcome).reason)).toEqual([tooCostly, tooCostly, tooCostly]);
  });

  it('go on when one of them fails otherwise', async () => {
    const group = groupOf(2);
    let isStopped = false;
    void group.run({}, search).catch(() => {
      isStopped = true;
    });
    await expect(group.run({}, () => Promise.reject(new Error('other')))).rejects.toThrow('other');
    expect(isStopped).toBe(false);
  });

  it('still stop when the caller leaves', async () => {
    const group = groupOf(2);
    const caller = new AbortController();
    const searching = group.run({ signal: caller.signal }, search);
    caller.abort(new Error('left'));
    await expect(searching).rejects.toThrow('left');
  });

  it('have the signal of the caller where there is only one', async () => {
    const caller = {};
    expect(await groupOf(1).run(caller, async (given) => given)).toBe(caller);
  });
});
