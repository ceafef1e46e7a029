import { describe, expect, it, vi } from 'vitest';
import { createRequestOrigins } from '../../../src/base/request-origin.ts';
import { attributeCalls, type RunGuard } from '../../../src/content/attribute-calls.ts';
import type { ContentStore } from '../../../src/store/port.ts';

const by = { kind: 'client', id: 'importer', name: 'Importer' } as const;
const stored = { asset: { _id: 'a', _type: 'T' }, version: 'v1' };

function attributed({
  changes = true,
  runs,
}: {
  changes?: boolean;
  runs?: Pick<RunGuard, 'assertMayWrite'>;
}) {
  const insert = vi.fn(async (..._arguments: unknown[]) => {});
  const write = vi.fn(async (..._arguments: unknown[]) => []);
  const find = vi.fn(async () => ({ items: [] }));
  const log = { read: vi.fn(), history: vi.fn(), stateOf: vi.fn() };
  // The members that the attributed store calls.
  const inner = {
    capabilities: { transactions: true, changes },
    insert,
    write,
    find,
    texts: {},
    changes: log,
  } as unknown as ContentStore;
  const origins = createRequestOrigins();
  const store = attributeCalls(inner, { origins, clock: { nowMs: () => 7 }, runs });
  return { store, origins, insert, write, find, changes: log };
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

describe('the client of a read', () => {
  const request = { order: 'oldest first', limit: 1 } as const;

  it('is the sender of the request, for searches and for each read of the log', async () => {
    const { store, origins, find, changes } = attributed({});
    const search = { types: ['T'], offset: 0, limit: 1, withCount: false };
    const { signal } = new AbortController();
    await origins.runAs({ by }, async () => {
      await store.find({ ...search, signal });
      await store.changes.read(request);
      await store.changes.history({ asset: 'a', limit: 1 });
      await store.changes.stateOf('a', { number: 1 }, { signal });
    });
    const client = 'client importer';
    expect(find).toHaveBeenCalledWith({ ...search, signal, client });
    expect(changes.read).toHaveBeenCalledWith({ ...request, client });
    expect(changes.history).toHaveBeenCalledWith({ asset: 'a', limit: 1, client });
    expect(changes.stateOf).toHaveBeenCalledWith('a', { number: 1 }, { signal, client });
  });

  it('is the network of a sender without credentials', async () => {
    const { store, origins, changes } = attributed({});
    await origins.runAs({ by: { kind: 'anonymous' }, address: '192.0.2.7' }, () =>
      store.changes.read(request),
    );
    expect(changes.read).toHaveBeenCalledWith({ ...request, client: 'anonymous 192.0.2.7' });
    await origins.runAs({ by: { kind: 'anonymous' }, address: '2001:db8:1:2:3:4:5:6' }, () =>
      store.changes.read(request),
    );
    expect(changes.read).toHaveBeenLastCalledWith({ ...request, client: 'anonymous 2001:db8:1:2' });
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
