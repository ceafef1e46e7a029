/**
 * Code that must compile with the client, and code that must not: every function, every narrowing. The tests compile this file
 * against the installed package and against packages of changed specifications. It is never run.
 */
import {
  type Article,
  type ArticleCreate,
  type Asset,
  type Author,
  BadRequestError,
  ColophonError,
  createClient,
  NotFoundError,
  PredicateError,
  refTo,
  type Section,
  TooManyRequestsError,
  ValidationError,
} from '../../../generated/client/lib/index.js';

const cma = createClient({ baseUrl: 'http://localhost:4000', clientId: 'a', clientSecret: 'b' });
const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';
const draft = { _type: 'com.example.news.Article', slug: 'a', status: 'DRAFT' } as const;

/** Compiles only when both types are the same. */
function same<Expected>() {
  return <Found>(_found: Found, ..._isSame: Same<Found, Expected> extends true ? [] : [never]): void => {};
}
type Same<One, Other> =
  (<Any>() => Any extends One ? 1 : 2) extends <Any>() => Any extends Other ? 1 : 2 ? true : false;

export async function queries(name: string, isCounted: boolean, where: string | undefined): Promise<void> {
  const articles = await cma.queryAssets({ from: 'com.example.news.Article', where, values: ['a', 1, true] });
  same<Article[]>()(articles.items);
  same<number>()(articles.count);
  const byId = await cma.queryAssets({ from: 'b656ca6f-4fd1-5a87-b426-b502be8c376e' });
  same<Article[]>()(byId.items);
  const pages = await cma.queryAssets({ from: 'com.example.news.Page', offset: 10, limit: 0 });
  same<(Article | Author | Section)[]>()(pages.items);
  for (const page of pages.items) {
    console.log(page.slug);
    if (page._type === 'com.example.news.Author') same<Author>()(page);
  }
  const anything = await cma.queryAssets({ from: name }, { signal: AbortSignal.timeout(1) });
  same<Asset[]>()(anything.items);
  const uncounted = await cma.queryAssets({ from: name, count: false });
  // @ts-expect-error it was not counted
  console.log(uncounted.count.toFixed());
  const selected = await cma.queryAssets({
    from: 'com.example.news.Article',
    fields: ['headline', 'place.country'],
    include: ['author/portrait'],
  });
  for (const item of selected.items) {
    console.log(item._id, item.headline.length, item.place?.country);
    // @ts-expect-error: a field that was not selected
    console.log(item.slug);
    same<string | undefined>()(item.place?.name);
  }
  console.log(Object.values(selected.included ?? {}).map(({ _type }) => _type));
  const paths: string[] = [];
  const partly = await cma.queryAssets({ from: 'com.example.news.Article', fields: paths });
  same<string | undefined>()(partly.items[0]?.headline);

  const either = await cma.queryAssets({ from: name, count: isCounted });
  same<number | undefined>()(either.count);
  const paged = await cma.queryAssets({ from: name, cursor: '', sort: '-headline', facets: 'status' });
  same<number | undefined>()(paged.count);
  same<string | undefined>()(paged.next);
  // @ts-expect-error no content type has this name
  await cma.queryAssets({ from: 'com.example.news.Articel' });
  // @ts-expect-error `from` is required
  await cma.queryAssets({ where: 'headline = a' });
  // @ts-expect-error there is no such parameter
  await cma.queryAssets({ from: name, order: 'headline' });
  // @ts-expect-error not every asset has a headline
  console.log(anything.items[0]?.headline);
  // @ts-expect-error an article has no title
  console.log(articles.items[0]?.title);
}

export async function iterations(name: string): Promise<void> {
  for await (const article of cma.eachAsset({
    from: 'com.example.news.Article',
    where: 'score > ?',
    values: [0],
  })) {
    same<Article>()(article);
    const parts: [string, 'com.example.news.Author' | undefined] = [article.headline, article.author?._type];
    console.log(parts, article.place?.latitude?.toFixed(), article.tags?.join());
  }
  for await (const asset of cma.eachAsset({ from: name, pageSize: 1000 }, { signal: AbortSignal.abort() })) {
    same<Asset>()(asset);
    if (asset._type === 'com.example.news.Article') console.log(asset.headline);
    // @ts-expect-error not every asset has a headline
    else console.log(asset.headline);
  }
  // @ts-expect-error pages follow each other by themselves
  cma.eachAsset({ from: name, offset: 5 });
}

export const references = (article: Article, page: Article | Author) => {
  same<{ readonly _ref: string; readonly _type: 'com.example.news.Article' }>()(refTo(article));
  const author: ArticleCreate['author'] = refTo({ _id: id, _type: 'com.example.news.Author' });
  // @ts-expect-error a page may be an article
  const other: ArticleCreate['author'] = refTo(page);
  return [author, other];
};

export async function changes(article: ArticleCreate): Promise<void> {
  const created = await cma.createAsset({ ...draft, headline: 'A' }, { idempotencyKey: 'a' });
  same<Article>()(created.asset);
  same<string>()(created.etag);
  same<Article>()((await cma.createAsset(article)).asset);
  const author = { _ref: id, _type: 'com.example.news.Author' } as const;
  await cma.createAsset({
    ...draft,
    headline: 'A',
    author,
    related: [author, refTo(created.asset), { _ref: id, _type: draft._type }],
  });
  await cma.createAsset({
    _type: 'b656ca6f-4fd1-5a87-b426-b502be8c376e',
    slug: 'a',
    status: 'DRAFT',
    headline: '',
  });
  const { asset, etag } = await cma.updateAsset(
    id,
    { _type: draft._type, summary: null },
    { ifMatch: created.etag },
  );
  same<Article>()(asset);
  await cma.updateAsset(id, { headline: 'B' });
  const checked = await cma.createAsset({ ...draft, headline: 'A' }, { validate: true });
  same<Article>()(checked.asset);
  // @ts-expect-error what is only checked has no version
  checked.etag satisfies string;
  const maybeChecked = await cma.updateAsset(id, { headline: 'B' }, { validate: article.status === 'DRAFT' });
  same<string | undefined>()(maybeChecked.etag);
  same<string>()((await cma.updateAsset(id, { headline: 'B' }, { validate: false })).etag);
  await cma.batchAssets({ operations: [{ action: 'delete', id }] }, { validate: true });
  const patched = await cma.patchAsset(id, [{ op: 'add', path: '/tags/-', value: 'new' }], { ifMatch: etag });
  same<string>()(patched.etag);
  await cma.patchAsset(id, { summary: null }, { validate: true });
  await cma.batchAssets({ operations: [{ action: 'patch', id, patch: { summary: null } }] });
  // @ts-expect-error there is no such operation
  await cma.patchAsset(id, [{ op: 'grow', path: '/tags' }]);
  await cma.deleteAsset(id, { ifMatch: etag });
  // @ts-expect-error a headline is required
  await cma.createAsset(draft);
  // @ts-expect-error there is no such status
  await cma.createAsset({ ...draft, headline: 'A', status: 'LOST' });
  // @ts-expect-error an article has no title
  await cma.createAsset({ ...draft, _type: draft._type, headline: 'A', title: 'A' });
  // @ts-expect-error no asset is an interface
  await cma.createAsset({ _type: 'com.example.news.Page', slug: 'a' });
  // @ts-expect-error an image is no author
  await cma.createAsset({ ...draft, headline: 'A', author: { _ref: id, _type: 'com.example.news.Image' } });
  // @ts-expect-error a required field cannot be cleared
  await cma.updateAsset(id, { _type: draft._type, headline: null });
  // @ts-expect-error no type has such a field
  await cma.updateAsset(id, { colour: 'red' });
}

export async function reads(): Promise<void> {
  const { asset } = await cma.getAsset(id, { signal: new AbortController().signal });
  if (asset._type === 'com.example.news.Article')
    same<'DRAFT' | 'REVIEW' | 'PUBLISHED' | 'ARCHIVED'>()(asset.status);
  // @ts-expect-error not every asset has a headline
  console.log(asset.headline);
  const changed = await cma.getAsset(id, { ifNoneMatch: '"a"' });
  // @ts-expect-error the asset may be unchanged, and then is absent
  console.log(changed.asset);
  console.log(changed?.asset._id);
}

export async function feeds(): Promise<void> {
  const query = { from: 'com.example.news.Article', where: 'status = ?', values: ['PUBLISHED'] } as const;
  const { items, cursor, more, phase } = await cma.listChanges({ ...query, limit: 10 });
  same<boolean>()(more);
  same<'snapshot' | 'changes'>()(phase);
  for await (const change of cma.changes(
    { ...query, cursor },
    { onSnapshot: () => console.log(items.length) },
  )) {
    same<string | undefined>()(change.cursor);
    if (change.op === 'put') console.log(change.asset.headline);
    else same<string>()(change.id);
  }
  // @ts-expect-error a feed has no offset
  await cma.listChanges({ ...query, offset: 1 });
  // @ts-expect-error no such content type
  cma.changes({ from: 'com.example.news.Poem' });
}

export async function histories(): Promise<void> {
  const { items, next } = await cma.listAssetHistory(id, { limit: 5, values: true });
  same<string | undefined>()(next);
  for (const { action, by, before } of items) {
    same<'create' | 'update' | 'delete' | 'erase'>()(action);
    console.log(by.name, before?.['headline']);
  }
  await cma.listAssetHistory(id, { cursor: next, signal: AbortSignal.timeout(1) });
  const { asset, etag } = await cma.getPastAsset(id, { version: '"a"' });
  same<Asset>()(asset);
  await cma.getPastAsset(id, { at: 1 });
  await cma.restoreAsset(id, { version: etag, fields: ['headline'] }, { ifMatch: etag });
  await cma.restoreAsset(id, { at: 1 });
  same<undefined>()((await cma.restoreAsset(id, { at: 1 }, { validate: true })).etag);
  const withdrawn = await cma.withdrawAsset(id, { ifMatch: etag });
  same<number>()(withdrawn.references.count);
  for (const { release, publishAt } of withdrawn.schedules) console.log(release, new Date(publishAt));
  await cma.eraseAsset(id, { ifMatch: etag });
  // @ts-expect-error a state is named by a version or a time, not both
  await cma.restoreAsset(id, { at: 1, version: etag });
  // @ts-expect-error neither names a state
  await cma.getPastAsset(id, {});
}

export async function files(chosen: File, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const uploaded = await cma.uploadFile(chosen, {
    onProgress: ({ sent, total }) => console.log(sent / total),
  });
  same<string>()(uploaded.hash);
  same<number | undefined>()(uploaded.width);
  await cma.uploadFile(bytes, { name: 'bytes.bin', signal: AbortSignal.timeout(1000) });
  same<string>()(cma.fileUrl(uploaded, { width: 640, height: 360, fit: 'contain', format: 'webp' }));
  // @ts-expect-error there is no such format
  cma.fileUrl(uploaded, { format: 'bmp' });
}

export async function batches(): Promise<void> {
  const { failed, results } = await cma.batchAssets({
    atomic: false,
    references: 'deferred',
    operations: [
      { action: 'create', asset: { ...draft, headline: 'A' } },
      {
        action: 'update',
        by: 'slug',
        asset: { _type: draft._type, slug: 'a', summary: null },
        ifMatch: '"a"',
      },
      { action: 'upsert', by: 'slug', asset: { ...draft, headline: 'A' } },
      { action: 'replace', by: 'slug', asset: { ...draft, headline: 'A' } },
      { action: 'delete', id },
    ],
    skipUnchanged: true,
  });
  same<number>()(failed);
  for (const result of results) {
    if (result.status === 200) console.log(result.outcome, result.unresolved?.[0]?._ref, result.etag);
    else console.log(result.error.code, result.error.problems);
  }
  // @ts-expect-error there is no such action
  await cma.batchAssets({ operations: [{ action: 'exchange', id }] });
}

export async function releases(): Promise<void> {
  const spring = cma.in('spring');
  // Drafts may be incomplete.
  const { asset, etag } = await spring.createAsset(draft);
  same<Article>()(asset);
  await spring.updateAsset(asset._id, { summary: null }, { ifMatch: etag });
  const { items } = await spring.queryAssets({ from: 'com.example.news.Article' });
  same<Article[]>()(items);
  await spring.discardDraft(asset._id);
  // @ts-expect-error the release is named once
  await spring.queryAssets({ from: 'com.example.news.Article', release: 'autumn' });
  // @ts-expect-error a release has no feed
  await spring.listChanges({ from: 'com.example.news.Article' });
}

export async function refusals(): Promise<void> {
  try {
    await cma.deleteAsset(id);
  } catch (error) {
    if (error instanceof ValidationError)
      console.log(error.problems.map(({ path, message }) => path + message));
    if (error instanceof PredicateError) console.log(error.column?.toFixed());
    if (error instanceof NotFoundError) same<404>()(error.status);
    if (error instanceof BadRequestError) same<400>()(error.status);
    if (error instanceof TooManyRequestsError) same<number | undefined>()(error.retryAfterSeconds);
    if (error instanceof ColophonError)
      console.log(error.code === 'value_in_use', error.requestId, error.cause);
  }
}

// @ts-expect-error a client needs a secret
createClient({ baseUrl: 'http://localhost:4000', clientId: 'a' });
// @ts-expect-error milliseconds are a number
createClient({ baseUrl: 'http://localhost:4000', clientId: 'a', clientSecret: 'b', timeoutMs: '1s' });
