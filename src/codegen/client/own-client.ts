/**
 * Makes the client for a user's own types: the package that `client.ts` makes for Colophon's, under a name of the user's.
 */

import type { GeneratedFiles } from '../generated-files.ts';
import { generateClient } from './client.ts';
import { manifestName } from './client-manifest.ts';
import { type ClientSource, defaultClientName } from './client-source.ts';

/** Makes the files of the package, by their paths below its folder. */
export async function makeOwnClient({ input, name }: ClientSource): Promise<GeneratedFiles> {
  const files = await generateClient(input);
  return new Map(
    [...files].map(([path, text]) => {
      const below = path.replace(/^client\//, '');
      return [below, namingFiles.includes(below) ? text.replaceAll(defaultClientName, () => name) : text];
    }),
  );
}

/** The files in which the package says its name. */
const namingFiles = [manifestName, 'README.md'];
