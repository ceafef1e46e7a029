/**
 * The names of the fields of `Query` and `Mutation`, and of the types of lists.
 */
import type { ContentType } from '../../model/content-type.ts';

type Named = Pick<ContentType, 'name'>;

/** `text` of `Text`. */
export const getName = ({ name }: Named) => name.charAt(0).toLowerCase() + name.slice(1);

/** `textBy` of `Text`. */
export const keyedName = (type: Named) => `${getName(type)}By`;

/** `textList` of `Text`. */
export const listName = (type: Named) => `${getName(type)}List`;

/** `TextList` of `Text`. */
export const listTypeName = ({ name }: Named) => `${name}List`;

/** `createText` of `Text`. */
export const createName = ({ name }: Named) => `create${name}`;

/** `updateText` of `Text`. */
export const updateName = ({ name }: Named) => `update${name}`;

/** `deleteText` of `Text`. */
export const deleteName = ({ name }: Named) => `delete${name}`;
