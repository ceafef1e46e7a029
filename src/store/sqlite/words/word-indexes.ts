/**
 * Generates the SQL of the word indexes behind `@searchable`; `stored-words.ts` builds them and `word-writer.ts` updates them.
 *
 * A word index is an FTS5 table without content, with one row for each asset that has words at the path. JavaScript splits and
 * folds the words, so the tokenizer only divides them at the blanks: `ascii` takes every other character of a word as it is.
 * Triggers note the keys of changed assets in the table of pending keys. The writer takes these keys before it commits, and stores
 * the words of their assets in the table of recent words; between writes it moves them into the index, or, those of large texts, into the
 * table of large words. A search reads all of these tables. So it is never wrong, whichever process has written an asset.
 */
import { createHash } from 'node:crypto';
import type { Asset } from '../../../model/content-type.ts';
import type { FieldPath } from '../../../model/field-path.ts';
import type { BoundComparison } from '../../../query/ast.ts';
import { isRichText } from '../../../query/operators.ts';
import { findValues } from '../../../query/path-values.ts';
import { prefixOf, toWords } from '../../../query/text.ts';
import { toToken, wordRules } from '../../word-tokens.ts';
import { quoteJsonPath } from '../reads/document-path.ts';

export interface WordSource {
  readonly type: number;
  readonly path: FieldPath;
}

/** One word index. Its name is derived from its definition, so that a changed definition is a different index. */
export interface WordIndex extends WordSource {
  readonly name: string;
  /** The table of the keys whose words are not up to date. */
  readonly pending: string;
  /** The table of the words that the index does not have yet; see `word-writer.ts`. */
  readonly recent: string;
  /** The table of the words of large texts; see `large-words.ts`. */
  readonly large: string;
}

/** Part of the name of an index; raise it when the tables change. */
const layout = 3;

/** Whether an index is one of words. */
export const isWordIndex = (index: object): index is WordIndex => 'pending' in index;

export type WordComparison = Extract<BoundComparison, { kind: 'words' }>;

/** Creates the definition of the word index for a path of the type with this number. */
export function toWordIndex(type: number, path: FieldPath): WordIndex {
  const definition = JSON.stringify([type, path.steps, path.leaf, wordRules, layout]);
  const name = `words_${createHash('sha256').update(definition).digest('hex').slice(0, 16)}`;
  return { type, path, name, pending: pendingOf(name), recent: recentOf(name), large: largeOf(name) };
}

/** Returns the name of the table of the pending keys of an index. */
export const pendingOf = (name: string) => `${name}_pending`;

/** Returns the name of the table of the recent words of an index. */
export const recentOf = (name: string) => `${name}_recent`;

/** Returns the name of the table of the large words of an index. */
export const largeOf = (name: string) => `${name}_large`;

/** How many segments of one level FTS5 merges at once within a write. The steps of `word-writer.ts` leave a few. */
const mostSegments = 1_000;

/** Returns the statements that create an empty index and its triggers. */
export function createStatements({ type, path, name, pending, recent, large }: WordIndex): string[] {
  const member = quoteJsonPath(path.steps.slice(0, 1).map((step) => step.name));
  const changed = `json_extract(old.document, ${member}) IS NOT json_extract(new.document, ${member})`;
  const note = (row: string) => `INSERT OR IGNORE INTO ${pending} VALUES (${row}.key);`;
  return [
    `CREATE VIRTUAL TABLE ${name}
      USING fts5(words, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
    `INSERT INTO ${name} (${name}, rank) VALUES ('automerge', 0), ('crisismerge', ${mostSegments})`,
    `CREATE TABLE ${pending} (key INTEGER PRIMARY KEY) STRICT`,
    `CREATE TABLE ${recent} (key INTEGER PRIMARY KEY, words TEXT NOT NULL) STRICT`,
    `CREATE TABLE ${large} (part INTEGER, key INTEGER, words TEXT NOT NULL, PRIMARY KEY (part, key)) STRICT, WITHOUT ROWID`,
    `CREATE TRIGGER ${name}_insert AFTER INSERT ON assets WHEN new.type = ${type} BEGIN ${note('new')} END`,
    `CREATE TRIGGER ${name}_delete AFTER DELETE ON assets WHEN old.type = ${type} BEGIN ${note('old')} END`,
    `CREATE TRIGGER ${name}_update AFTER UPDATE OF document ON assets WHEN new.type = ${type} AND ${changed}
      BEGIN ${note('new')} END`,
  ];
}

/** Returns the statements that remove an index, also one of another layout, which has fewer tables. */
export const dropStatements = (name: string): string[] => [
  ...['insert', 'update', 'delete'].map((event) => `DROP TRIGGER ${name}_${event}`),
  `DROP TABLE ${pendingOf(name)}`,
  `DROP TABLE IF EXISTS ${recentOf(name)}`,
  `DROP TABLE IF EXISTS ${largeOf(name)}`,
  `DROP TABLE ${name}`,
];

/** Returns the words of an asset at a path, each between blanks; an empty text when it has none. */
export function wordsOf({ path }: WordSource, asset: Asset): string {
  const richText = isRichText(path.leaf);
  const words = findValues(asset, path).flatMap((value) => toWords(String(value), { richText }));
  return words.length > 0 ? ` ${words.map(toToken).join(' ')} ` : '';
}

/** Returns the FTS5 query for the assets that have any, or all, of the words of a comparison. */
export const toMatchQuery = ({ words, all }: WordComparison): string =>
  words
    .map((word) => {
      const prefix = prefixOf(word);
      return prefix === undefined ? `"${toToken(word)}"` : `"${prefix}" *`;
    })
    .join(all ? ' AND ' : ' OR ');

/** Whether an index finds exactly the assets that match: of a list, all words must be in one item, which it cannot tell. */
export function isExact({ words, all, path }: WordComparison): boolean {
  return !all || words.length === 1 || path.steps.every(({ list }) => !list);
}
