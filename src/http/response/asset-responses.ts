/**
 * Creates the responses of the content management API: the envelope with a result, and of assets with their ETag and what does not
 * fit their type.
 */
import type { OperationOutcome } from '../../content/batch/batch.ts';
import type { ContentCalls } from '../../content/content-calls.ts';
import { pickFromText } from '../../content/unfit/check-page.ts';
import type { UnfitField } from '../../content/unfit/unfit-content.ts';
import type { WrittenAsset } from '../../content/written-asset.ts';
import type { FieldSelection } from '../../query/select-fields.ts';
import type { StoredAsset, StoredText } from '../../store/port.ts';
import type { Selection } from '../request/read-asset-query.ts';
import { toChangeHeader } from './change-header.ts';
import { toEntityTag } from './entity-tag.ts';

/** Returns the member with the fields that do not fit; it is absent when all fit. */
export const unfitMember = (unfit: readonly UnfitField[]) => (unfit.length > 0 ? { unfit } : {});

/** Creates the response with a result. */
export function ok<Result>(result: Result, unfit: readonly UnfitField[] = []) {
  const body = { status: 'ok' as const, result, ...unfitMember(unfit) };
  return { status: 200 as const, body };
}

/** Creates the response with an asset. */
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
