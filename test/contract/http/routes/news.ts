/** Content for mapped routes: assets of the shipped types with values of every kind. */
import type { ContentService } from '../../../../src/content/content-service.ts';

export const article = 'com.example.news.Article';
const author = 'com.example.news.Author';
const section = 'com.example.news.Section';
const image = 'com.example.news.Image';

/** Builds the body of a valid article. */
export function createNews(slug: string): { readonly _type: string } & Readonly<Record<string, unknown>> {
  return { _type: article, slug, headline: `About ${slug}`, status: 'DRAFT' };
}

/** The IDs of the created assets. */
export type NewsIds = Readonly<
  Record<'ann' | 'bob' | 'world' | 'europe' | 'harbour' | 'first' | 'second' | 'third' | 'missing', string>
>;

/** Creates three articles and the assets they reference. */
export async function fillWithNews({
  create: createAsset,
  delete: remove,
}: ContentService): Promise<NewsIds> {
  const create = async (body: object) => (await createAsset(body, {})).asset._id;
  const refer = (_ref: string, _type: string) => ({ _ref, _type });
  const harbour = await create({
    _type: image,
    url: 'https://example.com/a.jpg',
    alternativeText: 'A harbour',
    width: 640,
  });
  const ann = await create({
    _type: author,
    slug: 'ann',
    name: 'Ann Ärmel',
    portrait: refer(harbour, image),
  });
  const bob = await create({ _type: author, slug: 'bob', name: 'Bob', website: 'https://example.com/bob' });
  const world = await create({ _type: section, slug: 'world', name: 'World', order: 2 });
  const europe = await create({
    _type: section,
    slug: 'europe',
    name: 'Europe',
    order: 1,
    parent: refer(world, section),
  });
  const missing = await create({ _type: author, slug: 'gone', name: 'Gone' });
  const first = await create({
    ...createNews('first'),
    status: 'PUBLISHED',
    body: '<p>The <b>first</b> & only</p>',
    author: refer(ann, author),
    section: refer(europe, section),
    lead: refer(harbour, image),
    tags: ['sea', 'ships & more', 'été'],
    readingMinutes: 5,
    score: 0.25,
    featured: true,
    sources: [
      { title: 'Register', url: 'https://example.com/register', accessed: 1_700_000_000_000 },
      { title: 'Hearsay' },
    ],
    place: { name: 'Le Havre', country: 'FR', latitude: 49.49, longitude: 0.107 },
    eventDate: -86_400_000,
    importData: { from: ['a', 1, null, { deep: true }], 'odd name': '"' },
  });
  const second = await create({
    ...createNews('second'),
    status: 'REVIEW',
    author: refer(bob, author),
    section: refer(world, section),
    related: [refer(first, article), refer(ann, author), refer(europe, section)],
    tags: ['sea'],
    readingMinutes: 12,
    featured: false,
    eventDate: 1_700_000_000_000,
  });
  const third = await create({
    ...createNews('third'),
    author: refer(missing, author),
    related: [refer(second, article), refer(missing, author)],
    readingMinutes: 5,
  });
  await remove({ id: missing }, {});
  return { ann, bob, world, europe, harbour, first, second, third, missing };
}
