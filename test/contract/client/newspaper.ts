/** A small newspaper, created through the client: assets of six types, which the predicates of this suite search. */
import type { AssetCreate, CmaClient } from '../../../generated/client/lib/index.js';

/** Maps the names that the suite uses for assets to their IDs. */
export interface Names {
  /** Returns the ID of an asset. */
  idOf(name: string): string;
  /** Returns the names of assets, in the order of the given IDs. */
  namesOf(assets: readonly { readonly _id: string }[]): string[];
  /** Replaces each `{name}` in a text by the ID. */
  fill(text: string): string;
}

/** Creates the newspaper. Its articles are `harvest`, `storm`, `vote` and `bare`, which has only the required fields. */
export async function createNewspaper(cma: CmaClient): Promise<Names> {
  const ids = new Map<string, string>();
  const names = createNames(ids);
  const create = async (name: string, asset: AssetCreate) => {
    ids.set(name, (await cma.createAsset(asset)).asset._id);
  };
  const author = (name: string) => ({ _ref: names.idOf(name), _type: 'com.example.news.Author' as const });
  const section = (name: string) => ({ _ref: names.idOf(name), _type: 'com.example.news.Section' as const });
  const image = (name: string) => ({ _ref: names.idOf(name), _type: 'com.example.news.Image' as const });
  const article = (name: string) => ({ _ref: names.idOf(name), _type: 'com.example.news.Article' as const });
  const published = (ms: number) => ({ 'cms.content.publishDate': ms });

  await create('herald', {
    _type: 'com.colophon.cms.db.Site',
    name: 'Herald',
    urls: ['https://herald.example/'],
  });
  await create('photo', {
    _type: 'com.example.news.Image',
    url: 'https://img.example/1',
    alternativeText: 'A field',
    width: 640,
  });
  await create('ada', { _type: 'com.example.news.Author', slug: 'ada', name: 'Ada Byron' });
  await create('ben', {
    _type: 'com.example.news.Author',
    slug: 'ben',
    name: 'Ben',
    portrait: image('photo'),
  });
  await create('world', { _type: 'com.example.news.Section', slug: 'world', name: 'World', order: 1 });
  await create('europe', {
    _type: 'com.example.news.Section',
    slug: 'europe',
    name: 'Europe',
    order: 2,
    parent: section('world'),
  });
  await create('harvest', {
    _type: 'com.example.news.Article',
    slug: 'harvest',
    headline: 'Harvest begins',
    summary: 'Early this year',
    body: '<p>The <b>harvest</b> has begun &amp; goes on</p>',
    status: 'PUBLISHED',
    author: author('ada'),
    section: section('europe'),
    tags: ['farm', 'Weather'],
    readingMinutes: 3,
    score: 0.5,
    featured: true,
    sources: [{ title: 'Met Office', url: 'https://met.example/', accessed: 1000 }, { title: 'Almanac' }],
    place: { name: 'Bern', country: 'CH', latitude: 46.95 },
    eventDate: 1_700_000_000_000,
    ...published(1000),
  });
  await create('storm', {
    _type: 'com.example.news.Article',
    slug: 'storm',
    headline: 'STORM over Zürich',
    body: '<p>A storm.<br>Rain, more rain!</p>',
    status: 'DRAFT',
    author: author('ben'),
    related: [article('harvest')],
    tags: ['weather'],
    readingMinutes: 5,
    score: 0.25,
    featured: false,
    place: { name: 'Zürich', country: 'CH' },
    eventDate: -1,
    ...published(2000),
  });
  await create('vote', {
    _type: 'com.example.news.Article',
    slug: 'vote',
    headline: `It's "close"`,
    status: 'REVIEW',
    author: author('ada'),
    section: section('world'),
    related: [author('ada'), article('harvest')],
    lead: image('photo'),
    readingMinutes: 0,
    score: 1,
    place: { name: 'Wien', country: 'AT' },
    importData: { from: 'a wire' },
    'cms.site.owner': { _ref: names.idOf('herald'), _type: 'com.colophon.cms.db.Site' },
    ...published(3000),
  });
  await create('bare', {
    _type: 'com.example.news.Article',
    slug: 'bare',
    headline: 'begins',
    status: 'ARCHIVED',
    ...published(4000),
  });
  return names;
}

function createNames(ids: ReadonlyMap<string, string>): Names {
  const idOf = (name: string) => {
    const id = ids.get(name);
    if (id === undefined) throw new Error(`There is no asset ${name}`);
    return id;
  };
  const nameOf = (id: string) => [...ids.keys()].find((name) => ids.get(name) === id) ?? id;
  return {
    idOf,
    namesOf: (assets) => assets.map(({ _id }) => nameOf(_id)),
    fill: (text) => text.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name)),
  };
}
