/**
 * Bundles the command line and the server into JavaScript that starts quickly: one folder of CommonJS chunks with all packages they need.
 *
 * CommonJS, because importing a module of Node.js into an ES module evaluates all its getters, of which those of `node:http` load a whole
 * HTTP client. The chunks lie side by side, so that `import.meta.url` leads from each to the others as it does in the sources. Functions and
 * classes keep their names, for stacks.
 */
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from 'rolldown';
import { writePackages } from './bundled-packages.ts';

const root = import.meta.dirname;

/** The programs: what users start, what starts again as a child, the library, and the threads. */
export const serverEntries = {
  launch: 'src/cli/launch.ts',
  main: 'src/cli/main.ts',
  library: 'src/app/library/index.ts',
  'check-entry': 'src/app/types-check/check-entry.ts',
  'checkpoint-entry': 'src/store/sqlite/threads/checkpoint-entry.ts',
  'inspection-entry': 'src/store/sqlite/inspection/inspection-entry.ts',
  'reader-entry': 'src/store/sqlite/threads/reader-entry.ts',
  'writer-entry': 'src/store/sqlite/threads/writer-entry.ts',
};

/** The packages that only some commands load, and only when they need them. An installation has those that are `dependencies`. */
export const externalPackages = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@hey-api/openapi-ts',
  '@opentelemetry/api',
  'ajv',
  'ajv-formats',
  'mongodb',
  'sharp',
  'typescript',
];
const external = new RegExp(`^(${externalPackages.join('|')})(/|$)`);

/**
 * What a package loads but does not use here: bodies and query strings are read in `http/request/` and `base/`, requests are handled in
 * `http/` and validated by generated functions, and logs have no thread. Each is an empty object in the bundle.
 */
const unused: Readonly<Record<string, readonly string[]>> = {
  express: ['body-parser', 'qs'],
  'openapi-backend': ['./backend', 'ajv', 'qs'],
  pino: ['thread-stream'],
};

/** The functions of lodash that the router of openapi-backend calls here, in place of 540 kB. */
const lodash = `
  const { entries } = Object;
  const chain = (value) => ({
    value: () => value,
    entries: () => chain(entries(value)),
    flatMap: (each) => chain(value.flatMap((item) => each(item))),
  });
  const pick = (object, names) =>
    Object.fromEntries(names.filter((name) => name in object).map((name) => [name, object[name]]));
  module.exports = { chain, entries, pick };
`;

/** Bundles the server into a folder, which appears only when it is complete. Throws the bundler's errors. */
export async function buildServer(folder: string): Promise<void> {
  // Beside the folder, so that it can be renamed.
  const partial = mkdtempSync(`${folder}-`);
  try {
    const bundle = await rolldown(serverInput);
    const { output } = await bundle.write({
      dir: partial,
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
    writePackages(partial, { modules });
    moveTo(folder, partial);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

const emptyModule = '\0unused';
const lodashModule = '\0lodash';
/** Both are decided here, because the bundler would ask its own list of external packages first. */
const resolvePackages: Plugin = {
  name: 'leave out unused packages, and those that are loaded when needed',
  resolveId(id, importer) {
    const [, from = ''] = /.*node_modules[\\/]([\w-]+)/.exec(importer ?? '') ?? [];
    if (from === 'openapi-backend' && id === 'lodash') return lodashModule;
    if (unused[from]?.includes(id)) return emptyModule;
    return external.test(id) ? { id, external: true } : undefined;
  },
  load: (id) => ({ [emptyModule]: 'module.exports = {};', [lodashModule]: lodash })[id],
};

/** What is bundled. */
export const serverInput: InputOptions = {
  input: serverEntries,
  cwd: root,
  platform: 'node',
  plugins: [resolvePackages],
  experimental: { attachDebugInfo: 'none' },
  // The comments in the bundle name files by where they are found, not by where a link leads to on this machine.
  resolve: { symlinks: false },
};

const toModules = ({ moduleIds }: OutputChunk) => moduleIds;

/**
 * Adds the modules that `require` and `import` load, which tell a Node.js that is too old apart, and the declarations for both. The
 * declarations are those of one file, which imports nothing of Colophon.
 */
export async function buildLibrary(folder: string): Promise<void> {
  // Loaded when needed, because the bundle of a checkout has no declarations.
  const { default: ts } = await import('typescript');
  const source = join(root, 'src/app/library/colophon.ts');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(source, 'utf8'), {
    fileName: source,
    reportDiagnostics: true,
    compilerOptions: { removeComments: false },
  });
  if (diagnostics.length > 0)
    throw new Error(`${source}: ${ts.flattenDiagnosticMessageText(diagnostics[0]?.messageText, ' ')}`);
  writeFileSync(join(folder, 'index.cjs'), commonJsEntry);
  writeFileSync(
    join(folder, 'index.mjs'),
    `import library from './index.cjs';\nexport const { ${libraryExports.join(', ')} } = library;\n`,
  );
  for (const name of ['index.d.mts', 'index.d.cts']) writeFileSync(join(folder, name), outputText);
}

const commonJsEntry = `'use strict';
if (Number.parseInt(process.versions.node, 10) < 24) {
  throw new Error(\`colophon: needs Node.js 24 or later, and this is \${process.version}\`);
}
module.exports = require('./library.cjs');
`;

/** What the library exports at run time. */
const libraryExports = ['createColophon', 'isColophonError'];

/** Another process may have built the same at the same time. */
function moveTo(folder: string, partial: string): void {
  try {
    renameSync(partial, folder);
  } catch (error) {
    if (!existsSync(join(folder, 'launch.cjs'))) throw error;
  }
}
