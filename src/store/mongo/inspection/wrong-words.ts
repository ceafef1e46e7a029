/**
 * Finds the assets whose stored words are not those of their texts.
 *
 * Only the words that the record of a type lists as complete are compared, and as sets: a process that does not know that a field
 * is searchable stores the same words in another form. An asset that seems wrong is read again, because it may just have changed.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Catalog, ContentType } from '../../../model/content-type.ts';
import type { Database } from '../database.ts';
import { type AssetDocument, fromDocument } from '../documents/document.ts';
import { own } from '../documents/document-path.ts';
import { getNested, isNestedObject } from '../documents/nested-names.ts';
import { parseTextField } from '../indexes/text-fields.ts';
import { itemStart, toWordIndex } from '../indexes/word-index.ts';

/** An asset with wrong words, and its type. */
export type WrongWords = AssetDocument & { readonly type: ContentType };

/** Finds them. */
export async function* findWrongWords(
  { assets, types }: Pick<Database, 'assets' | 'types'>,
  catalog: Catalog,
): AsyncGenerator<WrongWords> {
  const records = await types.find({ texts: { $exists: true } }).toArray();
  for (const { _id, texts = [] } of records) {
    const type = catalog.types.get(_id);
    const members = [...new Set(texts.map((text) => parseTextField(text).member))];
    const known = members.filter((name) => type?.fields.has(name));
    if (!type || known.length === 0) continue;
    for await (const document of assets.find({ _type: _id }, { batchSize: 500 })) {
      if (areRight(document, { type, known })) continue;
      const again = await assets.findOne({ _id: document._id });
      if (again && again._type === _id && !areRight(again, { type, known })) yield { ...again, type };
    }
  }
}

/** Replaces the words of an asset, unless it has changed meanwhile. */
export async function setWords(
  { assets }: Pick<Database, 'assets'>,
  { type, ...document }: WrongWords,
): Promise<void> {
  const { asset, version } = fromDocument(document);
  const entries = toWordIndex(asset, type.fields);
  await assets.updateOne({ _id: document._id, [own.version]: version }, { $set: { [own.index]: entries } });
}

function areRight(
  document: AssetDocument,
  { type, known }: { type: ContentType; known: readonly string[] },
): boolean {
  const expected = toWordIndex(fromDocument(document).asset, type.fields);
  return known.every((name) => {
    const { index } = document._colophon;
    const stored = isNestedObject(index) ? getNested(index, name) : undefined;
    return isDeepStrictEqual(wordsIn(stored), wordsIn(getNested(expected, name)));
  });
}

/** Returns all words in a nested value, each once, in order. */
function wordsIn(value: unknown): string[] {
  const words = new Set<string>();
  const add = (one: unknown): void => {
    if (typeof one === 'string') {
      // A listed word stands alone, and the words of a string between blanks.
      for (const word of one.replace(itemStart, '').trim().split(' ')) words.add(word);
    } else if (Array.isArray(one)) one.forEach(add);
    else if (isNestedObject(one)) Object.values(one).forEach(add);
  };
  add(value);
  return [...words].sort();
}
