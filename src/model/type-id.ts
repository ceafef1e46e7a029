/**
 * The type ID of a class name.
 */
import { v5 } from 'uuid';

/** Returns the type ID of a class whose SDL gives none: the UUID version 5 of the class name in the URL namespace. */
export const typeIdOf = (className: string): string => v5(className, v5.URL);
