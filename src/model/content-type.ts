/**
 * What content is: assets, fields, content types, and the catalog that holds all of them.
 *
 * Plain data, made by `load-types.ts` and read by everybody. Names in an asset are JSON names (`cms.site.owner`), flat,
 * in one object; GraphQL names (`cms_site_owner`) matter to `graphql/` alone.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  [name: string]: Json;
}

/** One stored document: `_id`, `_type` (a class name) and its fields by JSON name. Absent fields have no member. */
export interface Asset {
  _id: string;
  _type: string;
  [field: string]: Json;
}

/** A field's value that points at another asset; `_type` is its class name. */
export interface Reference {
  _ref: string;
  _type: string;
}

/** The scalars of the SDL, in the order the documentation lists them. */
export const scalarNames = [
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
  'EpochMillis',
  'RichText',
  'Url',
  'JSON',
] as const;
export type ScalarName = (typeof scalarNames)[number];

/** What one value of a field may be; a list field holds several of these. */
export type ValueType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName }
  | { readonly kind: 'enum'; readonly name: string; readonly values: readonly string[] }
  | { readonly kind: 'reference'; readonly name: string; readonly targets: readonly string[] }
  | { readonly kind: 'embedded'; readonly type: EmbeddedType };

/** The limits `@constraint` sets. Lengths count characters (Unicode code points), items count list members. */
export interface Constraint {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** One field of a content type or of an embedded type. */
export interface Field {
  /** JSON name, such as `cms.site.owner`. */
  readonly name: string;
  readonly graphqlName: string;
  readonly description?: string;
  readonly type: ValueType;
  readonly list: boolean;
  readonly required: boolean;
  readonly indexed?: { readonly unique: boolean };
  readonly constraint: Constraint;
}

/** An object type without `@contentType`: a value stored inside its asset. May contain itself. */
export interface EmbeddedType {
  readonly name: string;
  readonly description?: string;
  readonly fields: ReadonlyMap<string, Field>;
}

/** A content type, or an interface with a class name that stands for all content types implementing it. */
export interface ContentType {
  readonly kind: 'object' | 'interface';
  /** Class name, such as `com.colophon.cms.db.Text`. */
  readonly class: string;
  /** Type ID: a UUID, version 5 of the class name unless the SDL gives one. */
  readonly id: string;
  /** GraphQL name, such as `Text`. */
  readonly name: string;
  readonly description?: string;
  /** By JSON name, the fields of `Content` included; `_id` and `_type` are not among them. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Class names of the interfaces it implements, those with `@contentType` only. */
  readonly interfaces: readonly string[];
}

/** Every content type there is. Order is by class name throughout. */
export interface Catalog {
  /** The content types that assets can have, by class name. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** The interfaces with a class name, by class name. */
  readonly interfaces: ReadonlyMap<string, ContentType>;
  /** Finds a content type or interface by class name or type ID. */
  find(classOrId: string): ContentType | undefined;
  /** The class names an asset found `from` this type can have: itself, or those that implement it. */
  concrete(type: ContentType): readonly string[];
}
