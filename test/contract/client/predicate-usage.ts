/**
 * Predicates that must compile with the client, and ones that must not. The tests compile this file against the installed package. It
 * is never run.
 */
import {
  Article,
  type Article as ArticleAsset,
  type AssetPredicate,
  and,
  type Condition,
  createClient,
  not,
  or,
  Page,
  where,
} from '../../../generated/client/lib/index.js';

const cma = createClient({ baseUrl: 'http://localhost:4000', clientId: 'a', clientSecret: 'b' });
const id = '01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7';

export async function queries(author: ArticleAsset, minutes: number | undefined): Promise<void> {
  const published = where(Article, (a) => and(a.status.eq('PUBLISHED'), a.author.name.startsWith('A')));
  const typed: AssetPredicate<'com.example.news.Article'> = published;
  const { items } = await cma.queryAssets({ ...typed, limit: 5 });
  console.log(items[0]?.headline);
  for await (const { headline } of cma.eachAsset(published)) console.log(headline);
  for await (const page of cma.eachAsset({ ...where(Page, (p) => p.slug.startsWith('a')), pageSize: 10 })) {
    if (page._type === 'com.example.news.Author') console.log(page.name);
  }
  const filters: Condition[] = [];
  where(Article, (a) => {
    if (minutes !== undefined) filters.push(a.readingMinutes.le(minutes));
    return and(...filters, or(a.author.eq(author), not(a.author.eq({ _ref: id })), a.author.anyOf([id])));
  });
  // @ts-expect-error these are pages, not articles
  const wrong: AssetPredicate<'com.example.news.Article'> = where(Page, (p) => p.slug.eq('a'));
  console.log(wrong);
}

export const paths = [
  where(Article, (a) => a['cms.content.publishDate'].ge(new Date(0))),
  where(Article, (a) => a['cms.site.owner'].name.eq('Herald', { ignoreCase: true })),
  where(Article, (a) => a.section.parent.parent.slug.exists()),
  where(Article, (a) => a.place.country.anyOf(['CH', 'AT'])),
  where(Article, (a) => a.related._type.eq('com.example.news.Author')),
  where(Article, (a) => a.sources.accessed.lt(1000)),
  where(Article, (a) => a.tags.noneOf(['a', 'b'] as const)),
  where(Article, (a) => a.body.matchesAll('gold standard')),
  where(Article, (a) => or(a.importData.exists(), a.place.isMissing(), a.featured.ne(true))),
  // @ts-expect-error an article has no title
  where(Article, (a) => a.title.eq('A')),
  // @ts-expect-error a dotted name is one property
  where(Article, (a) => a.cms.site.owner.exists()),
  // @ts-expect-error an author has no headline
  where(Article, (a) => a.author.headline.eq('A')),
  // @ts-expect-error not every page has a headline
  where(Page, (p) => p.headline.eq('A')),
];

export const comparisons = [
  // @ts-expect-error there is no such status
  where(Article, (a) => a.status.eq('LOST')),
  // @ts-expect-error there is no such status
  where(Article, (a) => a.status.anyOf(['DRAFT', 'LOST'])),
  // @ts-expect-error enum values have no order
  where(Article, (a) => a.status.gt('DRAFT')),
  // @ts-expect-error a number is no text
  where(Article, (a) => a.headline.eq(1)),
  // @ts-expect-error a text is no number
  where(Article, (a) => a.readingMinutes.eq('1')),
  // @ts-expect-error a number is no date
  where(Article, (a) => a.score.lt(new Date())),
  // @ts-expect-error numbers have no beginning
  where(Article, (a) => a.readingMinutes.startsWith(1)),
  // @ts-expect-error numbers have no letter case
  where(Article, (a) => a.readingMinutes.eq(1, { ignoreCase: true })),
  // @ts-expect-error the order of texts takes letter case into account
  where(Article, (a) => a.headline.lt('a', { ignoreCase: true })),
  // @ts-expect-error a boolean is no text
  where(Article, (a) => a.featured.eq('true')),
  // @ts-expect-error absence has its own operator
  where(Article, (a) => a.headline.eq(null)),
  // @ts-expect-error a reference is not compared by its order
  where(Article, (a) => a.author.lt(id)),
  // @ts-expect-error data of any form is present or missing
  where(Article, (a) => a.importData.eq('a')),
  // @ts-expect-error an embedded value is present or missing
  where(Article, (a) => a.place.eq('CH')),
  // @ts-expect-error anyOf takes a list
  where(Article, (a) => a.tags.anyOf('a')),
  // @ts-expect-error a comparison by JavaScript is no condition
  where(Article, (a) => a.headline === 'a'),
  // @ts-expect-error a field is no condition
  where(Article, (a) => a.featured),
  // @ts-expect-error and joins conditions
  where(Article, (a) => and(a.featured.eq(true), true)),
];
