/**
 * How much structure the variables of one request may have.
 */

/** How many names and indexes may stand within each other, the variable's own name included. */
export const maxVariableDepth = 8;

/** How many elements a list may have that is written element by element. */
export const maxListElements = 1000;
