/**
 * Pictures of assets for people: the first file among their fields that is a picture.
 */
import type { Asset, ContentType, Json } from './content-type.ts';
import { isFileType } from './content-type.ts';
import { isJsonObject } from './values/validate-asset.ts';

/** A picture, as its address needs it. */
export interface AssetPicture {
  readonly hash: string;
  readonly name: string;
  readonly mediaType: string;
}

/** Finds the picture of an asset; its embedded values are not searched. */
export function findPicture(asset: Asset, type: ContentType | undefined): AssetPicture | undefined {
  for (const { name, type: value } of type?.fields.values() ?? []) {
    if (value.kind !== 'embedded' || !isFileType(value.type)) continue;
    for (const file of [asset[name]].flat()) {
      const picture = toPicture(file);
      if (picture) return picture;
    }
  }
  return undefined;
}

function toPicture(file: Json | undefined): AssetPicture | undefined {
  if (!isJsonObject(file)) return undefined;
  const { hash, name, mediaType } = file;
  const isPicture = typeof mediaType === 'string' && mediaType.startsWith('image/');
  return isPicture ? { hash: String(hash), name: String(name), mediaType } : undefined;
}
