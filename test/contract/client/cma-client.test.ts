/** The client that users install, against a running instance: the answers are the same on each store. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AssetPredicate, CmaClient } from '../../../generated/client/lib/index.js';
import { operatorSpellings } from '../../../src/query/operators.ts';
import { startInstance } from '../../support/instance.ts';
import { describeOnEachStore, type StoreLocation } from '../../support/stores.ts';
import { type InstalledClient, installClient } from './installed-client.ts';
import { createNewspaper, type Names } from './newspaper.ts';
import { predicateResults } from './predicate-results.ts';
import { createTranscript } from './transcript.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';

const dates = '"cms.content.publishDate":<time>,"cms.content.updateDate":<time>';
const ada = `{"_id":"<ada>","_type":"${author}","slug":"ada","name":"Ada","email":"ada@example.org",${dates}}`;
const changed = `{"_id":"<ada>","_type":"${author}","slug":"ada","name":"Ada B.",${dates}}`;
const story =
  `{"_id":"<story>","_type":"${article}","slug":"story","headline":"Ü","status":"DRAFT",` +
  `"author":{"_ref":"<ada>","_type":"${author}"},"tags":[],"score":0.1,${dates}}`;
const stale = String.raw`{"code":"precondition_failed","message":"\"<ada>\" has changed in the meantime"}`;
const broken = {
  code: 'invalid_body',
  message: 'slug must match ^[a-z0-9]+(-[a-z0-9]+)*$; name must not be empty',
  path: 'slug',
  problems: [
    { path: 'slug', message: 'must match ^[a-z0-9]+(-[a-z0-9]+)*$' },
    { path: 'name', message: 'must not be empty' },
  ],
};
const expected = String.raw`create an author: ${ada}
create it again: 409 ConflictError {"code":"id_in_use","message":"An asset \"<ada>\" already exists","path":"_id"}
create its twin: 409 ConflictError {"code":"value_in_use","message":"\"ada\" is already in use: \"slug\" is unique","path":"slug"}
create an article by it: ${story}
read it: ${ada}
change it: ${changed}
change what was changed: 412 PreconditionFailedError ${stale}
break its rules: 400 ValidationError ${JSON.stringify(broken)}
find articles by it: {"count":1,"items":[${story}]}
count them: {"count":1,"items":[]}
skip them: {"count":1,"items":[]}
find with too few values: 400 PredicateError {"code":"values_mismatch","message":"The predicate has 1 placeholder, but the request has 0 values","path":"values"}
find by nonsense: 400 PredicateError {"code":"predicate_type","message":"Column 9: expected a number without quotes for \"score\" (Float)","path":"where","column":9}
delete what was changed: 412 PreconditionFailedError ${stale}
delete it: null
read it: 404 NotFoundError {"code":"not_found","message":"There is no asset \"<ada>\""}
read the article: ${story}
read as a stranger: 401 UnauthorizedError {"code":"unauthorized","message":"The client ID or the client secret is wrong"}
`;

type Build = (client: InstalledClient, idOf: (name: string) => string) => AssetPredicate;

/** Predicates over articles, built by the installed client, and what they find. */
const builtPredicates: readonly { readonly finds: readonly string[]; readonly build: Build }[] = [
  {
    finds: ['harvest', 'vote'],
    build: ({ where, and, Article }) =>
      where(Article, (a) => and(a.author.name.startsWith('ada', { ignoreCase: true }), a.place.exists())),
  },
  {
    finds: ['storm', 'vote'],
    build: ({ where, or, Article }) =>
      where(Article, (a) => or(a.headline.eq(`It's "close"`), a.tags.anyOf(['weather', "a' or true"]))),
  },
  {
    finds: ['bare'],
    build: ({ where, and, not, or, Article }) =>
      where(Article, (a) =>
        and(
          a['cms.content.publishDate'].ge(new Date(2000)),
          not(or(a.status.eq('DRAFT'), a['cms.site.owner'].name.eq('Herald'))),
        ),
      ),
  },
  {
    finds: ['vote'],
    build: ({ where, Article }, idOf) => where(Article, (a) => a.related.eq({ _id: idOf('ada') })),
  },
  {
    finds: ['harvest'],
    build: ({ where, and, Article }) =>
      where(Article, (a) =>
        and(a.section.parent.order.le(1), a.sources.title.contains('Alma'), a.featured.eq(true)),
      ),
  },
  { finds: [], build: ({ where, Article }) => where(Article, (a) => a.tags.anyOf([])) },
];

let installed: InstalledClient;
beforeAll(async () => {
  installed = await installClient();
});
afterAll(() => installed.remove());

it('the tests use the installed package, not the one in the repository', () => {
  expect(installed.file).toMatch(/\/colophon-project-\w+\/node_modules\/colophon-client\/lib\/index\.js$/);
});

it('the package contains only its modules, their types and the files that npm shows', () => {
  const others = installed.packed.filter(
    (path) => !/^lib\/([a-z]+\/)*[A-Za-z-]+(\.gen)?\.(js|d\.ts)$/.test(path),
  );
  expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
  const modules = installed.packed.filter((path) => path.endsWith('.js'));
  expect(installed.packed).toEqual(
    expect.arrayContaining(modules.map((path) => path.replace(/js$/, 'd.ts'))),
  );
});

describeOnEachStore('the installed client', (locations) => {
  it('creates, reads, changes, finds and deletes assets', async () => {
    const { cma, connect, close } = await open(locations());
    const isRefusal = (error: unknown) => error instanceof installed.ColophonError;
    const transcript = createTranscript(isRefusal);
    const { record } = transcript;
    const newAuthor = { _type: author, slug: 'ada', name: 'Ada', email: 'ada@example.org' } as const;
    const created = await record('create an author', cma.createAsset(newAuthor));
    const id = created?.asset._id ?? '';
    transcript.name('ada', id);
    const first = { ifMatch: created?.etag };
    await record('create it again', cma.createAsset({ ...newAuthor, _id: id }));
    await record('create its twin', cma.createAsset(newAuthor));
    const draft = { _type: article, slug: 'story', headline: 'Ü', status: 'DRAFT' } as const;
    const written = await record(
      'create an article by it',
      cma.createAsset({ ...draft, author: { _ref: id, _type: author }, tags: [], score: 0.1 }),
    );
    transcript.name('story', written?.asset._id ?? '');
    await record('read it', cma.getAsset(id));
    await record('change it', cma.updateAsset(id, { name: 'Ada B.', email: null }));
    await record('change what was changed', cma.updateAsset(id, { name: 'x' }, first));
    await record('break its rules', cma.updateAsset(id, { ...newAuthor, slug: '-', name: '' }));
    const byAda = { from: article, where: 'author/name = ?', values: ['Ada B.'] } as const;
    await record('find articles by it', cma.queryAssets(byAda));
    await record('count them', cma.queryAssets({ ...byAda, limit: 0 }));
    await record('skip them', cma.queryAssets({ ...byAda, offset: 1 }));
    await record('find with too few values', cma.queryAssets({ ...byAda, values: [] }));
    await record('find by nonsense', cma.queryAssets({ from: article, where: 'score = high' }));
    await record('delete what was changed', cma.deleteAsset(id, first));
    await record('delete it', cma.deleteAsset(id));
    await record('read it', cma.getAsset(id));
    await record('read the article', cma.getAsset(written?.asset._id ?? ''));
    await record('read as a stranger', connect('wrong').getAsset(id));
    await close();
    expect(transcript.text()).toBe(expected);
  });

  it('checks writes without writing', async () => {
    const { cma, close } = await open(locations());
    const section = { _type: 'com.example.news.Section', slug: 'world', name: 'World' } as const;
    const validate = true;
    const { asset, ...created } = await cma.createAsset(section, { validate });
    expect([asset, created]).toEqual([expect.objectContaining(section), {}]);
    await expect(cma.getAsset(asset._id)).rejects.toThrow(installed.NotFoundError);
    const state = await cma.createAsset(section, { validate: false });
    expect(state.etag).not.toBe('');
    const { _id: id } = state.asset;
    await expect(cma.createAsset(section, { validate })).rejects.toThrow(installed.ConflictError);
    const { asset: renamed, ...updated } = await cma.updateAsset(id, { name: 'X' }, { validate });
    expect([renamed, updated]).toEqual([expect.objectContaining({ _id: id, name: 'X' }), {}]);
    const operations = [{ action: 'update' as const, asset: { _id: id, name: 'Y' } }];
    const { results } = await cma.batchAssets({ operations }, { validate });
    expect(results).toEqual([{ status: 200, outcome: 'updated', _id: id }]);
    expect(await cma.getAsset(id)).toMatchObject({ asset: state.asset, etag: state.etag });
    await close();
  });

  it('reads and writes drafts in a release', async () => {
    const { cma, close } = await open(locations());
    const section = 'com.example.news.Section';
    const { asset } = await cma.createAsset({ _type: section, slug: 'world', name: 'World' });
    const drafts = cma.in('drafts');
    const changed = await drafts.updateAsset(asset._id, { name: 'The world' });
    expect(changed).toMatchObject({ asset: { name: 'The world' }, etag: expect.stringMatching(/^".+"$/) });
    const { asset: incomplete } = await drafts.createAsset({ _type: section, slug: 'sports' });
    const { results } = await drafts.batchAssets({ operations: [{ action: 'delete', id: incomplete._id }] });
    expect(results).toMatchObject([{ outcome: 'deleted' }]);
    const names: string[] = [];
    for await (const { name } of drafts.eachAsset({ from: section })) names.push(name);
    expect(names).toEqual(['The world']);
    const long = { from: section, where: `name in [${"'The world', ".repeat(900)}'x']` } as const;
    expect([await drafts.queryAssets(long), await cma.queryAssets(long)]).toMatchObject([
      { count: 1 },
      { count: 0 },
    ]);
    await drafts.discardDraft(asset._id);
    expect((await drafts.getAsset(asset._id)).asset).toEqual((await cma.getAsset(asset._id)).asset);
    await expect(cma.in('spring').getAsset(asset._id)).rejects.toThrow(installed.NotFoundError);
    await close();
  });

  describe('finds by', () => {
    let opened: Opened;
    let names: Names;
    beforeAll(async () => {
      opened = await open(locations());
      names = await createNewspaper(opened.cma);
    });
    afterAll(() => opened.close());

    describe.each(Object.entries(predicateResults))('%s:', (_group, results) => {
      it.each(results)('$where', async ({ from = article, where, values = [], finds }) => {
        const query = { from, where: names.fill(where), values: values.map(names.fill) };
        const { items, count } = await opened.cma.queryAssets(query);
        expect([names.namesOf(items), count]).toEqual([finds, finds.length]);
      });
    });

    describe('built predicates:', () => {
      it.each(builtPredicates)('they find $finds', async ({ build, finds }) => {
        const query = { ...build(installed, names.idOf), pageSize: 2 };
        const found: { readonly _id: string }[] = [];
        for await (const asset of opened.cma.eachAsset(query)) found.push(asset);
        expect(names.namesOf(found)).toEqual(finds);
      });
    });
  });
});

it('the predicates of this file use every spelling of every operator', () => {
  const words = new Set(
    Object.values(predicateResults)
      .flat()
      .flatMap(({ where }) => where.split(/[\s[\]]+/)),
  );
  const unused = Object.values(operatorSpellings)
    .flat()
    .filter((spelling) => !words.has(spelling));
  expect(unused).toEqual([]);
});

interface Opened {
  readonly cma: CmaClient;
  connect(clientSecret: string): CmaClient;
  close(): Promise<void>;
}

async function open(location: StoreLocation): Promise<Opened> {
  const { url, createClient, refresh, stop } = await startInstance(location);
  const headers = await createClient({ scopes: ['cma:read', 'cma:write', 'cma:draft'] });
  await refresh();
  const connect = (clientSecret: string) =>
    installed.createClient({ baseUrl: url, clientId: headers['X-Client-Id'], clientSecret });
  const close = async () => {
    await stop();
    await location.remove();
  };
  return { cma: connect(headers['X-Client-Secret']), connect, close };
}
