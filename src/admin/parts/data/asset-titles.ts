/**
 * The title of an asset and the address of its form.
 */
import type { Asset, ContentType, Field } from 'colophon-client/admin';

/** The field that names assets of a type, which the server has chosen. */
export function findTitleField({
  fields,
  titleField,
}: Pick<ContentType, 'fields' | 'titleField'>): Field | undefined {
  return fields.find(({ name }) => name === titleField);
}

/** The title of an asset; its ID when no field names it or its type is not loaded yet. */
export function titleOf(asset: Asset, type: ContentType | undefined): string {
  const title = asset[type?.titleField ?? ''];
  return typeof title === 'string' && title.trim() !== '' ? title : asset._id;
}

/** The address of the assets of a type. */
export const pathOfType = (className: string) => `/admin/content/${encodeURIComponent(className)}`;

/** The address of the form of an asset; `new` in place of an ID makes one. */
export const pathOfAsset = ({ _id, _type }: Pick<Asset, '_id' | '_type'>) =>
  `${pathOfType(_type)}/${encodeURIComponent(_id)}`;
