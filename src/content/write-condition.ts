/**
 * The condition of a write on the present version of its asset.
 */
import { preconditionFailed } from '../base/errors.ts';
import type { Asset } from '../model/content-type.ts';
import type { StoredAsset } from '../store/port.ts';

/** A condition on the present version; absent means none. */
export interface Condition {
  readonly ifVersions?: readonly string[];
  /** Whether the asset must be unchanged since it was read. */
  readonly ifUnchanged?: boolean;
}

/** A stored asset, or what is known of one that was not read, whose type the store checks when it writes. */
export type PresentAsset = StoredAsset | { readonly asset: Pick<Asset, '_id' | '_type'> };

/**
 * Checks a condition now, and returns it for the store to check again, since others may write meanwhile. Errors:
 * precondition_failed.
 */
export function toCondition({
  ifVersions,
  ifUnchanged = false,
  present,
}: Condition & { present: PresentAsset }): {
  ifVersion?: string;
} {
  if (!ifVersions && !ifUnchanged) return {};
  const version = 'version' in present ? present.version : ifVersions?.[0];
  if (version === undefined) throw new Error('This condition needs the present asset');
  assertVersion({ ifVersions }, { asset: present.asset, version });
  return { ifVersion: version };
}

/** Checks that an asset has one of the versions that a caller may have seen. Errors: precondition_failed. */
export function assertVersion(
  { ifVersions }: { readonly ifVersions?: readonly string[] | undefined },
  { asset, version }: { readonly asset: Pick<Asset, '_id'>; readonly version: string },
): void {
  if (ifVersions?.includes(version) === false) throw preconditionFailed(asset._id);
}

/** Several versions, or an unknown one, can only be compared with an asset that was read. */
export const isOneVersion = ({ ifVersions, ifUnchanged = false }: Condition) =>
  !ifUnchanged && (ifVersions === undefined || ifVersions.length === 1);
