/** The context of the CMA's cases: an instance, calls to it, and content. */
import type { TestInstance } from '../../../support/instance.ts';
import type { Caller } from './caller.ts';

export const article = 'com.example.news.Article';
export const author = 'com.example.news.Author';
export const text = 'com.colophon.cms.db.Text';
export const site = 'com.colophon.cms.db.Site';
/** A UUID that no asset has. */
export const noAsset = '0190a0c0-0000-7000-8000-000000000000';

/** Shared by all cases of one suite. */
export interface CmaContext extends Caller {
  instance(): TestInstance;
  /** Returns a valid body of an article, with an unused slug. */
  newArticle(fields?: object): {
    readonly _type: string;
    readonly slug: string;
    readonly [field: string]: unknown;
  };
  newSlug(): string;
}

/** Creates the context of a suite whose instance starts later. */
export function createCmaContext(caller: Caller, instance: () => TestInstance): CmaContext {
  let slugs = 0;
  const newSlug = () => `slug-${slugs++}`;
  const newArticle = (fields: object = {}) => ({
    _type: article,
    slug: newSlug(),
    headline: 'A headline',
    status: 'DRAFT',
    ...fields,
  });
  return { ...caller, instance, newArticle, newSlug };
}
