/**
 * Titles of assets for people: the field that names the assets of a type, or a field within its embedded value.
 */
import { memberOf } from '../base/own-members.ts';
import type { Asset, ContentType, Field, Json } from './content-type.ts';
import { walkFields } from './field-path.ts';
import { isJsonObject } from './values/validate-asset.ts';

const preferred = ['name', 'headline', 'title'];

/** The path of the texts that name assets, and the JSON names on the way. */
export interface TitlePath {
  readonly text: string;
  readonly names: readonly string[];
}

/**
 * Finds the path that names assets of a type: the one of `@title`; without it a field by its name, or else the first text, required
 * ones first.
 */
export function findTitlePath(type: Pick<ContentType, 'fields'>): TitlePath | undefined {
  const fields = [...type.fields.values()];
  const texts = fields.filter(canBeTitle);
  const named = preferred.flatMap((name) => texts.filter((field) => field.name === name));
  const chosen =
    fields.find(({ isTitle }) => isTitle) ?? named[0] ?? texts.find(({ required }) => required) ?? texts[0];
  return chosen && toTitlePath(chosen);
}

/** Returns the path that a field with `@title` names; `undefined` when it leads to no single text. */
export function toTitlePath(field: Field): TitlePath | undefined {
  const { name, titlePath } = field;
  if (titlePath === undefined) return canBeTitle(field) ? { text: name, names: [name] } : undefined;
  const found = walkFields({ fields: new Map([[name, field]]) }, [
    ...name.split('.'),
    ...titlePath.split('.'),
  ]);
  if (!found || found.steps.some(({ list }) => list) || !canBeTitle({ type: found.leaf, list: false }))
    return undefined;
  return { text: `${name}.${titlePath}`, names: found.steps.map((step) => step.name) };
}

function canBeTitle({ type, list }: Pick<Field, 'type' | 'list'>): boolean {
  return type.kind === 'scalar' && type.scalar === 'String' && !list;
}

/** Returns the title of an asset, or its ID when it has none. */
export function titleOf(asset: Asset, type: ContentType | undefined): string {
  const path = type && findTitlePath(type);
  const title = path?.names.reduce<Json | undefined>(
    (value, name) => (isJsonObject(value) ? memberOf(value, name) : undefined),
    asset,
  );
  return typeof title === 'string' && title.trim() !== '' ? title : asset._id;
}
