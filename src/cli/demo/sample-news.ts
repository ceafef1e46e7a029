/**
 * The sample content of `colophon demo`: news of towns that do not exist, in the content types that come with Colophon.
 */
import { v5 } from 'uuid';
import { isDomainError } from '../../base/errors.ts';
import type { ContentService } from '../../content/content-service.ts';
import type { RestEndpoints } from '../../mapping/records/rest-endpoints.ts';
import type { JsonObject } from '../../model/content-type.ts';

const towns = [
  'Aldmoor',
  'Brackwater',
  'Cinder Hill',
  'Dunmere',
  'Eastferry',
  'Foxglen',
  'Greywick',
  'Hollowby',
];
const authors = ['Ada Quill', 'Ben Marlow', 'Cleo Hart', 'Dan Osei', 'Eva Lindqvist'];
const sections = ['Culture', 'Nature', 'Town hall', 'Transport'];

/** What happens in each section, and a sentence about it. */
const events: readonly (readonly [event: string, detail: string])[] = [
  [
    'opens its library again',
    'The reading room has new windows, and forty thousand books found their old places.',
  ],
  ['plants a thousand trees', 'Volunteers dug for three weekends, and the first oaks stand along the river.'],
  [
    'votes for a smaller budget',
    'The council met until midnight, and agreed on fewer lamps and more benches.',
  ],
  ['gets a night bus', 'It leaves at one and at three, and stops wherever somebody waves.'],
  ['shows its painters', 'Eleven studios open their doors, most of them for the first time.'],
];

const endpointName = 'News';
const author = 'the demo';

/** Creates the sample content that is missing, and publishes its REST endpoint unless there is one of that name. */
export async function loadSampleNews({
  content,
  restEndpoints,
}: {
  content: ContentService;
  restEndpoints: RestEndpoints;
}): Promise<{ readonly articles: number; readonly authors: number }> {
  const articles = towns.flatMap((town, first) =>
    events.map((event, second) => toArticle({ town, event, index: first * events.length + second })),
  );
  // References must point at what exists, so each kind waits for the one before.
  for (const assets of [sections.map(toSection), authors.map(toAuthor), articles]) {
    await Promise.all(assets.map((asset) => createOnce(content, asset)));
  }
  const all = await restEndpoints.list();
  if (!all.some(({ current }) => current.definition.name === endpointName)) {
    const { id } = await restEndpoints.create({ body: newsEndpoint, by: author });
    await restEndpoints.publish({ id, by: author });
  }
  return { articles: articles.length, authors: authors.length };
}

async function createOnce(content: ContentService, asset: JsonObject): Promise<void> {
  try {
    await content.create(asset, {});
  } catch (error) {
    if (!isDomainError(error, 'id_in_use')) throw error;
  }
}

const classOf = (type: string) => `com.example.news.${type}`;
const idOf = (type: string, slug: string) => v5(`https://colophon.example/sample/${type}/${slug}`, v5.URL);
const toSlug = (name: string) => name.toLowerCase().replaceAll(' ', '-');
const refer = (type: string, name: string) => ({ _ref: idOf(type, toSlug(name)), _type: classOf(type) });

function toNamed(type: string, name: string): JsonObject {
  const slug = toSlug(name);
  return { _id: idOf(type, slug), _type: classOf(type), slug, name };
}

const toSection = (name: string) => toNamed('Section', name);
const toAuthor = (name: string) => toNamed('Author', name);

function toArticle({
  town,
  event: [event, detail],
  index,
}: {
  town: string;
  event: (typeof events)[number];
  index: number;
}): JsonObject {
  const slug = toSlug(`${town} ${event}`);
  return {
    _id: idOf('Article', slug),
    _type: classOf('Article'),
    slug,
    headline: `${town} ${event}`,
    summary: detail,
    body: `<p>${detail}</p><p>It is the talk of ${town} this week.</p>`,
    status: 'PUBLISHED',
    author: refer('Author', authors[index % authors.length] ?? ''),
    section: refer('Section', sections[index % sections.length] ?? ''),
    tags: [toSlug(town), index % 2 === 0 ? 'weekend' : 'weekday'],
    readingMinutes: 1 + (index % 7),
    eventDate: Date.UTC(2026, 0, 1 + index),
  };
}

const outline = '_id slug headline eventDate author { name }';

const newsEndpoint = {
  name: endpointName,
  pathPrefix: '/api/news',
  source: 'delivery',
  access: 'ANYONE',
  mappings: [
    {
      name: 'Latest',
      query: `query Latest($tag: String, $limit: Int = 5) {
  articleList(filter: { tags: { any: { eq: $tag } } }, sortBy: [{ field: "eventDate", order: DESC }], limit: $limit) {
    items { ${outline} }
  }
}`,
      result: '/articleList/items',
    },
    {
      name: 'By slug',
      path: '/{slug}',
      query: `query BySlug($slug: String!) {
  articleBy(key: { slug: $slug }) { ${outline} body section { name } }
}`,
      notFound: '/articleBy',
      result: '/articleBy',
    },
    {
      name: 'Search',
      query: `query Search($words: String!, $limit: Int = 10) {
  articleList(filter: { headline: { matchesAll: $words } }, limit: $limit) { count items { ${outline} } }
}`,
    },
  ],
};
