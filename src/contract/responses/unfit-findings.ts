/**
 * Relates a validator's findings to what a response reports itself: stored assets may no longer fit their types, and its member
 * `unfit` lists their deviations.
 */
import type { Json, JsonObject } from '../../model/content-type.ts';
import { isJsonObject } from '../../model/values/validate-asset.ts';

/** A validator's finding; `instancePath` is a JSON pointer. */
export interface Finding {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** An asset in a response, with the paths of the fields that the response reports as unfit. */
export interface UnfitAsset {
  /** The JSON pointer to it. */
  readonly pointer: string;
  readonly asset: JsonObject;
  readonly paths: readonly string[];
  /** Whether the request selects fields, so that required ones may be missing. */
  readonly isPartial: boolean;
}

/** Finds the assets that a response reports as unfit; if it is partial, all assets that were found. */
export function findUnfitAssets(
  body: unknown,
  { isPartial }: { readonly isPartial: boolean },
): readonly UnfitAsset[] {
  if (!isJsonObject(body)) return [];
  const unfit = Array.isArray(body.unfit) ? body.unfit.filter(isJsonObject) : [];
  const reported = Map.groupBy(unfit, ({ _id: id }) => id);
  const found = assetsOf(body.result ?? null).map((one) => ({ ...one, isPartial }));
  const included = includedIn(body).map((one) => ({ ...one, isPartial: false }));
  return [...found, ...included].flatMap((one) => {
    const paths = reported.get(one.asset._id ?? null)?.map(({ path }) => String(path));
    return paths || one.isPartial ? [{ ...one, paths: paths ?? [] }] : [];
  });
}

function includedIn({
  result = null,
  included = null,
}: JsonObject): { pointer: string; asset: JsonObject }[] {
  const ofPage = isJsonObject(result) && Array.isArray(result.items);
  const assets = ofPage ? result.included : included;
  if (!isJsonObject(assets ?? null)) return [];
  const pointer = ofPage ? '/result/included' : '/included';
  return Object.entries(Object(assets)).flatMap(([id, asset]) =>
    isJsonObject(asset as Json) ? [{ pointer: `${pointer}/${id}`, asset: asset as JsonObject }] : [],
  );
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

/** Whether the response reports the finding, or the request explains it. */
export function isReported(finding: Finding, { paths, isPartial }: UnfitAsset): boolean {
  if (isPartial && finding.keyword === 'required') return true;
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
