/**
 * The condition of a search in a list: plain words become a predicate on the title and the searchable texts of a type.
 */
import type { ContentType } from '../../../api.ts';
import { fieldPaths } from '../../../parts/data/field-paths.ts';
import { viewOf } from '../../../parts/data/scalar-views.ts';
import { quote } from './filter/conditions.ts';

/** The most words that are searched for; more of them hardly find anything else. */
const maxWords = 10;

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * The predicate of a search; undefined without words.
 *
 * Each word must begin a word of the title or of a `@searchable` text, in any letter case, with accents or without. A title without
 * `@searchable` may also contain it: no index serves either. The ID of an asset finds it.
 */
export function searchCondition(type: ContentType, text: string): string | undefined {
  const searched = text.trim();
  if (searched === '') return undefined;
  if (uuid.test(searched)) return `_id = ${quote(searched.toLowerCase())}`;
  const words = (searched.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).slice(0, maxWords);
  const all = fieldPaths(type);
  const searchable = all.filter(({ field }) => field.searchable).map(({ path }) => path);
  const titles = type.titleField === undefined ? [] : [type.titleField];
  // A type without a title, as most interfaces are, is searched by its texts.
  const texts =
    titles.length + searchable.length > 0
      ? titles
      : all
          .filter(({ field, isInList }) => viewOf(field.type) === 'words' && !isInList)
          .map(({ path }) => path);
  const plain = texts.filter((path) => !searchable.includes(path));
  // Punctuation alone has no words.
  const isIn = (word: string) => [
    ...searchable.map((path) => `${toPath(path)} matchesAll ${quote(`${word}*`)}`),
    ...plain.flatMap((path) => [
      `${toPath(path)} contains[c] ${quote(word)}`,
      ...(words.length > 0 ? [`${toPath(path)} matchesAll ${quote(`${word}*`)}`] : []),
    ]),
  ];
  const conditions = (words.length > 0 ? words : [searched]).map((word) => isIn(word));
  if (conditions.some((each) => each.length === 0)) return `_id = ${quote(searched)}`;
  return conditions.map((each) => `(${each.join(' or ')})`).join(' and ');
}

/** Quotes a path with characters that a predicate reads otherwise. */
const toPath = (path: string) => (/^[\w.]+$/.test(path) ? path : `"${path}"`);
