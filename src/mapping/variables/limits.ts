/**
 * Limits on the structure of one request's variables.
 */

/** The deepest nesting of names and indexes in the name of a parameter, the variable's own name included. JSON has `maxJsonDepth`. */
export const maxVariableDepth = 8;

/** The most elements of a list that is written element by element. */
export const maxListElements = 1000;
