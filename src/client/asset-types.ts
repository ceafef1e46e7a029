/**
 * Which type an asset has, by the name it is asked for or created under: the class name or type ID of a content type, or of an
 * interface, which stands for all that implement it.
 */
import type { ClassesFrom } from './cma/classes.gen.ts';
import type { Asset, AssetCreate, AssetUpdate } from './cma/types.gen.ts';

/** The class names and type IDs of all content types and interfaces. */
export type TypeName = keyof ClassesFrom;

/** The class names and type IDs that an asset can be created under. */
export type NewTypeName = AssetCreate['_type'];

/** The assets found `from` a name; any asset for a name that is known only when the program runs. */
export type AssetOf<Name extends string> = Name extends TypeName ? OfClass<ClassesFrom[Name]> : Asset;

/** A new asset with one of the names as its `_type`. */
export type NewAssetOf<Name extends NewTypeName> = Named<AssetCreate, Name>;

/** Changes of an asset with one of the names as its `_type`. */
export type AssetChangesOf<Name extends NewTypeName> = Named<AssetUpdate, Name>;

/** The generated unions say the class beside the type; without it, the type has its name in messages. */
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
