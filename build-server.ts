/**
 * Bundles the command line and the server into JavaScript that starts quickly: one folder of CommonJS chunks with all packages they need.
 *
 * CommonJS, because importing a module of Node.js into an ES module evaluates all its getters, of which those of `node:http` load a whole
 * HTTP client. The chunks lie side by side, so that `import.meta.url` leads from each to the others as it does in the sources. Functions and
 * classes keep their names, for stacks.
 */
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';

const root = import.meta.dirname;

/** The programs: what users start, what starts again as a child, and the threads of the SQLite store. */
export const serverEntries = {
  launch: 'src/cli/launch.ts',
  main: 'src/cli/main.ts',
  'reader-entry': 'src/store/sqlite/threads/reader-entry.ts',
  'writer-entry': 'src/store/sqlite/threads/writer-entry.ts',
};

/** The packages that only some commands load, and only when they need them. */
const external = [/^(@hey-api\/openapi-ts|ajv|ajv-formats|mongodb|typescript)(\/|$)/];

/**
 * What a package loads but does not use here: bodies and query strings are read in `http/request/` and `base/`, requests are handled in
 * `http/` and validated by generated functions, and logs have no thread. Each is an empty object in the bundle.
 */
const unused: Readonly<Record<string, readonly string[]>> = {
  express: ['body-parser', 'qs'],
  'openapi-backend': ['./backend', 'ajv', 'qs'],
  pino: ['thread-stream'],
};

/** Bundles the server into a folder, which appears only when it is complete. Throws the bundler's errors. */
export async function buildServer(folder: string): Promise<void> {
  // Beside the folder, so that it can be renamed.
  const draft = mkdtempSync(`${folder}-`);
  try {
    const bundle = await rolldown({
      input: serverEntries,
      cwd: root,
      platform: 'node',
      external,
      plugins: [leaveOutUnused],
      experimental: { attachDebugInfo: 'none' },
      // The comments in the bundle name files by where they are found, not by where a link leads to on this machine.
      resolve: { symlinks: false },
    });
    const { output } = await bundle.write({
      dir: draft,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      // Smaller, with the lines and the names of functions and classes.
      minify: {
        compress: true,
        mangle: { keepNames: { function: true, class: true } },
        codegen: { removeWhitespace: false },
      },
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    await bundle.close();
    const modules = output.flatMap((file) => (file.type === 'chunk' ? toModules(file) : []));
    writeFileSync(join(draft, 'LICENSES.txt'), describeLicenses(modules));
    moveTo(folder, draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const emptyModule = '\0unused';
const leaveOutUnused: Plugin = {
  name: 'leave out unused packages',
  resolveId(id, importer) {
    const [, from = ''] = /.*node_modules[\\/]([\w-]+)/.exec(importer ?? '') ?? [];
    return unused[from]?.includes(id) ? emptyModule : undefined;
  },
  load: (id) => (id === emptyModule ? 'module.exports = {};' : undefined),
};

const toModules = ({ moduleIds }: OutputChunk) => moduleIds;

/** Another process may have built the same at the same time. */
function moveTo(folder: string, draft: string): void {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'launch.cjs'))) throw error;
  }
}

/** Lists the packages in the bundle with their licenses, which ask for this. */
function describeLicenses(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((path) => packageOf(path) ?? []));
  return [...folders]
    .sort()
    .map(describeLicense)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** Returns the folder of the package that has a module; `undefined` for our own. */
function packageOf(path: string): string | undefined {
  const parts = path.split(sep);
  const found = parts.lastIndexOf('node_modules');
  if (found === -1) return undefined;
  const words = parts[found + 1]?.startsWith('@') ? 2 : 1;
  return parts.slice(0, found + 1 + words).join(sep);
}

function describeLicense(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`);
  return `${name} ${version}, license: ${license}\n${texts.join('')}`;
}
