/**
 * Relates a validator's findings to what a response reports itself: stored assets may no longer fit their types, and its member
 * `unfit` lists their deviations.
 */
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** A validator's finding; `instancePath` is a JSON pointer. */
export interface Finding {
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An asset in a response, with the paths of the fields that the response reports as unfit. */
export interface UnfitAsset {
  /** The JSON pointer to it. */
  readonly pointer: string;
  readonly asset: JsonObject;
  readonly paths: readonly string[];
}

/** Finds the assets that a response reports as unfit; none without a member `unfit`. */
export function findUnfitAssets(body: unknown): readonly UnfitAsset[] {
  if (!isJsonObject(body) || !Array.isArray(body.unfit)) return [];
  const reported = Map.groupBy(body.unfit.filter(isJsonObject), ({ _id: id }) => id);
  return assetsOf(body.result ?? null).flatMap(({ pointer, asset }) => {
    const paths = reported.get(asset._id ?? null)?.map(({ path }) => String(path));
    return paths ? [{ pointer, asset, paths }] : [];
  });
}

function assetsOf(result: Json): { pointer: string; asset: JsonObject }[] {
  if (!isJsonObject(result)) return [];
  if (!Array.isArray(result.items)) return [{ pointer: '/result', asset: result }];
  return result.items.flatMap((asset, index) =>
    isJsonObject(asset) ? [{ pointer: `/result/items/${index}`, asset }] : [],
  );
}

/** Whether a finding lies anywhere in an asset. */
export function isWithin({ instancePath }: Finding, { pointer }: UnfitAsset): boolean {
  return instancePath === pointer || instancePath.startsWith(`${pointer}/`);
}

/** Whether the response reports the finding. */
export function isReported(finding: Finding, { paths }: UnfitAsset): boolean {
  const found = toJsonPath(finding);
  return paths.some((path) => found === path || found.startsWith(`${path}.`) || found.startsWith(`${path}[`));
}

/** Converts the JSON pointer of a finding to a path such as `tags[2]`; a missing or unknown member is part of the path. */
function toJsonPath({ instancePath, params }: Finding): string {
  const { missingProperty, additionalProperty } = params;
  const member = missingProperty ?? additionalProperty;
  const names = instancePath.split('/').slice(1).map(unescapePointer);
  return [...names, ...(typeof member === 'string' ? [member] : [])].reduce((path, name) => {
    if (/^\d+$/.test(name)) return `${path}[${name}]`;
    return path === '' ? name : `${path}.${name}`;
  }, '');
}

const unescapePointer = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~');
