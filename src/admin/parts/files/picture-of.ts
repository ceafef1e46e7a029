/**
 * The picture of an asset in lists: the first file among its fields that is one.
 */

import type { AddressedFile } from '../../../text/file-url.ts';
import type { Asset, ContentType, Field } from '../../api.ts';
import { isFileField } from '../data/shapes.ts';

/** The names of the fields of a type that hold files. */
export const fileFieldsOf = ({ fields }: { readonly fields: readonly Field[] }): string[] =>
  fields.filter(isFileField).map(({ name }) => name);

/** The picture of an asset of a type; undefined for none. */
export function pictureOf(asset: Asset, type: ContentType): AddressedFile | undefined {
  // What a field holds that has files is one, or a list of them.
  const files = fileFieldsOf(type).flatMap((name) => [asset[name] ?? []].flat() as AddressedFile[]);
  return files.find(({ mediaType }) => mediaType?.startsWith('image/'));
}
