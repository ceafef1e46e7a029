/**
 * What the functions of the client return of a response: assets with their versions, and notes on them.
 */
import type { IncludedAssets, UnfitFields } from './cma/types.gen.ts';
import type { AssetState, Written } from './cma-calls.ts';
import type { UnfitNotes } from './query-types.ts';
import { readResult, type SuccessResponse } from './read-response.ts';

/** Reads an asset with its version. */
export function stateOf<Found>(response: SuccessResponse): AssetState<Found> {
  const etag = response.headers.get('ETag') ?? '';
  // A compressing proxy makes the ETag weak, and weak tags do not match in `If-Match`.
  const change = response.headers.get('X-Change');
  return {
    asset: readResult(response),
    etag: etag.replace(/^W\//, ''),
    ...(change !== null && { change }),
    ...includedOf(response),
    ...unfitOf(response),
  };
}

/** Reads the response to a write; without ETag and change if the write was only checked. */
export function writtenOf<Found, Checked extends boolean>(
  response: SuccessResponse,
  validate: Checked | undefined,
): Written<Found, Checked> {
  const written = validate ? { asset: readResult(response), ...unfitOf(response) } : stateOf<Found>(response);
  // The type says the same as the condition.
  return written as Written<Found, Checked>;
}

function includedOf({ body }: SuccessResponse): { included?: IncludedAssets } {
  // The content management API documents this member.
  return body?.included ? { included: body.included as IncludedAssets } : {};
}

/** Reads the notes on fields that do not fit their type. */
export function unfitOf({ body }: SuccessResponse): UnfitNotes {
  // The content management API documents this member.
  return Array.isArray(body?.unfit) ? { unfit: body.unfit as UnfitFields } : {};
}
