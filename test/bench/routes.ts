/**
 * The routes that the benchmark maps, and what a bare Express application answers in their place.
 */
import type { Asset } from '../../src/model/content-type.ts';

/** A stored query and where it is mapped, below the endpoint's prefix. */
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
} satisfies Record<string, BenchRoute>;

/** What the query `byId` selects of an article. */
export const pickWhole = (asset: Asset | undefined) => (asset ? pick(asset, bodyFields) : null);

/** What the query `byTag` selects of an article. */
export const pickOutline = (asset: Asset) => pick(asset, fields);

function pick(asset: Asset, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, asset[name] ?? null]));
}
