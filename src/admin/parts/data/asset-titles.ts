/**
 * The title of an asset and the address of its form.
 */
import type { Asset, ContentType } from 'colophon-client/admin';
import { isWithin } from './field-label.ts';

/** The value at a path of JSON names, which themselves may have dots, in an asset or a draft. */
export function valueAt(holder: unknown, path: string | undefined): unknown {
  if (path === undefined || typeof holder !== 'object' || holder === null) return undefined;
  const found = Object.entries(holder).find(([name]) => isWithin(path, name));
  if (!found) return undefined;
  const [name, value] = found;
  return name === path ? value : valueAt(value, path.slice(name.length + 1));
}

/** The title of an asset; its ID when no field names it or its type is not loaded yet. */
export function titleOf(asset: Asset, type: ContentType | undefined): string {
  const title = valueAt(asset, type?.titleField);
  return typeof title === 'string' && title.trim() !== '' ? title : asset._id;
}

/** The address of the assets of a type. */
export const pathOfType = (className: string) => `/admin/content/${encodeURIComponent(className)}`;

/** The address of the page about a type. */
export const pathOfTypePage = (className: string) => `/admin/types/${encodeURIComponent(className)}`;

/** The address of the form of an asset; `new` in place of an ID makes one. */
export const pathOfAsset = ({ _id, _type }: Pick<Asset, '_id' | '_type'>) =>
  `${pathOfType(_type)}/${encodeURIComponent(_id)}`;
