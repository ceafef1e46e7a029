/**
 * Reads a line: an asset as JSON, or a line of an earlier report with an asset that was refused then.
 *
 * A report line is `{"line", "problems"}` and one more member: `asset`, a refused asset; `text`, a line that is not JSON; `base64`, a
 * line that is not UTF-8; `bytes`, the offsets of a line that is too long; `written`, a written asset with dangling references.
 */
import { isDomainError } from '../../base/errors.ts';
import type { Problem } from '../../base/problems.ts';
import { isUuid } from '../../base/uuid.ts';
import type { Json, JsonObject } from '../../model/content-type.ts';
import {
  bodyLimits,
  decodeUtf8,
  maxJsonDepth,
  parseJsonObjectText,
  scanJson,
} from '../../model/values/parse-json.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';
import { grouped } from '../progress.ts';
import type { Unresolved } from '../target/content-target.ts';
import type { RawLine } from './split-lines.ts';

/** An asset that was written before the targets of its references existed. */
export interface Written {
  readonly _id: string;
  readonly unresolved: readonly Unresolved[];
}

/** The content of a line; `kept` is the member of a report line that keeps it, as JSON text. */
export type LineContent =
  | { readonly kind: 'blank' }
  | {
      readonly kind: 'asset';
      readonly asset: JsonObject;
      /** The asset as the line has it. */
      readonly text: string;
      /** Set where `asset` has the values of files in place of the paths in `text`. */
      readonly isResolved?: true;
    }
  | { readonly kind: 'written'; readonly written: Written }
  | { readonly kind: 'broken'; readonly problems: readonly Problem[]; readonly kept: string };

/** Keeps an asset in a line of a report. */
export const keepAsset = (text: string) => `"asset":${text}`;

/** The limits of a request. In a batch, an asset is nested in an operation, a list and the body. */
const limits = { ...bodyLimits, maxDepth: maxJsonDepth - 3 };

/** Reads a line; a line without bytes was longer than `maxLineBytes`. */
export function readLine({ bytes, start, end }: RawLine, maxLineBytes: number): LineContent {
  if (!bytes)
    return broken(
      `has ${grouped(end - start)} bytes, at most ${grouped(maxLineBytes)} are allowed`,
      `"bytes":[${start},${end}]`,
    );
  let text: string;
  try {
    text = decodeUtf8(bytes);
  } catch {
    return broken('is not UTF-8', `"base64":"${bytes.toString('base64')}"`);
  }
  return readText(text);
}

function readText(text: string): LineContent {
  if (text.trim() === '') return { kind: 'blank' };
  try {
    const value = parseJsonObjectText(text, limits);
    return isReportLine(value) ? readReportLine(value, text) : { kind: 'asset', asset: value, text };
  } catch (error) {
    if (isDomainError(error, 'invalid_json'))
      return broken(`is not valid JSON: ${error.details.reason}`, keep(text));
    if (isDomainError(error, 'too_many_values')) return broken(describeExcess(text), keep(text));
    if (isDomainError(error, 'invalid_body')) {
      const { problems } = error.details;
      // A problem of the whole line is worded for a body.
      const whole = problems.find(({ path }) => path === '');
      return whole
        ? broken(whole.message.replace(/^The body /, ''), keep(text))
        : { kind: 'broken', problems, kept: keep(text) };
    }
    throw error;
  }
}

function describeExcess(text: string): string {
  const { values, mostMembers } = scanJson(text, { maxDepth: Infinity });
  const { maxValues, maxMembers } = limits;
  return values > maxValues
    ? `has ${grouped(values)} JSON values, at most ${grouped(maxValues)} are allowed`
    : `has an object with ${grouped(mostMembers)} members, at most ${grouped(maxMembers)} are allowed`;
}

/** The member of a report line that keeps a text. */
const keep = (text: string) => `"text":${JSON.stringify(text)}`;

function broken(message: string, kept: string): LineContent {
  return { kind: 'broken', problems: [{ path: '', message }], kept };
}

/** Returns whether an object is a report line: it has neither `_type` nor `_id`, one of which every asset has. */
function isReportLine(value: JsonObject): boolean {
  const isIdentified = Object.hasOwn(value, '_id') || Object.hasOwn(value, '_type');
  return !isIdentified && typeof value.line === 'number' && Array.isArray(value.problems);
}

function readReportLine({ asset, text, written }: JsonObject, line: string): LineContent {
  if (isJsonObject(asset)) return { kind: 'asset', asset, text: JSON.stringify(asset) };
  if (typeof text === 'string') return readText(text);
  if (isWritten(written)) return { kind: 'written', written };
  return broken(
    'is a report of what could not be kept as text; put the corrected asset in its place',
    keep(line),
  );
}

function isWritten(value: Json | undefined): value is JsonObject & Written {
  if (!isJsonObject(value) || typeof value._id !== 'string' || !Array.isArray(value.unresolved)) return false;
  return value.unresolved.every(isUnresolved);
}

function isUnresolved(reference: Json): boolean {
  if (!isJsonObject(reference)) return false;
  const { path, _ref: ref, _type: type } = reference;
  return typeof path === 'string' && typeof type === 'string' && typeof ref === 'string' && isUuid(ref);
}
