/**
 * `node test/bench/searches.ts <folder>`: measures searches of a store that `fill-store.ts` has filled: pages of 10 through the content
 * service, one at a time, for 2 s or 400 times with other values each time. It prints a table in Markdown.
 */
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { isDomainError } from '../../src/base/errors.ts';
import { silentLogger } from '../../src/base/runtime.ts';
import { type AssetQuery, createAssetFinder } from '../../src/content/reading/find-assets.ts';
import { openStore } from '../../src/store/open-store.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/types/type-sources.ts';
import { articleType, idOf } from './articles.ts';

type Search = Partial<Omit<AssetQuery, 'withCount'>> & { readonly count?: true };

const newest = [{ field: 'cms.content.publishDate', descending: true }];
const byHeadline = [{ field: 'headline', descending: false }];
const count = true;

/** Each search of the `n`-th call. */
const searches: Readonly<Record<string, (n: number) => Search>> = {
  'one asset by a unique field': (n) => ({ where: 'slug = ?', values: [`article-${n}`] }),
  'an author': (n) => ({ where: 'author = ?', values: [author(n)] }),
  'the same, with the count': (n) => ({ where: 'author = ?', values: [author(n)], count }),
  'an author and a status of one in 1,000': (n) => ({
    where: 'author = ? and status = "REVIEW"',
    values: [author(n)],
  }),
  'a section and a status of one in 1,000': (n) => ({
    where: 'section = ? and status = "REVIEW"',
    values: [section(n)],
  }),
  'a section and a status of nine in ten': (n) => ({
    where: 'section = ? and status = "PUBLISHED"',
    values: [section(n)],
  }),
  'a status of nine in ten and a range of dates, of one in 100': (n) => ({
    where: 'status = "PUBLISHED" and eventDate >= ? and eventDate < ?',
    values: [date(n % 99), date((n % 99) + 1)],
  }),
  'a tag of one in 50': (n) => ({ where: 'tags = ?', values: [`tag-${n % 50}`] }),
  'a rare tag and a tag of all': (n) => ({
    where: 'tags = ? and tags = "all"',
    values: [`rare-${n % 100_000}`],
  }),
  'a page by `_id >`': (n) => ({ where: '_id > ?', values: [idOf('01', n)] }),
  "an author's name, behind the reference": (n) => ({
    where: 'author/name = ?',
    values: [`Author ${n % 5_000}`],
  }),
  'a status of one in 1,000, with the count': () => ({ where: 'status = "REVIEW"', count }),
  'a status of one in ten, with the count': () => ({ where: 'status = "DRAFT"', count }),
  'the newest': () => ({ sort: newest }),
  'the newest of a section': (n) => ({ where: 'section = ?', values: [section(n)], sort: newest }),
  'the newest of an author': (n) => ({ where: 'author = ?', values: [author(n)], sort: newest }),
  'by headline': () => ({ sort: byHeadline }),
  'the page at offset 5,000': () => ({ offset: 5_000 }),
  '`matches`, a rare word': (n) => ({ where: 'headline matches ?', values: [String(n)] }),
  '`matches`, a word of every asset': () => ({ where: 'headline matches "headline"' }),
};

const author = (n: number) => idOf('02', n % 5_000);
const section = (n: number) => idOf('03', n % 20);
const date = (percent: number) => 1_600_000_000_000 + percent * 10_000_000;

const [dataDir = ''] = process.argv.slice(2);
const catalog = storedCatalog(loadSystemTypes(), loadTypes(readTypeSources(shippedTypesFolder)));
const store = await openStore({ dataDir, catalog, logger: silentLogger, isReadOnly: true });
const finder = createAssetFinder({ catalog, store });
const all = { from: articleType, offset: 0, limit: 10 };
const { count: articles = 0 } = await finder.find({ ...all, limit: 1, withCount: true }, {});

console.log(
  `${articles} articles\n\n| Search | p50, ms | p99, ms | results | refused |\n| --- | ---: | ---: | ---: | ---: |`,
);
for (const [name, search] of Object.entries(searches)) {
  const took: number[] = [];
  let [results, refused] = [0, 0];
  const endMs = performance.now() + 2_000;
  for (let call = 1; call <= 400 && performance.now() < endMs; call++) {
    const { count: withCount = false, ...terms } = search((call * 7_919) % articles);
    const startMs = performance.now();
    const page = await finder.find({ ...all, ...terms, withCount }, {}).catch(findRefusal);
    took.push(performance.now() - startMs);
    if (page) results += page.items.length;
    else refused++;
  }
  took.sort((a, b) => a - b);
  const at = (part: number) => (took[Math.floor(part * (took.length - 1))] ?? Number.NaN).toFixed(2);
  console.log(`| ${name} | ${at(0.5)} | ${at(0.99)} | ${(results / took.length).toFixed(1)} | ${refused} |`);
}
await store.close();

/** Returns nothing for a search that is too costly, which is an error to its caller. */
function findRefusal(error: unknown): undefined {
  if (!isDomainError(error, 'query_too_costly')) throw error;
}
