/**
 * Starts the threads of stores in tests from the bundle of the command line, in a third of the time that their sources take to load.
 *
 * `built-command-line.ts` makes the bundle before the tests. In watch mode, where sources change after that, the sources run.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vitest/config';
import { packageRoot } from '../../src/base/package-root.ts';

const builds = join(packageRoot, 'dist/checkout');
// biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a source
const fromSources = 'new URL(`./${entry}-entry${extname(import.meta.url)}`, import.meta.url)';

const isTransformed = (id: string) => id.endsWith('/src/store/sqlite/threads/worker-thread.ts');

let isWatching = false;

/** Replaces the address of the entry of a thread. Throws when the source no longer has it. */
export const bundledThreads: Plugin = {
  name: 'bundled-threads',
  enforce: 'pre',
  configureVitest({ vitest, defineCacheKeyGenerator }) {
    isWatching = vitest.config.watch;
    // Vitest keeps transformed modules by their text, and would start the threads of an earlier bundle.
    defineCacheKeyGenerator(({ id }) => (isTransformed(id) ? false : undefined));
  },
  transform(code, id) {
    if (!isTransformed(id)) return undefined;
    if (!code.includes(fromSources)) throw new Error(`${id} does not contain ${fromSources}`);
    const build = isWatching ? undefined : findBundle();
    return (
      build && code.replace(fromSources, `new URL(\`./\${entry}-entry.cjs\`, '${pathToFileURL(build)}/')`)
    );
  },
};

/** Finds the bundle that was used last. */
export function findBundle(): string | undefined {
  if (!existsSync(builds)) return undefined;
  const paths = readdirSync(builds).map((name) => join(builds, name));
  const complete = paths.filter((path) => existsSync(join(path, 'writer-entry.cjs')));
  return complete.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0];
}
