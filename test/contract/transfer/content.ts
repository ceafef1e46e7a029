/** Generates numbered content for transfers: authors and articles that refer to one another, also to later lines. */
import { writeFileSync } from 'node:fs';

export const articleType = 'com.example.news.Article';
export const authorType = 'com.example.news.Author';
export const textType = 'com.colophon.cms.db.Text';

/** The `_id` of the `n`-th asset. */
export const idOf = (n: number) => `0a5e7000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

/** An asset as one line of a file holds it. */
export type LineAsset = Record<string, unknown>;

export function author(n: number): LineAsset {
  return { _id: idOf(n), _type: authorType, slug: `author-${n}`, name: `Ædith № ${n}`, ...dates(n) };
}

/** Creates an article of the author before it, related to the next article; the relations form a cycle of `cycle` assets. */
export function article(n: number, cycle: number): LineAsset {
  const next = n + 2 < cycle ? n + 2 : 1;
  return {
    _id: idOf(n),
    _type: articleType,
    slug: `article-${n}`,
    headline: `Headline ${n}`,
    body: `<p>${'What happened. '.repeat(n % 20)}</p>`,
    status: n % 3 === 0 ? 'DRAFT' : 'PUBLISHED',
    author: { _ref: idOf(n - 1), _type: authorType },
    related: [{ _ref: idOf(next), _type: articleType }],
    tags: [`tag ${n % 7}`, '"\\\u2028'],
    score: (n % 10) / 10,
    importData: { n, nested: [null, { deep: true }] },
    ...dates(n),
  };
}

const dates = (n: number) => ({
  'cms.content.publishDate': 1_700_000_000_000 + n,
  'cms.content.updateDate': 1_700_000_100_000 + n,
});

/** Creates `count` assets, an even number, each article before its author. */
export function newspaper(count: number): LineAsset[] {
  return Array.from({ length: count / 2 }, (_, pair) => [
    article(2 * pair + 1, count),
    author(2 * pair),
  ]).flat();
}

/** Creates texts without an `_id`, which only their names distinguish. */
export const texts = (count: number): LineAsset[] =>
  Array.from({ length: count }, (_, n) => ({ _type: textType, name: `text ${n}` }));

/** Writes lines into a file: assets as JSON, texts unchanged. */
export function writeLines(path: string, lines: readonly (LineAsset | string)[]): void {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(path, texts.map((line) => `${line}\n`).join(''));
}
