/**
 * The title of an asset and the address of its form.
 */
import type { Asset, ContentType, Field } from '../../api.ts';

const preferred = ['name', 'headline', 'title'];

/** The field that names assets of a type: by its name, or else the first text, required ones first. */
export function findTitleField({ fields }: Pick<ContentType, 'fields'>): Field | undefined {
  const texts = fields.filter(({ type, list }) => type.name === 'String' && !list);
  const named = preferred.flatMap((name) => texts.filter((field) => field.name === name));
  return named[0] ?? texts.find(({ required }) => required) ?? texts[0];
}

/** The title of an asset; its ID when no field names it or its type is not loaded yet. */
export function titleOf(asset: Asset, type: ContentType | undefined): string {
  const title = asset[(type && findTitleField(type)?.name) ?? ''];
  return typeof title === 'string' && title.trim() !== '' ? title : asset._id;
}

/** The address of the assets of a type. */
export const pathOfType = (className: string) => `/admin/content/${encodeURIComponent(className)}`;

/** The address of the form of an asset; `new` in place of an ID makes one. */
export const pathOfAsset = ({ _id, _type }: Pick<Asset, '_id' | '_type'>) =>
  `${pathOfType(_type)}/${encodeURIComponent(_id)}`;
