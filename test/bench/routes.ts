/**
 * The mapped routes of the benchmark, and the responses of the plain Express routes they are compared with.
 */
import type { Asset } from '../../src/model/content-type.ts';

/** A stored query and its path below the endpoint's prefix. */
export interface BenchRoute {
  readonly path: string;
  readonly query: string;
}

const fields = ['_id', 'slug', 'headline', 'summary', 'status', 'tags', 'readingMinutes', 'eventDate'];
const bodyFields = [...fields, 'body', 'score', 'place'];

export const benchRoutes = {
  byId: {
    path: '/by-id',
    query: `query ArticleById($id: ID!) {
      article(_id: $id) { ${bodyFields.join(' ').replace('place', 'place { name country }')} }
    }`,
  },
  byTag: {
    path: '/by-tag',
    query: `query ArticlesByTag($tag: JSON!) {
      articleList(where: "tags = ?", values: [$tag], limit: 10) { items { ${fields.join(' ')} } }
    }`,
  },
  byHeadline: {
    path: '/by-headline',
    query: `query ArticlesByHeadline($headline: JSON!) {
      articleList(where: "headline = ?", values: [$headline], limit: 10) { items { ${fields.join(' ')} } }
    }`,
  },
  byFilter: {
    path: '/by-filter',
    query: `query ArticlesByFilter($headline: String!) {
      articleList(filter: { headline: { eq: $headline } }, limit: 10) { items { ${fields.join(' ')} } }
    }`,
  },
} satisfies Record<string, BenchRoute>;

/** Picks the fields that the query `byId` selects. */
export const pickWhole = (asset: Asset | undefined) => (asset ? pick(asset, bodyFields) : null);

/** Picks the fields that the query `byTag` selects. */
export const pickOutline = (asset: Asset) => pick(asset, fields);

function pick(asset: Asset, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, asset[name] ?? null]));
}
