/**
 * Generates the client for a user's own types: the package of `client.ts` under a name that the user chooses.
 */

import type { GeneratedFiles } from '../generated-files.ts';
import { generateClient } from './client.ts';
import { manifestName } from './client-manifest.ts';
import { type ClientSource, defaultClientName } from './client-source.ts';

/** Generates the files of the package, by path below its folder. */
export async function makeOwnClient({ input, name }: ClientSource): Promise<GeneratedFiles> {
  const files = await generateClient(input);
  return new Map(
    [...files].map(([path, text]) => {
      const below = path.replace(/^client\//, '');
      return [below, namingFiles.includes(below) ? text.replaceAll(defaultClientName, () => name) : text];
    }),
  );
}

/** The files that contain the package's name. */
const namingFiles = [manifestName, 'README.md'];
