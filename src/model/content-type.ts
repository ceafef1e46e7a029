/**
 * The data model: assets, fields, content types and the catalog of all content types.
 *
 * `load-types.ts` builds the catalog. An asset is a flat object of JSON names (`cms.site.owner`); only `graphql/` uses GraphQL
 * names (`cms_site_owner`).
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** One stored document: `_id`, `_type` (a class name) and its fields by JSON name. Absent fields have no member. */
export interface Asset {
  _id: string;
  _type: string;
  [field: string]: Json;
}

/** A field value that refers to another asset; `_type` is the class name of that asset. */
export interface Reference {
  _ref: string;
  _type: string;
}

export const siteClass = 'com.colophon.cms.db.Site';
/** The field of the site that an asset belongs to; absent means the global site. */
export const siteOwnerField = 'cms.site.owner';

/** The scalars of the SDL, in the order of the documentation. */
export const scalarNames = [
  'String',
  'Int',
  'Float',
  'Boolean',
  'ID',
  'EpochMillis',
  'Date',
  'DateTime',
  'Decimal',
  'RichText',
  'Url',
  'JSON',
] as const;
export type ScalarName = (typeof scalarNames)[number];

/** The type of one value of a field, or of each member of a list field. */
export type ValueType =
  | { readonly kind: 'scalar'; readonly scalar: ScalarName }
  | EnumType
  | { readonly kind: 'reference'; readonly name: string; readonly targets: readonly string[] }
  | { readonly kind: 'embedded'; readonly type: EmbeddedType };

/** An enum: its values in order, those of them that are deprecated, with the reason, and those that have `@label`. */
export interface EnumType {
  readonly kind: 'enum';
  readonly name: string;
  readonly values: readonly string[];
  readonly deprecated?: ReadonlyMap<string, string>;
  readonly labels?: ReadonlyMap<string, ValueLabel>;
}

/** The colours that `@label` can give to values of enums. */
export const labelColors = [
  'gray',
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'violet',
  'pink',
] as const;
export type LabelColor = (typeof labelColors)[number];

/** How people see the value of an enum, by `@label`. */
export interface ValueLabel {
  readonly text?: string;
  readonly color?: LabelColor;
}

/**
 * The limits set by `@constraint`, and by `@file` for files. Lengths count characters (Unicode code points), items count list members.
 */
export interface Constraint {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly min?: number;
  readonly max?: number;
  /** The most digits after the point. */
  readonly scale?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** The media types that a file may have, such as `image/png` or `image/*`. */
  readonly accept?: readonly string[];
  /** The most bytes that a file may have. */
  readonly maxBytes?: number;
}

/** What `@default` can name in place of a value: who creates an asset, and when. */
export const defaultVariables = ['$user.id', '$user.email', '$client.id', '$now'] as const;
export type DefaultVariable = (typeof defaultVariables)[number];

/** One field of a content type or of an embedded type. */
export interface Field {
  /** JSON name, such as `cms.site.owner`. */
  readonly name: string;
  readonly graphqlName: string;
  readonly description?: string;
  /** Its name for people, by `@label`. */
  readonly label?: string;
  /** The part of a form that it stands in, by `@group`. */
  readonly group?: string;
  readonly type: ValueType;
  readonly list: boolean;
  readonly required: boolean;
  /** Whether the server knows the value and sets it where a write leaves it out, as for most of what a file has. */
  readonly isSupplied?: true;
  readonly indexed?: { readonly unique: boolean };
  /** Refuses the deletion of what its references name; absent means that they stay. */
  readonly onDelete?: 'RESTRICT';
  /** Whether the stores keep an index of its words. */
  readonly searchable?: true;
  /** Whether its value, or the one at `titlePath` inside it, names an asset, by `@title`. */
  readonly isTitle?: true;
  readonly titlePath?: string;
  readonly constraint: Constraint;
  /** The JSON names that the field had before, newest first. */
  readonly formerNames: readonly string[];
  /** The stored form of the value that a new asset gets when it is created without the field. Never a reference, never null. */
  readonly default?: Json;
  /** What stands for that value where it depends on who creates the asset, and when. */
  readonly defaultVariable?: DefaultVariable;
  /** Why the field is deprecated; absent when it is not. */
  readonly deprecated?: string;
}

/** An object type without `@contentType`: a value stored inside its asset. May contain itself. */
export interface EmbeddedType {
  readonly name: string;
  readonly description?: string;
  /** Its name for people, by `@label`. */
  readonly label?: string;
  /** Of blocks: `_type`, and the fields that paths can reach, as they are in all kinds that have them. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Of blocks, a union or an interface of embedded types: the type of each kind of value, by its name, which each value has as `_type`. */
  readonly kinds?: ReadonlyMap<string, EmbeddedType>;
  /** Of blocks that are an interface: the fields that it has itself. */
  readonly shared?: ReadonlyMap<string, Field>;
  /** JSON names of fields that it no longer has, and whose stored values are no longer needed. */
  readonly dropped: readonly string[];
  /** The names that a kind of blocks had before, newest first. */
  readonly formerNames?: readonly string[];
}

/** A rule that the values of an asset must obey together, by `@check`. */
export interface TypeCheck {
  /** The predicate, as the SDL has it. */
  readonly where: string;
  /** What people read whose values break the rule. */
  readonly message: string;
  /** The path of the field that the message is about. */
  readonly path: string;
  /** The JSON names of the fields of the type that the rule reads. */
  readonly fields: ReadonlySet<string>;
  readonly isBroken: (asset: JsonObject) => boolean;
}

/** Fields that are unique together among the assets of a type that meet a condition, by `@unique` with `where`. */
export interface ConditionalKey {
  /** The JSON names of its fields. */
  readonly fields: readonly string[];
  /** The predicate, as the SDL has it. */
  readonly where: string;
  /** The predicate as `query/conditions.ts` writes it. */
  readonly condition: string;
}

/** A field of `@inverse`, which only GraphQL has: it lists the assets of a type that refer to the asset. */
export interface InverseField {
  readonly graphqlName: string;
  readonly description?: string;
  readonly deprecated?: string;
  /** The class name of the assets that it lists. */
  readonly target: string;
  /** The JSON name of their reference. */
  readonly field: string;
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
  /** Its name for people, by `@label`. */
  readonly label?: string;
  /** The group of types that it stands in, by `@group`. */
  readonly group?: string;
  /** The path of the pages that show its assets, such as `/news/{slug}`, by `@preview`. */
  readonly previewPath?: string;
  /** By JSON name, the fields of `Content` included; `_id` and `_type` are not among them. */
  readonly fields: ReadonlyMap<string, Field>;
  /** The class names that the type had before, newest first. */
  readonly formerClasses: readonly string[];
  /** JSON names of fields that it no longer has, and whose stored values are no longer needed. */
  readonly dropped: readonly string[];
  /** The JSON names of the fields of each key that `@unique` gives the type. */
  readonly keys: readonly (readonly string[])[];
  /** The keys that hold among some of its assets only, and identify none. */
  readonly conditionalKeys: readonly ConditionalKey[];
  /** What must hold for the values of an asset together. */
  readonly checks: readonly TypeCheck[];
  /** The lists of assets that refer to its assets. */
  readonly inverses: readonly InverseField[];
  /** Class names of the interfaces it implements, those with `@contentType` only. */
  readonly interfaces: readonly string[];
  /** What the change log leaves out; absent means nothing. */
  readonly unlogged?: UnloggedParts;
}

/** What the change log leaves out: all writes of a type, or the values of some fields. */
export type UnloggedParts = 'all' | { readonly secrets: readonly string[] };

/** All content types, in the order of their class names. */
export interface Catalog {
  /** The content types that assets can have, by class name. */
  readonly types: ReadonlyMap<string, ContentType>;
  /** The interfaces with a class name, by class name. */
  readonly interfaces: ReadonlyMap<string, ContentType>;
  /** Finds a content type or interface by class name or type ID, or by one that it had before. */
  find(classOrId: string): ContentType | undefined;
  /** Returns the class names of assets found `from` this type: its own, or for an interface those of its implementing types. */
  concrete(type: ContentType): readonly string[];
}

/** The name of the embedded type of files, which Colophon supplies. */
export const fileTypeName = 'File';

/** Tells whether a type is that of files; no other type has its name. */
export const isFileType = ({ name }: Pick<EmbeddedType, 'name'>): boolean => name === fileTypeName;

/** Tells whether a write must have a value for the field: no default or value of the server takes its place. */
export const mustBeGiven = (field: Field): boolean =>
  field.required && !hasDefault(field) && !field.isSupplied;

/** Tells whether a new asset may get a value where it is created without the field. */
export const hasDefault = ({ default: value, defaultVariable }: Field): boolean =>
  value !== undefined || defaultVariable !== undefined;

/** Finds the type of an embedded value: of a block, the kind that has its `_type` as its name or as a former one. */
export function kindOf(type: EmbeddedType, value: JsonObject): EmbeddedType | undefined {
  if (!type.kinds) return type;
  return typeof value._type === 'string' ? findKind(type.kinds, value._type) : undefined;
}

/** Finds the kind of blocks that has a name, or had it before. */
export const findKind = (kinds: ReadonlyMap<string, EmbeddedType>, name: string): EmbeddedType | undefined =>
  kinds.get(name) ?? [...kinds.values()].find(({ formerNames }) => formerNames?.includes(name));

/** Lists the types whose fields the values of an embedded type have: of blocks, those of their kinds. */
export const kindsOf = (type: EmbeddedType): readonly EmbeddedType[] => [...(type.kinds?.values() ?? [type])];
