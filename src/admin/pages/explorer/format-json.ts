/**
 * Formats the JSON of GraphiQL's variables, with its comments. The module stands for those of Prettier that GraphiQL loads for that.
 */
import { applyEdits, format as findEdits } from 'jsonc-parser';

/** Returns the text with one member in each line. */
export const format = (text: string): string =>
  applyEdits(text, findEdits(text, undefined, { tabSize: 2, insertSpaces: true }));

/** Prettier's plugins have these. */
export const printers = {};
export const parsers = {};
