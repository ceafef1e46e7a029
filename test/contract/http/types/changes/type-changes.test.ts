/**
 * Every kind of change of content types, on stored assets: what the check reports, what a server with the new types makes of the assets,
 * and that a server with the former types loses nothing, beside the new one and alone after it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TypesReport } from '../../../../../generated/server/admin.ts';
import { bundleDocument, readCmaDocument } from '../../../../../src/documents/openapi-document.ts';
import type { Catalog } from '../../../../../src/model/content-type.ts';
import { loadTypes } from '../../../../../src/types/load-types.ts';
import { readTypeSources } from '../../../../../src/types/type-sources.ts';
import { createContractAssertions } from '../../../../support/contract-assertions.ts';
import { startInstance, type TestInstance } from '../../../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../../../support/stores.ts';
import { makeTypesFolder } from '../../../../support/types-folder.ts';
import { type Caller, createCaller } from '../../cma/caller.ts';
import { type TypeChange, typeChanges } from './type-changes.ts';

/** A server with one state of the types. */
interface Deployment {
  readonly instance: TestInstance;
  readonly catalog: Catalog;
  readonly cma: Caller;
  /** Sends JSON to another API, as a client that may use it, and returns the response. */
  post(path: string, body: object): Promise<unknown>;
}

/** The folders of the former types, of those between, and of the present ones. */
const makeFolders = (changes: readonly Pick<TypeChange, 'former' | 'between' | 'present'>[]) => {
  const folderOf = (pick: (change: Pick<TypeChange, 'former' | 'between' | 'present'>) => string) =>
    makeTypesFolder(changes.map(pick).join('\n'));
  return {
    former: folderOf(({ former }) => former),
    between: folderOf(({ former, between }) => between?.sdl ?? former),
    present: folderOf(({ present }) => present),
  };
};

async function deploy(location: StoreLocation, path: string): Promise<Deployment> {
  const instance = await startInstance(location, { typesDir: path });
  const client = await instance.createClient({ scopes: ['admin', 'graphql'] });
  await instance.refresh();
  const catalog = loadTypes(readTypeSources(path));
  const contract = createContractAssertions(bundleDocument({ source: readCmaDocument(), catalog }));
  return {
    instance,
    catalog,
    cma: createCaller({ instance: () => instance, contract }),
    async post(apiPath, body) {
      const headers = { ...client, 'Content-Type': 'application/json' };
      const response = await fetch(instance.url + apiPath, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const received = await response.json();
      expect([response.status, received]).toEqual([200, expect.anything()]);
      return received;
    },
  };
}

/** Asks a server what the types of a folder would break. */
async function check(server: Deployment, folder: string): Promise<TypesReport> {
  const sources = readTypeSources(folder).filter(({ supplied }) => !supplied);
  // The server answers by its document.
  return (await server.post('/api/admin/types/check', { sources })) as TypesReport;
}

/** A response of GraphQL with one list. */
interface ListResponse {
  readonly data: Readonly<Record<string, { readonly items: readonly Members[] }>>;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Reads all assets of a type by GraphQL. */
async function list(server: Deployment, { type, selection }: { type: string; selection: string }) {
  const name = server.catalog.types.get(type)?.name ?? '';
  const field = `${name.charAt(0).toLowerCase()}${name.slice(1)}List`;
  const query = `{ ${field}(limit: 100) { items { _id ${selection} } } }`;
  // The query has one list.
  const { data, errors = [] } = (await server.post('/graphql/management', { query })) as ListResponse;
  return { items: data[field]?.items ?? [], codes: errors.map(({ extensions }) => extensions.code) };
}

/** The findings about a type as lines: those of the type itself, then the rules that its stored assets break. */
function linesOf({ types, content }: TypesReport, className: string): string[] {
  const ofClass = ({ type }: { readonly type: string }) => type === className;
  return [
    ...types
      .filter(ofClass)
      .map(({ severity, path, message }) => `${[severity, path].filter(Boolean).join(' ')}: ${message}`),
    ...content.types
      .filter(ofClass)
      .flatMap(({ assets, rules }) =>
        rules.map(({ path, message, count }) => `content ${path}: ${message} (${count} of ${assets})`),
      ),
  ];
}

type Members = Readonly<Record<string, unknown>>;
type Unfit = readonly { readonly _id: string; readonly path: string; readonly message: string }[];

/** The fields of an asset without those that all types have. */
function membersOf(asset: Members): Members {
  const given = Object.entries(asset).filter(([name]) => !/^(_|cms\.)/.test(name));
  return Object.fromEntries(given);
}

/** What an envelope reports as unfit of one asset; it has no list when nothing is unfit. */
function unfitOf({ unfit = [] }: { readonly unfit?: Unfit }, id: string): string[] {
  return unfit.filter(({ _id }) => _id === id).map(({ path, message }) => `${path} ${message}`);
}

const get = async ({ cma }: Deployment, id: string) => {
  const { status, body } = await cma.call('GET', { path: `/${id}` });
  expect(status).toBe(200);
  return body;
};

/**
 * Reads the fields of an asset that a server with other types has written since this one counted what is unfit, so that the response need
 * not fit the document of this one.
 */
async function getForeign({ instance }: Deployment, id: string): Promise<Members> {
  const response = await fetch(`${instance.cmaUrl}/${id}`, { headers: instance.headers });
  expect(response.status).toBe(200);
  return membersOf(Object(await response.json()).result);
}

const create = async ({ cma }: Deployment, type: string, members: object) =>
  (await cma.create({ _type: type, ...members }))._id;

describeOnEachStore('a change of content types', (locations) => {
  let location: StoreLocation;
  let folders: ReturnType<typeof makeFolders>;
  let former: Deployment;
  let present: Deployment;
  let report: TypesReport;
  /** The `_id`s of the stored assets, and then of those that each server creates beside the other one, by class. */
  const stored = new Map<string, readonly string[]>();
  const created = new Map<string, { readonly byPresent: string; readonly byFormer: string }>();

  beforeAll(async () => {
    location = locations();
    folders = makeFolders(typeChanges);
    former = await deploy(location, folders.former);
    for (const change of typeChanges) await createFormerAssets(change);
    await deployBetween();
    report = await check(former, folders.present);
    present = await deploy(location, folders.present);
  });
  afterAll(async () => {
    await Promise.all([former?.instance.stop(), present?.instance.stop()]);
  });

  async function createFormerAssets({ class: type, others = [], assets, between }: TypeChange) {
    for (const other of others) await former.cma.create(other);
    const ids: string[] = [];
    for (const asset of between ? assets.slice(0, -1) : assets) ids.push(await create(former, type, asset));
    stored.set(type, ids);
  }

  /** Starts and stops the server of a deployment that is over. */
  async function deployBetween() {
    const deployment = await deploy(location, folders.between);
    for (const { class: type, between } of typeChanges)
      if (between)
        stored.set(type, [...idsOf({ class: type }), await create(deployment, type, between.asset)]);
    await deployment.instance.stop();
  }

  const idsOf = ({ class: type }: Pick<TypeChange, 'class'>) => stored.get(type) ?? [];

  describe.each(typeChanges)('$change', (change) => {
    const { class: type, presentClass = type, assets, shown = assets, unfit = [] } = change;

    it('is reported beforehand, with the assets that it breaks', () => {
      expect(linesOf(report, type)).toEqual(change.report);
    });

    it('leaves every asset readable, and reports what is unfit', async () => {
      for (const [index, id] of idsOf(change).entries()) {
        const body = await get(present, id);
        expect(body.result).toMatchObject({ _id: id, _type: presentClass });
        expect(membersOf(body.result)).toEqual(shown[index]);
        expect(unfitOf(body, id)).toEqual(unfit[index] ?? []);
        expect(body.unfit?.length).not.toBe(0);
      }
    });

    it('gives null and an error in GraphQL for what is unfit, and every other value', async () => {
      const { items, codes } = await list(present, { type: presentClass, selection: change.selection });
      const isUnfit = (index: number, name: string) =>
        unfit[index]?.some((line) => line.startsWith(`${name} `)) === true;
      const names = change.selection.split(' ');
      const expected = idsOf(change).map((id, index) => ({
        _id: id,
        ...Object.fromEntries(
          names.map((name) => [name, isUnfit(index, name) ? null : (shown[index]?.[name] ?? null)]),
        ),
      }));
      expect(items).toEqual(expected);
      const unfitFields = idsOf(change).flatMap((_, index) => names.filter((name) => isUnfit(index, name)));
      expect(codes).toEqual(unfitFields.map(() => 'unfit_content'));
    });

    it.each(Object.entries(change.finds))('finds by %s', async (where, expected) => {
      const { status, body } = await present.cma.call('GET', { query: { from: presentClass, where } });
      expect([status, body.result?.count]).toEqual([200, expected.length]);
      expect(indexesOf(body.result.items).toSorted()).toEqual(expected);
    });

    it.each(Object.entries(change.sorts))('sorts by %s', async (sort, expected) => {
      const { status, body } = await present.cma.call('GET', { query: { from: presentClass, sort } });
      expect([status, body.result?.count]).toEqual([200, assets.length]);
      expect(indexesOf(body.result.items)).toEqual(expected);
      expect(body.result.items.map(membersOf)).toEqual(expected.map((index) => shown[index]));
      for (const [index, id] of idsOf(change).entries())
        expect(unfitOf(body, id)).toEqual(unfit[index] ?? []);
    });

    const indexesOf = (items: readonly { readonly _id: string }[]) =>
      items.map(({ _id }) => idsOf(change).indexOf(_id));

    it('loses no value when another field is written', async () => {
      for (const [index, id] of idsOf(change).entries()) {
        const { status, body } = await present.cma.call('PUT', { path: `/${id}`, body: { note: 'new' } });
        expect([status, membersOf(body.result)]).toEqual([200, { ...shown[index], note: 'new' }]);
        expect(unfitOf(body, id)).toEqual(unfit[index] ?? []);
      }
    });

    it('lets a server with the former types read and write beside', async () => {
      for (const [index, id] of idsOf(change).entries()) {
        expect(membersOf((await get(former, id)).result)).toEqual({ ...assets[index], note: 'new' });
        const { status } = await former.cma.call('PUT', { path: `/${id}`, body: { note: 'old' } });
        expect(status).toBe(200);
        expect(membersOf((await get(present, id)).result)).toEqual({ ...shown[index], note: 'old' });
      }
      const { createdByPresent: byPresent, createdByFormer: byFormer } = change;
      const ids = {
        byPresent: await create(present, presentClass, byPresent.asset),
        byFormer: await create(former, type, byFormer.asset),
      };
      created.set(type, ids);
      expect(await getForeign(former, ids.byPresent)).toEqual(byPresent.shown ?? byPresent.asset);
      expect(await getForeign(present, ids.byFormer)).toEqual(byFormer.shown ?? byFormer.asset);
    });
  });

  describe('taken back', () => {
    beforeAll(async () => {
      await Promise.all([former.instance.stop(), present.instance.stop()]);
      former = await deploy(location, folders.former);
    });

    it.each(typeChanges)('$change: every original value is there', async (change) => {
      for (const [index, id] of idsOf(change).entries()) {
        const body = await get(former, id);
        expect(body.result._type).toBe(change.class);
        expect(membersOf(body.result)).toEqual({ ...change.assets[index], note: 'old' });
        expect(body).not.toHaveProperty('unfit');
      }
      const { byPresent = '', byFormer = '' } = created.get(change.class) ?? {};
      expect(membersOf((await get(former, byFormer)).result)).toEqual(change.createdByFormer.asset);
      const body = await get(former, byPresent);
      const { asset, shown = asset } = change.createdByPresent;
      expect(membersOf(body.result)).toEqual(shown);
      expect(unfitOf(body, byPresent)).toEqual(change.unfitForFormer ?? []);
    });
  });
});

/** A change that the store refuses: the server with the present types does not start. */
const repeated = {
  class: 'm.Repeated',
  former: 'type Repeated @contentType(class: "m.Repeated") { code: String note: String }',
  present:
    'type Repeated @contentType(class: "m.Repeated") { code: String @indexed(unique: true) note: String }',
};

describeOnEachStore('making a field unique whose values repeat', (locations) => {
  let location: StoreLocation;
  let folders: ReturnType<typeof makeFolders>;
  let former: Deployment;
  const ids: string[] = [];

  beforeAll(async () => {
    location = locations();
    folders = makeFolders([repeated]);
    former = await deploy(location, folders.former);
    for (const code of ['a', 'a', 'b']) ids.push(await create(former, repeated.class, { code }));
  });
  afterAll(async () => {
    await former?.instance.stop();
  });

  it('is reported beforehand, with the assets that repeat a value', async () => {
    const report = await check(former, folders.present);
    expect(linesOf(report, repeated.class)).toEqual([
      'attention code: is unique: stored assets and clients must not repeat a value',
      'safe code: has an index',
      'content code: must be unique, and another asset has the value (1 of 3)',
    ]);
    expect(report.content.types[0]?.rules[0]?.ids).toEqual([ids[1]]);
  });

  it('keeps the server with the new types from starting, and takes nothing from the other one', async () => {
    const start = startInstance(location, { typesDir: folders.present });
    await expect(start).rejects.toThrow('m.Repeated code cannot become unique: 2 assets have "a"');
    for (const id of ids) {
      const { status } = await former.cma.call('PUT', { path: `/${id}`, body: { note: 'still' } });
      expect(status).toBe(200);
    }
    const query = { from: repeated.class, where: 'code = a' };
    const { body } = await former.cma.call('GET', { query });
    expect(body.result.items.map(membersOf)).toEqual([
      { code: 'a', note: 'still' },
      { code: 'a', note: 'still' },
    ]);
  });

  it('starts once the values differ', async () => {
    const { status } = await former.cma.call('PUT', { path: `/${ids[1]}`, body: { code: 'c' } });
    expect(status).toBe(200);
    const present = await deploy(location, folders.present);
    const again = await former.cma.call('POST', { body: { _type: repeated.class, code: 'a' } });
    expect(again.status).toBe(409);
    await present.instance.stop();
  });
});
