/**
 * References to assets.
 */

/** A reference to an asset of one type. */
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
