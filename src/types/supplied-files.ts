/**
 * The SDL files that come with Colophon and belong to every catalog: the directives, the scalars, `Content` and `Site`.
 *
 * `colophon-import` also reads them, and runs on Node.js 20: what finds Colophon's own folder is in `type-sources.ts`, which does not.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const suppliedFiles = ['directives.graphql', 'content/site.graphql'] as const;

/** Reads them in the folder that has them. */
export const readSuppliedFiles = (folder: string) =>
  suppliedFiles.map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8'), supplied: true }));
