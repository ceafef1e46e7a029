/**
 * The assets of the benchmark: articles of about 1 KB.
 */
import type { Asset } from '../../src/model/content-type.ts';

export const articleType = 'com.example.news.Article';

/** Returns the fields of the `n`-th article: texts, a list and an embedded object. */
export function articleFields(n: number) {
  return {
    slug: `article-${n}-${process.pid}-${Date.now()}`,
    headline: `Headline ${n}`,
    summary: `What number ${n} is about, in a sentence or two.`,
    body: `<p>${`Paragraph of article ${n}. `.repeat(24)}</p>`,
    status: n % 3 === 0 ? 'DRAFT' : 'PUBLISHED',
    tags: ['bench', `tag-${n % 50}`],
    readingMinutes: n % 20,
    score: (n % 100) / 100,
    place: { name: 'Bern', country: 'CH' },
    eventDate: 1_700_000_000_000 + n,
  };
}

/** Identifiers in order of `n`, as those of UUID version 7 are in order of creation. `kind` is two hexadecimal digits. */
export const idOf = (kind: string, n: number) =>
  `${kind}91f3a0-5b7e-7c11-9d2e-${String(n).padStart(12, '0')}`;

/** Returns the `n`-th article as a store keeps it. */
export function article(n: number, id: string): Asset {
  return {
    _id: id,
    _type: articleType,
    ...articleFields(n),
    'cms.content.publishDate': 0,
    'cms.content.updateDate': 0,
  };
}
