/**
 * Creates what a store of the demo lacks, and leaves alone what is there.
 */
import { type ErrorCode, isDomainError } from '../../base/errors.ts';
import type { ContentCalls } from '../../content/content-calls.ts';
import type { JsonObject } from '../../model/content-type.ts';

/** Runs work, and returns `undefined` where it has one of these errors. */
export async function unless<Result>(
  codes: readonly ErrorCode[],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (codes.some((code) => isDomainError(error, code))) return undefined;
    throw error;
  }
}

/** Creates the assets that are missing, all at once, so none may refer to another one. */
export async function createMissing(
  content: Pick<ContentCalls, 'create'>,
  assets: readonly JsonObject[],
): Promise<void> {
  await Promise.all(assets.map((asset) => unless(['id_in_use'], () => content.create(asset, {}))));
}

/** Whether there is an asset. */
export async function hasAsset(content: Pick<ContentCalls, 'get'>, id: string): Promise<boolean> {
  return (await unless(['not_found'], () => content.get(id, {}))) !== undefined;
}
