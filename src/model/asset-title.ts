/**
 * Titles of assets for people: the field that names the assets of a type.
 */
import type { Asset, ContentType, Field } from './content-type.ts';

const preferred = ['name', 'headline', 'title'];

/**
 * Finds the field that names assets of a type: the one with `@title`; without it by its name, or else the first text, required ones
 * first.
 */
export function findTitleField({ fields }: Pick<ContentType, 'fields'>): Field | undefined {
  const texts = [...fields.values()].filter(canBeTitle);
  const named = preferred.flatMap((name) => texts.filter((field) => field.name === name));
  return (
    texts.find(({ isTitle }) => isTitle) ?? named[0] ?? texts.find(({ required }) => required) ?? texts[0]
  );
}

/** Tells whether the values of a field can name assets. */
export function canBeTitle({ type, list }: Pick<Field, 'type' | 'list'>): boolean {
  return type.kind === 'scalar' && type.scalar === 'String' && !list;
}

/** Returns the title of an asset, or its ID when it has none. */
export function titleOf(asset: Asset, type: ContentType | undefined): string {
  const title = asset[(type && findTitleField(type)?.name) ?? ''];
  return typeof title === 'string' && title.trim() !== '' ? title : asset._id;
}
