/**
 * `node test/bench/fill-store.ts <folder> <articles>`: fills a SQLite store with articles for measurements by hand, or continues
 * one that was interrupted. A million articles take about three minutes and 2 GB.
 *
 * Every article refers to one of 5,000 authors and to one of 20 sections; the values of the other fields range from one that nearly
 * every article has to one for each article. Status, author and section do not depend on each other.
 */
import { loadSystemTypes, storedCatalog } from '../../src/access/system-types.ts';
import { randomIds, silentLogger } from '../../src/base/runtime.ts';
import type { Asset } from '../../src/model/content-type.ts';
import { openStore, type StoreLocation } from '../../src/store/open-store.ts';
import type { ContentStore } from '../../src/store/port.ts';
import { loadTypes } from '../../src/types/load-types.ts';
import { readTypeSources, shippedTypesFolder } from '../../src/types/type-sources.ts';
import { article, articleType, idOf } from './articles.ts';

const batchSize = 1_000;
const authorCount = 5_000;
const sectionCount = 20;
const authorType = 'com.example.news.Author';
const sectionType = 'com.example.news.Section';

const refTo = (kind: string, n: number, type: string) => ({ _ref: idOf(kind, n), _type: type });

const statusOf = (n: number) => (n % 1_000 === 0 ? 'REVIEW' : n % 10 === 0 ? 'DRAFT' : 'PUBLISHED');

/** Spreads consecutive numbers, so that equal values are not neighbours, and differently for each prime. */
const spread = (n: number, prime = 7_919) => (n * prime) % 1_000_003;

const largeArticle = (n: number): Asset => ({
  ...article(n, idOf('01', n)),
  slug: `article-${n}`,
  status: statusOf(spread(n, 104_729)),
  author: refTo('02', spread(n) % authorCount, authorType),
  section: refTo('03', spread(n, 15_485_863) % sectionCount, sectionType),
  tags: ['all', `tag-${spread(n) % 50}`, `rare-${spread(n) % 100_000}`],
  place: { name: 'Bern', country: `${'ABCDEFGHIJ'[spread(n) % 10]}${'KLMNOPQRST'[(spread(n) >> 4) % 10]}` },
  eventDate: 1_600_000_000_000 + spread(n) * 1_000,
});

const author = (n: number): Asset => ({
  _id: idOf('02', n),
  _type: authorType,
  slug: `author-${n}`,
  name: `Author ${n}`,
  'cms.content.publishDate': 0,
  'cms.content.updateDate': 0,
});

const section = (n: number): Asset => ({
  _id: idOf('03', n),
  _type: sectionType,
  slug: `section-${n}`,
  name: `Section ${n}`,
  order: n,
  'cms.content.publishDate': 0,
  'cms.content.updateDate': 0,
});

/** Fills the store at a location, or in a folder, which may be new, up to a number of articles. */
export async function fillStore(location: string | StoreLocation, articles: number): Promise<void> {
  const catalog = storedCatalog(loadSystemTypes(), loadTypes(readTypeSources(shippedTypesFolder)));
  const where = typeof location === 'string' ? { dataDir: location } : location;
  const store = await openStore({ ...where, catalog, logger: silentLogger });
  await store.prepare();
  await fill(store, { type: authorType, count: authorCount, make: author });
  await fill(store, { type: sectionType, count: sectionCount, make: section });
  await fill(store, { type: articleType, count: articles, make: largeArticle });
  await store.close();
}

interface Filling {
  readonly type: string;
  readonly count: number;
  readonly make: (n: number) => Asset;
}

async function fill(store: ContentStore, { type, count, make }: Filling): Promise<void> {
  const page = await store.find({ types: [type], offset: 0, limit: 0, withCount: true });
  for (let from = page.count ?? 0; from < count; from += batchSize) {
    const numbers = Array.from({ length: Math.min(batchSize, count - from) }, (_, n) => from + n);
    await store.write(numbers.map((n) => ({ kind: 'insert', asset: make(n), version: randomIds.version() })));
  }
}

if (import.meta.main) {
  const [folder = '', wanted = '1000000'] = process.argv.slice(2);
  await fillStore(folder, Number(wanted));
}
