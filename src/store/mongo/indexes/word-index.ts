/**
 * The words and order keys of an asset's texts, stored beside them so that MongoDB can answer `matches` and order what BSON cannot.
 *
 * They have the shape of the document: its words, between blanks (" alpha beta "), replace each text, its order key replaces each
 * `ordered` value, and values with neither are left out. The content type decides which fields are texts and how they are split.
 * The words of a searchable field are a list (["alpha", "beta"]), so that an index finds each. Searches read both forms, because
 * another process may not know that the field is searchable.
 */

import { memberOf } from '../../../base/own-members.ts';
import type {
  ContentType,
  EmbeddedType,
  Field,
  Json,
  JsonObject,
  ValueType,
} from '../../../model/content-type.ts';
import { isJsonObject } from '../../../model/values/validate-asset.ts';
import { familyOf, isRichText, textOrderOf } from '../../../query/operators.ts';
import { orderKeyVersion, orderRuleOf } from '../../../query/sort.ts';
import { toWords as splitWords } from '../../../query/text.ts';
import { toToken, wordRules } from '../../word-tokens.ts';
import { type NestedObject, setNested } from '../documents/nested-names.ts';

type Fields = ReadonlyMap<string, Field>;

/** Returns the words and order keys of all texts of an asset, and of its `_id`, nested by name. */
export function toWordIndex(asset: JsonObject, fields: Fields): NestedObject {
  return { _id: joinWords(String(asset._id), { richText: false }), ...indexMembers(asset, fields) };
}

/** Returns the words or order keys of one field's value, or `undefined` when it has none. */
export function toWords(value: Json, { list, searchable, type }: Field): unknown {
  if (!list) {
    const words = indexValue(value, type);
    return (searchable && listWords([words])) || words;
  }
  if (!Array.isArray(value)) return undefined;
  const items = value.map((item) => indexValue(item, type)).filter((item) => item !== undefined);
  if (items.length === 0) return undefined;
  const listed = searchable && listWords(items);
  return listed ? [...items.map((words) => `${itemStart}${words}`), ...listed] : items;
}

/** Precedes the words of an item (a tab, then " alpha beta ") among the listed words of a searchable list. */
export const itemStart = '\t';

/**
 * Text with more distinct words is searched without the index, because a document is limited to 16 MiB. Its words are stored with their
 * repetitions, because finding these would block the main thread.
 */
const mostListed = 10_000;

/** Returns the distinct words of texts of words as a list; `undefined` when there are none or too many. */
function listWords(texts: readonly unknown[]): string[] | undefined {
  const tokens = new Set<string>();
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    for (const word of text.trim().split(' ')) {
      tokens.add(toToken(word));
      if (tokens.size > mostListed) return undefined;
    }
  }
  return tokens.size > 0 ? [...tokens] : undefined;
}

/** Returns the words and order keys of some members. */
export function indexMembers(members: JsonObject, fields: Fields): NestedObject {
  const index: NestedObject = {};
  for (const field of fields.values()) {
    const value = memberOf(members, field.name);
    const words = value === undefined ? undefined : toWords(value, field);
    if (words !== undefined) setNested(index, field.name, words);
  }
  return index;
}

function indexValue(value: Json, type: ValueType): unknown {
  if (type.kind === 'embedded') {
    const index = isJsonObject(value) ? indexMembers(value, type.type.fields) : {};
    return Object.keys(index).length > 0 ? index : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (familyOf(type) === 'ordered') return textOrderOf(type)?.toKey(value);
  if (familyOf(type) !== 'text') return undefined;
  return joinWords(value, { richText: isRichText(type) });
}

function joinWords(text: string, options: { richText: boolean }): string | undefined {
  const words = splitWords(text, options);
  return words.length > 0 ? ` ${findDistinct(words).join(' ')} ` : undefined;
}

/** Returns each word once, or all words when very many are distinct. */
function findDistinct(words: readonly string[]): readonly string[] {
  const distinct = new Set<string>();
  for (const word of words) {
    distinct.add(word);
    if (distinct.size > mostListed) return words;
  }
  return [...distinct];
}

// The text fields of a content type, each written to the type's record as a string with its path and its rule: how its texts are split
// into words, or, of `ordered` values, the scalar and the version of their order keys.
//
// The record lists the text fields whose words or keys are stored for all assets. Those of a path are stored once, so two processes
// cannot have different rules for the same path.

/** A field whose words or order keys are stored. */
export interface TextField {
  /** The name of the asset's member that is or contains the field. */
  readonly member: string;
  /** The path of the field, in JSON names. */
  readonly path: string;
  readonly rule: string;
}

/** Lists the text fields of a type; for an embedded type that contains itself, only those of the first level. */
export function textFieldsOf({ fields }: ContentType): TextField[] {
  return [...fields.values()].flatMap((field) =>
    listNested(field, field.name, []).map((found) => ({ member: field.name, ...found })),
  );
}

/** Tells whether order keys are stored for a field, not words. */
export const isOrderRule = ({ rule }: TextField) => rule.startsWith('order ');

/** Writes a field as a string, for a type's record. */
export const describeTextField = ({ member, path, rule }: TextField) => JSON.stringify([member, path, rule]);

/** Reads a field from such a string. */
export function parseTextField(text: string): TextField {
  // Safe: `describeTextField` wrote it.
  const [member, path, rule] = JSON.parse(text) as [string, string, string];
  return { member, path, rule };
}

/** Whether another version of Colophon has made the words of a field. */
export const hasOtherRules = ({ rule }: Pick<TextField, 'rule'>) => !rule.endsWith(` ${wordRules}`);

function listNested(
  { type }: Field,
  path: string,
  seen: readonly EmbeddedType[],
): Pick<TextField, 'path' | 'rule'>[] {
  if (type.kind !== 'embedded') {
    if (familyOf(type) === 'ordered')
      return [{ path, rule: `order ${orderRuleOf(type)} ${orderKeyVersion}` }];
    if (familyOf(type) !== 'text') return [];
    return [{ path, rule: `${isRichText(type) ? 'rich' : 'plain'} ${wordRules}` }];
  }
  if (seen.includes(type.type)) return [];
  const members = [...type.type.fields.values()];
  return members.flatMap((member) => listNested(member, `${path}.${member.name}`, [...seen, type.type]));
}
