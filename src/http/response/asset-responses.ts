/**
 * Creates the responses of the content management API: the envelope with a result, of assets with their ETag and what does not fit their
 * type, and of batches as openapi/cma.yaml describes them.
 *
 * The ETag of an asset is `"<version>.<shape>"`: a change of its content type makes another one, although the asset has the same version.
 * Writes compare the version alone, so they work across such a change, and with the ETags of releases without shapes.
 */

import { createHash } from 'node:crypto';
import type { BatchResult, BatchResults } from '../../../generated/server/cma.ts';
import { type DomainError, invalidParameter, isStoreError } from '../../base/errors.ts';
import type { ContentCalls } from '../../content/attribute-calls.ts';
import type { OperationOutcome } from '../../content/batch/batch.ts';
import type { Written, WrittenAsset } from '../../content/prepare-write.ts';
import { pickFromText } from '../../content/unfit/check-page.ts';
import type { UnfitField } from '../../content/unfit/unfit-content.ts';
import type { FieldSelection } from '../../query/select-fields.ts';
import type { StoredAsset, StoredText } from '../../store/port.ts';
import { isFailure, toOperationError } from '../error-map.ts';
import type { Selection } from '../request/read-asset-query.ts';

/** Returns the member with the fields that do not fit; it is absent when all fit. */
export const unfitMember = (unfit: readonly UnfitField[]) => (unfit.length > 0 ? { unfit } : {});

export function ok<Result>(result: Result, unfit: readonly UnfitField[] = []) {
  const body = { status: 'ok' as const, result, ...unfitMember(unfit) };
  return { status: 200 as const, body };
}

function okAsset(
  { asset, version }: StoredAsset,
  { unfit, shapeOf }: Pick<ContentCalls, 'unfit' | 'shapeOf'>,
) {
  return {
    ...ok(asset, unfit.checkAll([asset])),
    headers: { ETag: toEntityTag(version, shapeOf(asset._type)) },
    usedTypes: [asset._type],
  };
}

/** Creates the same response as `okAsset` from a text, with only the selected fields. */
export function okText(
  stored: StoredText,
  { unfit, shapeOf }: Pick<ContentCalls, 'unfit' | 'shapeOf'>,
  selection?: FieldSelection,
) {
  const { version, type } = stored;
  const flaws = unfit.checkTexts([stored]).filter(({ path }) => selection?.covers(path) ?? true);
  const more = flaws.length > 0 ? `,"unfit":${JSON.stringify(flaws)}` : '';
  const { text } = selection ? pickFromText(stored, selection) : stored;
  return {
    status: 200 as const,
    text: `{"status":"ok","result":${text}${more}}`,
    headers: { ETag: toEntityTag(version, shapeOf(type)) },
    usedTypes: [type],
  };
}

/** Creates the response to a write of an asset. */
export function okWritten(written: WrittenAsset, content: ContentCalls) {
  const { headers, ...response } = okAsset(written, content);
  return { ...response, headers: { ...headers, ...toChangeHeader(written) } };
}

/** Creates the response to a write that was only checked: that of the write, without the headers that name a version. */
export const okChecked = ({ asset }: WrittenAsset, { unfit }: ContentCalls) => ({
  ...ok(asset, unfit.checkAll([asset])),
  usedTypes: [asset._type],
});

/** Returns the outcome of an operation that was only checked. */
export function withoutVersion(outcome: OperationOutcome): OperationOutcome {
  if (outcome.kind === 'refused') return outcome;
  const { version: _version, change: _change, ...checked } = outcome;
  return checked;
}

/** Creates the response with a past state of an asset. */
export function okPastAsset(stored: StoredAsset, content: ContentCalls, { fields }: Selection) {
  const { asset } = stored;
  const { headers, usedTypes } = okAsset(stored, content);
  const flaws = content.unfit.checkPast(asset);
  if (!fields) return { ...ok(asset, flaws), headers, usedTypes };
  const selection = content.selectFields(asset._type, { fields });
  const covered = flaws.filter(({ path }) => selection.covers(path));
  return { ...ok(selection.pick(asset), covered), headers, usedTypes };
}

/**
 * Builds the result of a batch: the number of refused operations, and the outcome of each operation. `shapeOf` returns the shape of
 * a content type, for ETags.
 */
export function toBatchResults(
  outcomes: readonly OperationOutcome[],
  shapeOf: (className: string) => string,
): BatchResults {
  const failed = outcomes.filter(({ kind }) => kind === 'refused').length;
  return { failed, results: outcomes.map((outcome) => toResult(outcome, shapeOf)) };
}

/** Lists the class names of the assets that a batch has written; those of deletions are not known. */
export const typesOf = (outcomes: readonly OperationOutcome[]): readonly string[] => [
  ...new Set(outcomes.flatMap((outcome) => (outcome.kind === 'done' ? (outcome.type ?? []) : []))),
];

/** Finds the first error that the service caused, not the request. */
export function findFailure(outcomes: readonly OperationOutcome[]): DomainError | undefined {
  const failed = outcomes.find(
    (outcome) => outcome.kind === 'refused' && (isFailure(outcome.error) || isStoreError(outcome.error)),
  );
  return failed?.kind === 'refused' ? failed.error : undefined;
}

function toResult(outcome: OperationOutcome, shapeOf: (className: string) => string): BatchResult {
  // The types cannot show that only documented errors occur; the tests validate every response against the document.
  if (outcome.kind === 'refused') return toOperationError(outcome.error) as BatchResult;
  const { effect, id, version, type, change, unresolved, unfit, drafts } = outcome;
  return {
    status: 200,
    outcome: effect,
    _id: id,
    ...(version === undefined || type === undefined ? {} : { etag: toEntityTag(version, shapeOf(type)) }),
    ...(change === undefined ? {} : { change }),
    ...(unresolved.length === 0
      ? {}
      : { unresolved: unresolved.map(({ path, reference }) => ({ path, ...reference })) }),
    ...(drafts && { drafts: [...drafts] }),
    ...(unfit.length === 0 ? {} : { unfit: unfit.map(({ path, message }) => ({ _id: id, path, message })) }),
  };
}

/** Returns the header of a response to a write; none when the store keeps no change log. */
export function toChangeHeader({ change }: Written): { readonly 'X-Change'?: string } {
  return change === undefined ? {} : { 'X-Change': change };
}

/**
 * Returns the ETag of a version; `shape` is that of the asset's type. With `included`, the versions of the assets that the response
 * includes, the tag is that of all of them, and begins with the version of the asset as well.
 */
export function toEntityTag(version: string, shape?: string, included?: readonly string[]): string {
  const hash = included && createHash('sha256').update(included.join(' ')).digest('base64url').slice(0, 16);
  return `"${[version, shape, hash].filter((part) => part !== undefined).join('.')}"`;
}

/**
 * Parses the versions in an If-Match header. Returns `undefined` if any version matches (no header, or `*`).
 *
 * A weak tag means the same version as a strong one, because a proxy that compresses a response makes its ETag weak.
 *
 * Errors: invalid_parameter, with the given name, when the value is not a list of entity tags.
 */
export function parseIfMatch(value: string | undefined, name = 'If-Match'): readonly string[] | undefined {
  if (value === undefined || value.trim() === '*') return undefined;
  if (!/^\s*(W\/)?"[^"]*"(\s*,\s*(W\/)?"[^"]*")*\s*$/.test(value)) {
    throw invalidParameter(name, 'must be * or a list of entity tags in quotes');
  }
  return [...value.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => versionOf(tag));
}

/**
 * Parses one version: an ETag, strong or weak, or the version alone, in quotes or not. Errors: invalid_parameter, with the given
 * name.
 */
export function parseVersion(value: string, name: string): string {
  const [, quoted, bare] = /^(?:W\/)?(?:"([\w.~-]+)"|([\w.~-]+))$/.exec(value.trim()) ?? [];
  const version = versionOf(quoted ?? bare ?? '');
  if (version === '') throw invalidParameter(name, 'must be an ETag or a version');
  return version;
}

/** Parses the header X-Base-Version. Errors: invalid_parameter. */
export function parseBase(headers: { readonly 'x-base-version'?: string }): { baseVersion?: string } {
  const { 'x-base-version': given } = headers;
  return given === undefined ? {} : { baseVersion: parseVersion(given, 'X-Base-Version') };
}

/** Tells whether the caller already has what this tag names, according to the header If-None-Match. */
export function hasEntityTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(tag);
}

/** Versions contain no dot. */
const versionOf = (tag: string) => tag.split('.', 1)[0] ?? '';
