/**
 * Whatever writes stored values again writes those and no others: no default is added, and no date of publication. Every way to restore
 * or to copy content is run with assets of which each has other members of a type that is full of defaults.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/base/runtime.ts';
import type { Asset, Json, JsonObject } from '../../../src/model/content-type.ts';
import { loadTypes } from '../../../src/types/load-types.ts';
import { readTypeSources } from '../../../src/types/type-sources.ts';
import { runCommand } from '../../support/command-line.ts';
import type { ClientHeaders, TestInstance } from '../../support/instance.ts';
import { isLong } from '../../support/rounds.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { makeTypesFolder } from '../../support/types-folder.ts';
import { load, openFor, save } from '../backup/copies.ts';
import { createWorkspace, onServer, onStore, run, type Site, type Workspace } from './workspace.ts';

const type = 'com.example.Parcel';
const [publishDate, updateDate] = ['cms.content.publishDate', 'cms.content.updateDate'];

const sdl = `
enum Size { SMALL LARGE }
type Lid {
  kind: String! @default(value: "plain")
  color: String @default(value: "red")
  hinges: [Int!] @default(value: [1, 2])
}
type Box {
  w: Int
  h: Int @default(value: 3)
  size: Size @default(value: SMALL)
  lid: Lid @default(value: {})
  inner: Box
  spare: [Box!]
}
type Parcel @contentType(class: "${type}") {
  label: String! @indexed(unique: true)
  weight: Float! @default(value: 1.5)
  count: Int @default(value: 7)
  tags: [String!] @default(value: ["new"])
  box: Box @default(value: {w: 1})
  boxes: [Box!] @default(value: [{w: 9}])
  data: JSON @default(value: {a: null})
}`;

const optional = { requiredKeys: [] };
const lids = fc.record(
  { kind: fc.constant<Json>('round'), color: fc.constant<Json>('blue'), hinges: fc.constant<Json>([4]) },
  { requiredKeys: ['kind'] },
);
const boxes = fc.letrec<{ box: JsonObject }>((tie) => ({
  box: fc.record(
    {
      w: fc.constant<Json>(2),
      h: fc.constant<Json>(5),
      size: fc.constant<Json>('LARGE'),
      lid: lids,
      inner: fc.oneof({ maxDepth: 2 }, fc.constant<Json>({}), tie('box')),
      spare: fc.array(fc.oneof({ maxDepth: 2 }, fc.constant<Json>({}), tie('box')), { maxLength: 2 }),
    },
    optional,
  ),
})).box;

const members = fc.record(
  {
    count: fc.constant<Json>(1),
    tags: fc.constantFrom<Json>([], ['old']),
    box: boxes,
    boxes: fc.array(boxes, { minLength: 1, maxLength: 2 }),
    data: fc.constantFrom<Json>({}, { h: null }, [null]),
    [publishDate]: fc.constantFrom<Json>(-1, 1_600_000_000_000),
  },
  optional,
);

const idOf = (n: number) => `0191f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;

/** The assets of a round; the first ones lack all that could be added. */
const [states = []] = fc.sample(
  fc.array(members, { minLength: 12, maxLength: 12 }).map((found) =>
    [{}, { box: {} }, { box: { w: 2 } }, { boxes: [{}, { lid: { kind: 'flat' } }] }, ...found].map(
      (given, n): Asset => ({
        _id: idOf(n),
        _type: type,
        label: `parcel ${n}`,
        weight: 2,
        ...given,
        [updateDate]: 1_700_000_000_000 + n,
      }),
    ),
  ),
  1,
);

/** The values that replace those of each asset before it is restored. */
const changed: JsonObject = {
  weight: 8,
  count: 8,
  tags: ['changed'],
  box: { w: 8 },
  boxes: [],
  data: 8,
  [publishDate]: 8,
};

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

describeOnEachStore('stored values', (locations, { isWhole }) => {
  const types = makeTypesFolder(sdl);
  let work: Workspace;
  let source: StoreLocation;
  let server: TestInstance;
  let historian: ClientHeaders;
  const targets: StoreLocation[] = [];

  beforeEach(async () => {
    vi.stubEnv('COLOPHON_TYPES', types);
    work = createWorkspace();
    source = locations();
    server = await work.serve(source, { typesDir: types });
    historian = await server.createClient({ scopes: ['cma:read', 'cma:write', 'history', 'admin'] });
    await server.refresh();
    // Stored by the store itself, so that the assets are as they are whatever a create would add.
    const store = await openFor(source, catalog());
    for (const asset of states) await store.insert({ asset, version: `first-${asset._id.slice(-4)}` });
    await store.close();
  });
  afterEach(async () => {
    for (const location of [source, ...targets.splice(0)]) await location.remove();
    vi.unstubAllEnvs();
  });

  const catalog = () => loadTypes(readTypeSources(types));

  const newTarget = (): StoreLocation => {
    const location = locations();
    targets.push(location);
    return location;
  };

  const environment = ({ environment: given, ...site }: Site): Site => ({
    ...site,
    environment: { ...given, COLOPHON_TYPES: types },
  });
  const directly = (location: StoreLocation) => environment(onStore(location));
  const overHttp = () => environment(onServer({ ...server, headers: historian }));

  async function send(method: string, path: string, body: object, headers: Record<string, string> = {}) {
    const response = await fetch(server.cmaUrl + path, {
      method,
      headers: { ...historian, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const { result, error } = (await response.json()) as { result: unknown; error?: unknown };
    expect([response.status, error]).toEqual([200, undefined]);
    return result;
  }

  async function batch(operations: readonly object[], headers: Record<string, string> = {}) {
    expect(await send('POST', '/batch', { operations }, headers)).toMatchObject({ failed: 0 });
  }

  const changeAll = (headers = {}) =>
    batch(
      states.map(({ _id }) => ({ action: 'update', asset: { _id, ...changed } })),
      headers,
    );
  const deleteAll = (headers = {}) =>
    batch(
      states.map(({ _id }) => ({ action: 'delete', id: _id })),
      headers,
    );

  async function read(location: StoreLocation): Promise<Asset[]> {
    const store = await openFor(location, catalog());
    const found = await Promise.all(states.map(({ _id }) => store.get(_id)));
    await store.close();
    return found.flatMap((stored) => stored?.asset ?? []);
  }

  const withoutDate = ({ [updateDate]: _, ...asset }: Asset) => asset;

  async function expectRestored(startedMs: number): Promise<void> {
    const found = await read(source);
    expect(found.map(withoutDate)).toEqual(states.map(withoutDate));
    for (const asset of found) expect(asset[updateDate]).toBeGreaterThanOrEqual(startedMs);
  }

  const versionOf = ({ _id }: Asset) => `first-${_id.slice(-4)}`;

  async function succeed(words: readonly string[], { environment }: Pick<Site, 'environment'>) {
    const { exitCode, stdout, stderr } = await runCommand(words, environment);
    expect(exitCode, stderr).toBe(0);
    return stdout;
  }

  async function exportAll(site: Site, words: readonly string[] = []): Promise<string> {
    const path = work.path(`export-${Math.random()}.ndjson`);
    const { exitCode, stderr } = await run('export', site, ['--from', type, ...words, '--out', path]);
    expect(exitCode, stderr).toBe(0);
    return path;
  }

  async function importAll(site: Site, words: readonly string[]): Promise<void> {
    const { exitCode, stderr, stdout } = await run('import', site, [...words, '--restart']);
    expect(exitCode, stderr + stdout).toBe(0);
  }

  it('are restored by version, by time, and of deleted assets', async () => {
    const beforeMs = systemClock.nowMs();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const byVersion = (asset: Asset) => ({ version: versionOf(asset) });
    const byTime = () => ({ at: beforeMs });
    for (const removeOrChange of [changeAll, deleteAll]) {
      for (const momentOf of isWhole || removeOrChange === deleteAll ? [byVersion, byTime] : [byVersion]) {
        await removeOrChange();
        const startedMs = systemClock.nowMs();
        for (const asset of states) {
          const path = `/${asset._id}/restore`;
          const checked = await send('POST', `${path}?validate=true`, momentOf(asset));
          const restored = await send('POST', path, momentOf(asset));
          for (const result of [checked, restored])
            expect(withoutDate(result as Asset)).toEqual(withoutDate(asset));
        }
        await expectRestored(startedMs);
      }
    }
  });

  it('are restored with the default of a required field that they lack, as they are read', async () => {
    const asset: Asset = { _id: idOf(99), _type: type, label: 'early', boxes: [{ lid: { color: 'blue' } }] };
    const store = await openFor(source, catalog());
    await store.insert({ asset, version: 'early' });
    await store.close();
    const asRead = { ...asset, weight: 1.5, boxes: [{ lid: { color: 'blue', kind: 'plain' } }] };
    await send('PUT', `/${asset._id}`, { weight: 8, boxes: null });
    for (const body of [{ version: 'early' }, { version: 'early', fields: ['weight', 'boxes'] }]) {
      const restored = await send('POST', `/${asset._id}/restore`, body);
      expect(withoutDate(restored as Asset)).toEqual(asRead);
    }
  });

  it('are restored field by field, and by the command line', async () => {
    await changeAll();
    const startedMs = systemClock.nowMs();
    const fields = Object.keys(changed);
    for (const asset of states.slice(1))
      await send('POST', `/${asset._id}/restore`, { version: versionOf(asset), fields });
    const [first] = states;
    if (!first) throw new Error('no asset');
    const { words, environment: credentials } = overHttp();
    await succeed(['restore', first._id, '--version', versionOf(first), ...words], {
      environment: credentials,
    });
    await expectRestored(startedMs);
  });

  it.each([
    ['changed', changeAll],
    ['deleted', deleteAll],
  ])('come back when a run that has %s them is reverted', async (_, work) => {
    await work({ 'X-Run': 'mistake' });
    server.advanceClock(3_600_000);
    const startedMs = systemClock.nowMs();
    const { words, environment: credentials } = overHttp();
    // The log may be about to number the last entries.
    await expect
      .poll(async () => (await runCommand(['runs', 'revert', 'mistake', ...words], credentials)).exitCode, {
        timeout: 60_000,
        interval: 1_000,
      })
      .toBe(0);
    await expectRestored(startedMs);
  });

  it('are in an export as an import creates them, in every mode', async () => {
    const whole = await exportAll(directly(source));
    const [server, store] = [overHttp(), directly(source)];
    const creating: readonly (readonly [Site, sort: readonly string[], mode: string])[] = [
      [store, ['--sort', 'label'], 'create'],
      ...(isWhole ? [[server, [], 'upsert'] as const] : []),
      ...(isLong ? [[store, [], 'upsert'] as const, [server, ['--sort', 'label'], 'create'] as const] : []),
    ];
    for (const [site, sort, mode] of creating) {
      const target = newTarget();
      await importAll(directly(target), [await exportAll(site, sort), '--mode', mode]);
      expect(await read(target)).toEqual(states);
    }
    const updating: readonly (readonly [Site, words: readonly string[]])[] = [
      [server, ['--mode', 'update']],
      [store, ['--mode', 'update', '--by', 'label']],
      ...(isWhole ? [[server, ['--mode', 'upsert']] as const] : []),
      ...(isLong ? [[store, ['--mode', 'update']] as const, [store, ['--mode', 'upsert']] as const] : []),
    ];
    for (const [site, words] of updating) {
      await changeAll();
      await importAll(site, [whole, ...words]);
      expect(await read(source)).toEqual(states);
    }
    // Nothing differs any more, and the dates stay.
    await importAll(store, [whole, '--mode', 'upsert']);
    expect(await read(source)).toEqual(states);
    await deleteAll();
    await importAll(store, [whole]);
    expect(await read(source)).toEqual(states);
  });

  it('are the only ones that an export of chosen fields has nulls for', async () => {
    for (const site of [overHttp(), directly(source)]) {
      const file = await exportAll(site, ['--fields', `count,box.h,${publishDate},label`]);
      const [none, empty, wide] = work.lines(file.slice(file.lastIndexOf('/') + 1));
      const line = { _type: type, count: null, [publishDate]: null };
      expect([none, empty, wide]).toEqual([
        // Selecting within an absent value selects the value.
        { _id: idOf(0), ...line, label: 'parcel 0', box: null },
        { _id: idOf(1), ...line, label: 'parcel 1', box: { h: null } },
        { _id: idOf(2), ...line, label: 'parcel 2', box: { h: null } },
      ]);
    }
  });

  it('have the same nulls in a query, in its long form and in a feed, but not unless asked for', async () => {
    const lines = readFileSync(await exportAll(directly(source)), 'utf8')
      .trim()
      .split('\n');
    const expected = lines.map((line) => JSON.parse(line));
    const get = async (path: string, headers: Record<string, string> = {}) =>
      fetch(server.cmaUrl + path, { headers: { ...historian, ...headers } });
    for (const [nulls, found] of [
      ['true', expected],
      ['false', states],
    ] as const) {
      const query = `from=${type}&limit=100&nulls=${nulls}`;
      const page = Object(await (await get(`?${query}`)).json());
      expect(page.result.items).toEqual(found);
      const body = { from: type, limit: 100, nulls: nulls === 'true' };
      expect(await send('POST', '/query', body)).toMatchObject({ items: found });
      const feed = Object(await (await get(`/changes?${query}`)).json());
      expect(feed.result.items).toEqual(found.map((asset) => ({ op: 'put', asset })));
      const live = await get(`/changes?${query}`, { Accept: 'text/event-stream' });
      const reader = live.body?.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes(idOf(states.length - 1))) text += (await reader?.read())?.value ?? '';
      await reader?.cancel();
      const [, data = ''] = /^data: (.*)$/m.exec(text) ?? [];
      expect(Object(JSON.parse(data)).items).toEqual(feed.result.items);
    }
  });

  it('are in a backup', async () => {
    await save(source, work.path('backup'));
    const target = newTarget();
    await load(target, work.path('backup'));
    expect(await read(target)).toEqual(states);
  });
});
