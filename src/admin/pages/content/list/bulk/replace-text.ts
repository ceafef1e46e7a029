/**
 * Replaces words in the texts of assets. In rich text only what people read is replaced: tags, comments and character references stay.
 */
import type { Asset, ContentType } from 'colophon-client/admin';
import { isSystemField } from '../../../../parts/data/field-label.ts';
import { type FieldPath, fieldPaths } from '../../../../parts/data/field-paths.ts';
import { viewOf } from '../../../../parts/data/scalar-views.ts';

/** What is replaced. */
export interface Replacement {
  readonly find: string;
  readonly by: string;
  readonly isCaseKept: boolean;
  readonly isWholeWord: boolean;
}

/** The fields of an asset that change, with their new values, and how many places in them. */
export interface ReplacedTexts {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly places: number;
}

/** The texts of a type, down to those of embedded values. */
export const textPaths = (type: ContentType): FieldPath[] =>
  fieldPaths(type).filter(
    ({ field }) => ['words', 'richText'].includes(viewOf(field.type) ?? '') && !isSystemField(field),
  );

/** Replaces in the texts at some paths; undefined if none has the words. */
export function replaceTexts(
  asset: Asset,
  paths: readonly FieldPath[],
  replacement: Replacement,
): ReplacedTexts | undefined {
  if (replacement.find === '') return undefined;
  const fields: Record<string, unknown> = {};
  let places = 0;
  for (const { steps, field } of paths) {
    const [top = '', ...rest] = steps;
    const isRich = viewOf(field.type) === 'richText';
    const before = top in fields ? fields[top] : asset[top];
    const found = { count: 0 };
    const after = rewrite(before, rest, (text) => replaceIn(text, { ...replacement, isRich, found }));
    if (found.count > 0) fields[top] = after;
    places += found.count;
  }
  return places > 0 ? { fields, places } : undefined;
}

function rewrite(value: unknown, steps: readonly string[], change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, steps, change));
  const [step, ...rest] = steps;
  if (step === undefined) return typeof value === 'string' ? change(value) : value;
  if (typeof value !== 'object' || value === null || !(step in value)) return value;
  // It is no list and has the member, so it is a JSON object.
  const object = value as Readonly<Record<string, unknown>>;
  return { ...object, [step]: rewrite(object[step], rest, change) };
}

/** The parts of rich text in which nothing is replaced, after the words: they may contain an `&`. */
const beforeWords = String.raw`<!--[\s\S]*?-->|<(?:"[^"]*"|'[^']*'|[^'">])*>`;
const afterWords = String.raw`&#?\w+;`;

function replaceIn(
  text: string,
  {
    find,
    by,
    isCaseKept,
    isWholeWord,
    isRich,
    found,
  }: Replacement & { readonly isRich: boolean; readonly found: { count: number } },
): string {
  const searched = (isRich ? escapeHtml(find) : find).replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  const edge = isWholeWord ? String.raw`[\p{L}\p{M}\p{N}_]` : '';
  const words = isWholeWord ? `(?<!${edge})(${searched})(?!${edge})` : `(${searched})`;
  const pattern = isRich ? `${beforeWords}|${words}|${afterWords}` : words;
  const next = isRich ? escapeHtml(by) : by;
  return text.replaceAll(new RegExp(pattern, isCaseKept ? 'gu' : 'giu'), (whole, match?: string) => {
    if (match === undefined) return whole;
    found.count++;
    return next;
  });
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
