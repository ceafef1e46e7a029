/** Contract runs against proxies that each break one promise of the CMA: the named cases of the suite must fail. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { type ClientHeaders, startInstance, type TestInstance } from '../../support/instance.ts';
import { sqliteLocation } from '../../support/stores.ts';
import { makeOwnTypesFolder } from '../../support/types-folder.ts';
import { type Fault, type Passing, startFaultyProxy } from './faulty-proxy.ts';
import { recipeTypes } from './hostile-types.ts';
import { documentFor, environmentFor, runContractCommand, runSuite } from './run.ts';

const types = makeOwnTypesFolder(`${recipeTypes}
interface Drink @contentType(class: "org.example.Drink") { name: String! }
type Tea implements Drink @contentType(class: "org.example.Tea") { name: String! pots: [Pot!] }
type Wine implements Drink @contentType(class: "org.example.Wine") { name: String! }
type Pot { colour: String litres: Float }
type Shelf @contentType(class: "org.example.Shelf") { name: String! teas: [Tea!] @indexed @onDelete(action: RESTRICT) }
`);
let instance: TestInstance;
let document: JsonObject;
let client: ClientHeaders;

beforeAll(async () => {
  instance = await startInstance(sqliteLocation(), { typesDir: types });
  document = documentFor(types);
  client = await instance.createClient({ scopes: ['cma:read', 'cma:write', 'cma:draft', 'history'] });
  await instance.refresh();
});

const collection = '/api/rest/cma/contents';

/** Changes the items of a page of a feed. */
function changeItems(
  { body, url }: Passing,
  // biome-ignore lint/suspicious/noExplicitAny: items differ by their operation
  change: (items: any[]) => unknown[],
): void {
  if (url.pathname.endsWith('/changes') && body?.result) body.result.items = change(body.result.items);
}

const faults: [fault: string, only: string, failing: RegExp, Fault][] = [
  [
    'deletes what others keep',
    'deleteAsset',
    /^deleteAsset 409 what teas of a org.example.Shelf refers to/,
    {
      answer: (passing) => {
        if (passing.method !== 'DELETE' || passing.status !== 409) return;
        passing.status = 200;
        passing.body = { status: 'ok', result: null };
      },
    },
  ],
  [
    'omits the path of an error',
    'createAsset',
    /^createAsset 400 a org.example.Recipe whose title is missing/,
    { answer: ({ body }) => delete body?.error?.path && delete body?.error?.problems },
  ],
  [
    'answers 201 where 200 is documented',
    'createAsset',
    /^createAsset 200 a org.example.Cook/,
    {
      answer: (passing) => {
        if (passing.method === 'POST' && passing.status === 200) passing.status = 201;
      },
    },
  ],
  [
    'renames result',
    'getAsset',
    /^getAsset 200 a org.example.Recipe/,
    {
      answer: (passing) => {
        if (passing.method === 'GET' && passing.status === 200 && passing.url.pathname !== collection) {
          const { result, ...rest } = passing.body;
          passing.body = { ...rest, results: result };
        }
      },
    },
  ],
  [
    'leaves out what was deleted of a feed',
    'listChanges',
    /^listChanges 200 what matches/,
    { answer: (passing) => changeItems(passing, (items) => items.filter(({ op }) => op !== 'delete')) },
  ],
  [
    'begins each page of a feed at its start',
    'listChanges',
    /^listChanges 200 pages of one item/,
    { request: ({ url }) => url.searchParams.delete('cursor') },
  ],
  [
    'sends assets of a feed without their dates',
    'listChanges',
    /^listChanges 200 a put has the asset/,
    {
      answer: (passing) =>
        changeItems(passing, (items) => {
          for (const { asset } of items) delete asset?.['cms.content.publishDate'];
          return items;
        }),
    },
  ],
  [
    'sends all changes of the type in a feed',
    'listChanges',
    /^listChanges 200 nothing of assets that do not match/,
    { request: ({ url }) => url.searchParams.delete('where') },
  ],
  [
    'calls it deleted when an asset leaves a feed',
    'listChanges',
    /^listChanges 200 an asset that no longer matches/,
    {
      answer: (passing) =>
        changeItems(passing, (items) =>
          items.map((item) => (item.op === 'leave' ? { ...item, op: 'delete' } : item)),
        ),
    },
  ],
  [
    'answers a live feed with a page',
    'listChanges',
    /^listChanges 200 the live form/,
    { request: ({ requestHeaders }) => requestHeaders.set('accept', 'application/json') },
  ],
  [
    'accepts the cursor of another query of a feed',
    'listChanges',
    /^listChanges 400 the cursor of another query/,
    { request: ({ url }) => url.searchParams.delete('where') },
  ],
  [
    'lets a feed follow references',
    'listChanges',
    /^listChanges 400 a predicate that follows/,
    {
      request: ({ url }) => {
        if (url.searchParams.get('where')?.startsWith('cms.site.owner')) url.searchParams.delete('where');
      },
    },
  ],
  [
    'leaves out a change of the history',
    'listAssetHistory',
    /^listAssetHistory 200 each change once/,
    { answer: ({ url, body }) => url.pathname.endsWith('/history') && body?.result?.items.splice(1, 1) },
  ],
  [
    'begins each page of the history at its start',
    'listAssetHistory',
    /^listAssetHistory 200 pages/,
    { request: ({ url }) => url.searchParams.delete('cursor') },
  ],
  [
    'always sends the former values',
    'listAssetHistory',
    /^listAssetHistory 200 the former values/,
    { request: ({ url }) => url.pathname.endsWith('/history') && url.searchParams.set('values', 'true') },
  ],
  [
    'returns the present state as a past one',
    'getAsset',
    /^getAsset 200 each version|^getAsset 404 before/,
    {
      request: ({ url }) => {
        url.searchParams.delete('version');
        url.searchParams.delete('at');
      },
    },
  ],
  [
    'restores the present state',
    'restoreAsset',
    /^restoreAsset 200 the whole state/,
    {
      request: (passing) => {
        const { method, url, requestBody } = passing;
        const isWhole =
          method === 'POST' && url.pathname.endsWith('/restore') && !/fields|at/.test(requestBody);
        if (isWhole) passing.requestBody = '{"at":9007199254740991}';
      },
    },
  ],
  [
    'accepts an unknown field of a restore',
    'restoreAsset',
    /^restoreAsset 400 no state, two states/,
    {
      request: (passing) => {
        passing.requestBody = passing.requestBody.replace('"noSuchField"', '"cms.content.publishDate"');
      },
    },
  ],
  [
    'merges nothing',
    'updateAsset',
    /^updateAsset 409 X-Base-Version/,
    { request: ({ requestHeaders }) => requestHeaders.delete('x-base-version') },
  ],
  [
    'hides the values of a conflict',
    'updateAsset',
    /^updateAsset 409 X-Base-Version/,
    { answer: ({ body }) => delete body?.error?.conflicts },
  ],
  [
    'ignores the Idempotency-Key of an update',
    'updateAsset',
    /^updateAsset 200 the same request with the same key/,
    {
      request: ({ method, requestHeaders }) => {
        if (method === 'PUT') requestHeaders.delete('idempotency-key');
      },
    },
  ],
  [
    'compares the body of an update with a key alone',
    'updateAsset',
    /^updateAsset 409 another body, asset or If-Match/,
    {
      request: ({ requestHeaders }) => {
        if (requestHeaders.has('idempotency-key')) requestHeaders.delete('if-match');
      },
    },
  ],
  [
    'ignores the Idempotency-Key of a deletion',
    'deleteAsset',
    /^deleteAsset (200 the same request|409 another asset) with the same key/,
    {
      request: ({ method, requestHeaders }) => {
        if (method === 'DELETE') requestHeaders.delete('idempotency-key');
      },
    },
  ],
  ['omits the ETag', 'getAsset', /^getAsset 200 a/, { answer: ({ headers }) => headers.delete('etag') }],
  [
    'names the draft alone in an ETag',
    'updateAsset',
    /^updateAsset 412 in a release, and others have changed the live asset/,
    {
      answer: ({ headers }) => {
        const etag = headers.get('etag');
        if (etag !== null) headers.set('etag', etag.replace(/~[\w-]*/, ''));
      },
    },
  ],
  [
    'sends a new ETag with every response',
    'getAsset',
    /^getAsset 304/,
    {
      answer: ({ headers }) => {
        if (headers.has('etag')) headers.set('etag', `"${Math.random()}"`);
      },
    },
  ],
  [
    'returns a wrong count',
    'queryAssets',
    /each asset once, in the order of _id/,
    {
      answer: ({ body }) => {
        if (body?.result?.count > 1) body.result.count++;
      },
    },
  ],
  [
    'ignores the limit',
    'queryAssets',
    /limit 0, only the count/,
    { request: ({ url }) => url.searchParams.delete('limit') },
  ],
  [
    'ignores the offset',
    'queryAssets',
    /past the end/,
    { request: ({ url }) => url.searchParams.delete('offset') },
  ],
  [
    'ignores the sort',
    'queryAssets',
    /by cursor and sort -_id/,
    { request: ({ url }) => url.searchParams.delete('sort') },
  ],
  [
    'counts a value twice',
    'queryAssets',
    /200 facets of the unique field/,
    {
      answer: ({ body }) => {
        for (const facets of Object.values<{ count: number }[]>(body?.result?.facets ?? {}))
          for (const facet of facets) facet.count++;
      },
    },
  ],
  [
    'ignores facets',
    'queryAssets',
    /400 facets of an unknown field/,
    { request: ({ url }) => url.searchParams.delete('facets') },
  ],
  [
    'begins again at each cursor',
    'queryAssets',
    /by cursor and sort _id/,
    {
      request: ({ url }) => {
        if (url.searchParams.has('cursor')) url.searchParams.set('cursor', '');
      },
    },
  ],
  [
    'ignores the predicate of a body',
    'postAssetQuery',
    /200 a body finds what/,
    {
      request: (passing) => {
        if (!passing.url.pathname.endsWith('/query')) return;
        const { where: _, ...query } = JSON.parse(passing.requestBody);
        passing.requestBody = JSON.stringify(query);
      },
    },
  ],
  [
    'ignores the selected fields',
    'queryAssets',
    /200 only the fields|400 an unknown field to select/,
    { request: ({ url }) => url.searchParams.delete('fields') },
  ],
  [
    'ignores the references to include',
    'queryAssets',
    /200 the assets that .* refers to|400 an unknown reference to include/,
    { request: ({ url }) => url.searchParams.delete('include') },
  ],
  [
    'includes other assets',
    'queryAssets',
    /200 the assets that .* refers to/,
    {
      answer: ({ body }) => {
        const included = Object(body?.result?.included);
        const [id, asset] = Object.entries(included)[0] ?? [];
        if (id === undefined) return;
        delete included[id];
        included['01935e49-02aa-7b10-8c33-5d1f6a90e412'] = asset;
      },
    },
  ],
  [
    'ignores explain',
    'queryAssets',
    /200 how the search has run, or 403/,
    { request: ({ url }) => url.searchParams.delete('explain') },
  ],
  [
    'explains another search',
    'postAssetQuery',
    /200 how the search has run, or 403/,
    {
      answer: (passing) => {
        if (passing.status !== 403 || !passing.url.pathname.endsWith('/query')) return;
        const explain = { predicate: 'true', indexes: [], rowsVisited: 0, ms: 0 };
        Object.assign(passing, {
          status: 200,
          body: { status: 'ok', result: { count: 0, items: [], explain } },
        });
      },
    },
  ],
  [
    'creates an asset that is only checked',
    'createAsset',
    /200 with validate=true/,
    { request: ({ url }) => url.searchParams.delete('validate') },
  ],
  [
    'omits X-Change of writes',
    'updateAsset',
    /^updateAsset 200 the headers of the write/,
    { answer: ({ headers }) => headers.delete('x-change') },
  ],
  [
    'omits the Location of a new asset',
    'createAsset',
    /^createAsset 200 the headers of the write/,
    { answer: ({ headers }) => headers.delete('location') },
  ],
  [
    'sends an ETag with a write that is only checked',
    'restoreAsset',
    /^restoreAsset 200 with validate=true/,
    {
      answer: ({ url, headers }) => {
        if (url.searchParams.has('validate')) headers.set('etag', '"a.b"');
      },
    },
  ],
  [
    'carries out a batch that is only checked',
    'batchAssets',
    /^batchAssets 200 results have an ETag/,
    { request: ({ url }) => url.searchParams.delete('validate') },
  ],
  [
    'accepts a cursor of another query',
    'queryAssets',
    /400 a cursor of another query/,
    {
      request: ({ url }) => {
        if (url.searchParams.get('cursor')) url.searchParams.delete('sort');
      },
    },
  ],
  [
    'accepts unknown fields',
    'createAsset',
    /noSuchMember is unknown/,
    {
      request: (passing) => {
        passing.requestBody = passing.requestBody.replace(',"noSuchMember":1', '');
      },
    },
  ],
  [
    'returns items in the wrong order',
    'queryAssets',
    /each asset once, in the order of _id/,
    {
      answer: ({ body }) => {
        body?.result?.items?.reverse?.();
      },
    },
  ],
  [
    'omits Allow',
    `${collection} other methods`,
    / 405 PATCH/,
    { answer: ({ headers }) => headers.delete('allow') },
  ],
  [
    'lists a method in Allow that it rejects',
    `${collection}/{id} other methods`,
    / 405 POST/,
    {
      answer: ({ headers }) => {
        if (headers.has('allow')) headers.set('allow', 'GET, HEAD, PUT, POST, DELETE');
      },
    },
  ],
  [
    'accepts requests without credentials',
    'getAsset',
    /^getAsset 401 without credentials/,
    {
      request: ({ requestHeaders }) => {
        for (const [name, value] of Object.entries(instance.headers)) requestHeaders.set(name, value);
      },
    },
  ],
  [
    'ignores If-Match',
    'updateAsset',
    /^updateAsset 412/,
    { request: ({ requestHeaders }) => requestHeaders.delete('if-match') },
  ],
  [
    'answers another media type',
    'deleteAsset',
    /^deleteAsset 200/,
    { answer: ({ headers }) => headers.set('content-type', 'text/json') },
  ],
  [
    'omits the request ID',
    'getAsset',
    /^getAsset/,
    { answer: ({ headers }) => headers.delete('x-request-id') },
  ],
  [
    'deletes nothing',
    'deleteAsset',
    /which no read finds afterwards/,
    {
      request: (passing) => {
        if (passing.method === 'DELETE') passing.method = 'GET';
      },
      answer: (passing) => {
        if (passing.method === 'GET' && passing.url.pathname !== collection && passing.status === 200)
          passing.body.result = null;
      },
    },
  ],
  [
    'clears nothing',
    'updateAsset',
    /cleared by null/,
    {
      request: (passing) => {
        passing.requestBody = passing.requestBody.replace(/^\{"minutes":null\}$/, '{}');
      },
    },
  ],
  [
    'ignores letter case',
    'queryAssets',
    /org.example.Recipe: title equals/,
    {
      request: ({ url }) => {
        const where = url.searchParams.get('where');
        if (where?.startsWith('(title ='))
          url.searchParams.set('where', where.replace(/^\(title =(?!\[)/, '(title =[c]'));
      },
    },
  ],
  [
    'adds an undocumented member to answers',
    'getAsset',
    /^getAsset 200/,
    {
      answer: ({ body }) => {
        if (body?.status === 'ok') body.debug = true;
      },
    },
  ],
  [
    'omits a type when it searches an interface',
    'queryAssets',
    /(pages from org.example.Drink|org.example.Drink: and, or, not)/,
    {
      request: ({ url }) => {
        if (url.searchParams.get('from') === 'org.example.Drink')
          url.searchParams.set('from', 'org.example.Tea');
      },
    },
  ],
  [
    'takes every item for any',
    'queryAssets',
    /the items of/,
    {
      request: ({ url }) => {
        const where = url.searchParams.get('where');
        if (where) url.searchParams.set('where', where.replace(/ every ?\(/, ' any ('));
      },
    },
  ],
  [
    'omits the column of predicate errors',
    'queryAssets',
    /ends after an operator/,
    { answer: ({ body }) => delete body?.error?.column },
  ],
];

describe('an instance that breaks the contract', () => {
  it.each(faults)('%s, which is detected', async (_name, operation, failing, fault) => {
    const proxy = await startFaultyProxy(instance.url, fault);
    const only = { operation, name: failing };
    const { failed, tally } = await runSuite({ instance, client, origin: proxy.url, document, only });
    expect(failed.filter((name) => failing.test(name))).not.toEqual([]);
    expect(tally.failed).toBeGreaterThan(0);
    await proxy.stop();
  });

  it('passes the cases of operations without a fault', async () => {
    const proxy = await startFaultyProxy(instance.url, {});
    for (const operation of ['getAsset', 'deleteAsset']) {
      const only = { operation };
      const { failed, reason } = await runSuite({ instance, origin: proxy.url, document, only });
      expect([failed, reason]).toEqual([[], undefined]);
    }
    await proxy.stop();
  });

  it('makes the command exit with 1 and name the failed case', async () => {
    const proxy = await startFaultyProxy(instance.url, { answer: ({ headers }) => headers.delete('etag') });
    const environment = { ...environmentFor(instance.headers), COLOPHON_TYPES: types };
    const run = await runContractCommand([proxy.url, '--only', 'getAsset'], environment);
    expect(run.exitCode).toBe(1);
    const broken = run
      .tap()
      .points.find(({ ok, description }) => !ok && description.startsWith('getAsset 200'));
    expect(broken?.diagnostics).toMatchObject({
      message: expect.stringContaining('the header ETag is missing'),
      request: expect.stringMatching(/^GET \/api\/rest\/cma\/contents\/[0-9a-f-]{36}$/),
      expected: 'status 200',
    });
    await proxy.stop();
  });
});

describe('a breaking change of the document', () => {
  /** Returns an edited copy of the document. */
  const change = (edit: (copy: JsonObject) => void) => {
    const copy = structuredClone(document);
    edit(copy);
    return copy;
  };
  const schemas = (copy: JsonObject) => Object(copy.components).schemas;

  it.each<[change: string, only: string, failing: RegExp, edit: (copy: JsonObject) => void]>([
    [
      'renames a field',
      'createAsset',
      /200 a org.example.Recipe with every field/,
      (copy) => {
        for (const name of ['Recipe', 'RecipeCreate', 'RecipeUpdate']) {
          const { minutes, ...rest } = schemas(copy)[name].properties;
          schemas(copy)[name].properties = { ...rest, duration: minutes };
        }
      },
    ],
    [
      'makes an optional field required',
      'createAsset',
      /400 a org.example.Recipe whose steps is missing/,
      (copy) => {
        schemas(copy).RecipeCreate.required.push('steps');
      },
    ],
    [
      'changes the type of a field',
      'createAsset',
      /200 a org.example.Recipe with every field/,
      (copy) => {
        for (const name of ['Recipe', 'RecipeCreate'])
          schemas(copy)[name].properties.minutes = { type: 'string' };
      },
    ],
    [
      'tightens a constraint',
      'createAsset',
      /title is longer than 20/,
      (copy) => {
        schemas(copy).RecipeCreate.properties.title.maxLength = 20;
      },
    ],
    [
      'documents a response that never occurs',
      'getAsset',
      /^getAsset 418 is documented/,
      (copy) => {
        const { get } = Object(copy.paths)[`${collection}/{id}`];
        get.responses['418'] = get.responses['404'];
      },
    ],
    [
      'removes a status',
      'getAsset',
      /^getAsset 304/,
      (copy) => {
        delete Object(copy.paths)[`${collection}/{id}`].get.responses['304'];
      },
    ],
    [
      'renames a member of the envelope',
      'getAsset',
      /^getAsset 200/,
      (copy) => {
        const answer = schemas(copy).AssetAnswer;
        answer.properties.data = answer.properties.result;
        delete answer.properties.result;
        answer.required = ['status', 'data'];
      },
    ],
    [
      'widens the range of a parameter',
      'queryAssets',
      /400 limit is above 500/,
      (copy) => {
        const { parameters } = Object(copy.paths)[collection].get;
        parameters.find(({ name }: { name: string }) => name === 'limit').schema.maximum = 500;
      },
    ],
  ])('%s, which is detected', async (_name, operation, failing, edit) => {
    const only = { operation, name: failing };
    const { failed } = await runSuite({ instance, document: change(edit), only });
    expect(failed.filter((name) => failing.test(name))).not.toEqual([]);
  });
});

describe('the content that a run creates', () => {
  const countAll = async () => {
    let total = 0;
    for (const from of instance.services.content.catalog.types.keys()) {
      const answer = await fetch(`${instance.cmaUrl}?from=${from}&limit=0`, { headers: instance.headers });
      total += Object(await answer.json()).result.count;
    }
    return total;
  };

  it('is deleted when the run is interrupted', async () => {
    const before = await countAll();
    const interrupt = new AbortController();
    let most = 0;
    const { reason, results } = await runSuite({
      instance,
      document,
      signal: interrupt.signal,
      onResult: ({ title }) => {
        most++;
        if (title.startsWith('200 23 assets')) interrupt.abort();
      },
    });
    expect([reason, results.length]).toEqual(['interrupted', most]);
    expect(await countAll()).toBe(before);
  });

  it('is deleted when the first attempt at each deletion fails', async () => {
    const before = await countAll();
    const deleted = new Set<string>();
    const refused = new WeakSet<Passing>();
    const proxy = await startFaultyProxy(instance.url, {
      request: (passing) => {
        const { method, url } = passing;
        if (method !== 'DELETE' || deleted.has(url.pathname)) return;
        deleted.add(url.pathname);
        refused.add(passing);
        // A refused deletion is not carried out.
        passing.method = 'GET';
      },
      answer: (passing) => {
        if (refused.has(passing)) passing.status = 503;
      },
    });
    const only = { operation: 'getAsset', name: /^getAsset 200 a/ };
    const { reason } = await runSuite({ instance, origin: proxy.url, document, only });
    expect(deleted.size).toBeGreaterThan(0);
    expect([reason, await countAll()]).toEqual([undefined, before]);
    await proxy.stop();
  });

  it('is deleted when its answers are unreadable', async () => {
    const before = await countAll();
    const proxy = await startFaultyProxy(instance.url, {
      answer: (passing) => {
        if (passing.method === 'POST' && passing.status === 200) passing.body = { lost: true };
      },
    });
    await runSuite({ instance, origin: proxy.url, document, only: { operation: 'createAsset' } });
    // The run creates some assets without choosing their _id, so it cannot identify them when the response is unreadable.
    expect((await countAll()) - before).toBeLessThanOrEqual(2 * 3);
    await proxy.stop();
  });

  it('keeps the assets that other cases use', async () => {
    const created: string[] = [];
    const ended: string[] = [];
    let samples: readonly string[] = [];
    let endedByCases: readonly string[] = [];
    const proxy = await startFaultyProxy(instance.url, {
      answer: ({ method, url, status, body }) => {
        const [, id = '', action] = url.pathname.slice(collection.length).split('/');
        if (method === 'POST' && id === '' && status === 200) created.push(body.result._id);
        if ((method === 'DELETE' || action === 'withdraw') && status === 200) ended.push(id);
      },
    });
    await runSuite({
      instance,
      client,
      origin: proxy.url,
      document,
      only: { operation: 'withdrawAsset' },
      onResult: ({ operation }) => {
        // The first cases create the samples; the run deletes them after the last case.
        if (operation !== 'withdrawAsset') samples = [...created];
        else endedByCases = [...ended];
      },
    });
    await proxy.stop();
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.filter((id) => endedByCases.includes(id))).toEqual([]);
  });
});
