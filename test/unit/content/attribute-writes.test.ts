import { describe, expect, it, vi } from 'vitest';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { attributeWrites, type RunGuard } from '../../../src/content/attribute-writes.ts';
import type { ContentStore } from '../../../src/store/port.ts';

const by = { kind: 'client', id: 'importer', name: 'Importer' } as const;
const stored = { asset: { _id: 'a', _type: 'T' }, version: 'v1' };

function attributed({ changes = true, runs }: { changes?: boolean; runs?: RunGuard }) {
  const insert = vi.fn(async (..._arguments: unknown[]) => {});
  const write = vi.fn(async (..._arguments: unknown[]) => []);
  // The members that the attributed store calls.
  const inner = { capabilities: { transactions: true, changes }, insert, write } as unknown as ContentStore;
  const origins = createRequestOrigins();
  const store = attributeWrites(inner, { origins, clock: { nowMs: () => 7 }, runs });
  return { store, origins, insert, write };
}

describe('the origin of a write', () => {
  it('is Colophon itself outside any request', async () => {
    const { store, insert } = attributed({});
    await store.insert(stored);
    expect(insert).toHaveBeenCalledWith(stored, { by: { kind: 'system' }, atMs: 7 });
  });

  it('is the request that causes it, also after asynchronous work', async () => {
    const { store, origins, write } = attributed({});
    await origins.runAs({ by, requestId: 'r1' }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await store.write([], { atomic: true });
    });
    expect(write).toHaveBeenCalledWith([], { atomic: true, origin: { by, requestId: 'r1', atMs: 7 } });
  });

  it('is that of each of several requests at the same time', async () => {
    const { store, origins, insert } = attributed({});
    const send = (requestId: string) => origins.runAs({ by, requestId }, () => store.insert(stored));
    await Promise.all([send('r1'), send('r2')]);
    expect(insert.mock.calls.map(([, origin]) => origin)).toEqual([
      { by, requestId: 'r1', atMs: 7 },
      { by, requestId: 'r2', atMs: 7 },
    ]);
  });
});

describe('the run of a write', () => {
  const inRun = { by, run: 'import-1', requestId: 'r1' };

  it('is checked before the write', async () => {
    const assertMayWrite = vi.fn(async () => {});
    const { store, origins, insert } = attributed({ runs: { assertMayWrite } });
    await origins.runAs(inRun, () => store.insert(stored));
    expect(assertMayWrite).toHaveBeenCalledWith(inRun);
    expect(insert).toHaveBeenCalledWith(stored, { ...inRun, atMs: 7 });
  });

  it('refuses the write when it may not write', async () => {
    const refused = new Error('closed');
    const { store, origins, insert } = attributed({
      runs: { assertMayWrite: () => Promise.reject(refused) },
    });
    await expect(origins.runAs(inRun, () => store.insert(stored))).rejects.toBe(refused);
    expect(insert).not.toHaveBeenCalled();
  });

  it('is not_supported on a store without a change log', async () => {
    const { store, origins } = attributed({ changes: false, runs: { assertMayWrite: async () => {} } });
    await expect(origins.runAs(inRun, () => store.insert(stored))).rejects.toMatchObject({
      code: 'not_supported',
    });
  });

  it('is left out where writes belong to no run', async () => {
    const { store, origins, insert } = attributed({ changes: false });
    await origins.runAs(inRun, () => store.insert(stored));
    expect(insert).toHaveBeenCalledWith(stored, { by, requestId: 'r1', atMs: 7 });
  });
});
