/**
 * The types of assets by class name or type ID: of a content type, or of an interface, which stands for all its implementations; and references to assets.
 */
import type { ClassesFrom } from './cma/fields.gen.ts';
import type { Asset, AssetCreate, AssetUpdate } from './cma/types.gen.ts';

/** The class names and type IDs of all content types and interfaces. */
export type TypeName = keyof ClassesFrom;

/** The class names and type IDs that an asset can be created under. */
export type NewTypeName = AssetCreate['_type'];

/** The assets found `from` a name; any asset for a name computed at run time. */
export type AssetOf<Name extends string> = Name extends TypeName ? OfClass<ClassesFrom[Name]> : Asset;

/**
 * An asset with only the selected fields: `Field` is the union of their paths, `never` for the whole asset. With paths computed at run
 * time, any field may be absent.
 */
export type Selected<Found, Field extends string> = [Field] extends [never]
  ? Found
  : Found extends { _id: string; _type: string }
    ? Pick<Found, '_id' | '_type'> &
        (string extends Field
          ? Partial<Found>
          : { [Name in keyof Found as Name extends Field ? Name : never]: Found[Name] } & {
              [Name in keyof Found as Inside<Name, Field>]: PartOf<Found[Name]>;
            })
    : never;

/** The name of a field of which only a part is selected. */
type Inside<Name, Field extends string> = Name extends string
  ? Name extends Field
    ? never
    : Field extends `${Name}.${string}`
      ? Name
      : never
  : never;

/** An embedded value of which any member may be absent. */
type PartOf<Value> = Value extends readonly (infer Item)[]
  ? PartOf<Item>[]
  : Value extends object
    ? { [Name in keyof Value]?: PartOf<Value[Name]> }
    : Value;

/** A new asset with one of the names as its `_type`. */
export type NewAssetOf<Name extends NewTypeName> = Named<AssetCreate, Name>;

/** Changes of an asset with one of the names as its `_type`. */
export type AssetChangesOf<Name extends NewTypeName> = Named<AssetUpdate, Name>;

/** Removes the class from the generated unions, so that compiler messages show the type's name. */
type OfClass<Class extends Asset['_type']> = Class extends string
  ? Extract<Asset, { _type: Class }> extends { _type: Class } & infer Type
    ? Type
    : never
  : never;

/** Those of a union whose `_type` may be one of the names. */
type Named<Union, Name> = Union extends { _type?: infer Names }
  ? [Extract<Names, Name>] extends [never]
    ? never
    : Union
  : never;

export interface ReferenceTo<Type extends string> {
  readonly _ref: string;
  readonly _type: Type;
}

/** Returns a reference to an asset, such as one that was just created: `{ author: refTo(author) }`. */
export function refTo<const Type extends string>({
  _id,
  _type,
}: {
  readonly _id: string;
  readonly _type: Type;
}): ReferenceTo<Type> {
  return { _ref: _id, _type };
}
