/** The layers: which folder may import which, where each vendor package is used, who reads the environment. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSourceFiles, type SourceFile, withoutComments } from './source-files.ts';

const sources = readSourceFiles();

/** The layers from the bottom up: a folder imports itself and the folders before it. */
const layers = [
  'text',
  'base',
  'outbound',
  'model',
  'query',
  'types',
  'documents',
  'store',
  'content',
  'access',
  'files',
  'webhooks',
  'transfer',
  'graphql',
  'mapping',
  'http',
  'app',
  'cli',
];

/** Folders beside the layers, with the folders each may import. */
const beside: Readonly<Record<string, readonly string[]>> = {
  // Code that the browser and the server share.
  admin: ['text'],
  // Commands also generate clients and run the contract suite.
  cli: [...layers, 'codegen', 'contract'],
  client: [],
  codegen: ['text', 'base', 'model', 'types', 'documents', 'graphql', 'mapping', 'client'],
  contract: ['base', 'model', 'query', 'types', 'documents'],
  // The importers check what they write as the server does, and know nothing else of it.
  importers: ['text', 'base', 'model', 'query', 'types'],
};

/** Folders that a layer may import besides the layers below it. */
const alsoImported: Readonly<Record<string, readonly string[]>> = {
  // Imports and exports reach a server through the client's `sendRequest`.
  transfer: ['client'],
};

/** Folders of which a folder beside the layers imports only types, so that its tables know every scalar and operator. */
const typesOnly: Readonly<Record<string, readonly string[]>> = { admin: ['model', 'query'] };

/** Imports from outside `src`: the generated server types and validators, for builds what describes bundles, and for the folders named here the listed paths. */
const generatedSources: Readonly<Record<string, readonly string[]>> = {
  /** The documents it shows. */
  admin: ['../generated/openapi/'],
  /** The generated half of the client. */
  client: ['../generated/client/lib/cma/', '../generated/client/lib/admin/', '../generated/client/lib/http/'],
};

/** Packages, each with the path prefixes of the files that may import it. */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@contentful/rich-text-html-renderer': ['importers/contentful/'],
  'csv-parse': ['importers/csv/'],
  '@portabletext/to-html': ['importers/sanity/'],
  'tar-stream': ['importers/source/'],
  marked: ['importers/markdown/'],
  saxes: ['importers/wxr/'],
  'smol-toml': ['importers/markdown/'],
  '@aws-sdk/client-s3': ['store/s3/'],
  '@aws-sdk/lib-storage': ['store/s3/'],
  'node:perf_hooks': ['app/metrics/'],
  'node:tls': ['app/doctor/'],
  '@codemirror/language': ['admin/'],
  '@codemirror/lint': ['admin/'],
  '@codemirror/state': ['admin/'],
  '@codemirror/view': ['admin/'],
  '@graphql-codegen/cli': ['codegen/graphql-types.ts'],
  '@graphiql/react': ['admin/pages/explorer/'],
  '@graphiql/toolkit': ['admin/pages/explorer/'],
  '@hey-api/openapi-ts': ['codegen/client/run-openapi-ts.ts'],
  '@lezer/highlight': ['admin/'],
  '@mantine/core': ['admin/'],
  '@mantine/hooks': ['admin/'],
  '@mantine/notifications': ['admin/'],
  '@fontsource-variable/inter': ['admin/'],
  '@tanstack/react-query': ['admin/'],
  '@tanstack/react-table': ['admin/parts/list/'],
  '@opentelemetry/api': ['app/tracing/'],
  '@tiptap/core': ['admin/pages/content/inputs/rich-text/editor/'],
  '@tiptap/extension-image': ['admin/pages/content/inputs/rich-text/editor/'],
  '@tiptap/pm': ['admin/pages/content/inputs/rich-text/editor/'],
  '@tiptap/starter-kit': ['admin/pages/content/inputs/rich-text/editor/'],
  'cm6-graphql': ['admin/'],
  ajv: ['codegen/request-validators.ts', 'contract/responses/response-validator.ts', 'http/openapi/'],
  'ajv-formats': ['contract/responses/response-validator.ts'],
  codemirror: ['admin/'],
  // The package's own manifest, which Node.js 20 resolves by name.
  colophon: ['cli/launch.ts'],
  'colophon-client': ['admin/'],
  'content-type': ['http/'],
  cookie: ['http/'],
  diff: ['admin/'],
  entities: ['query/text.ts'],
  express: ['http/'],
  graphiql: ['admin/pages/explorer/'],
  'jsonc-parser': ['admin/pages/explorer/'],
  graphql: ['types/load-types.ts', 'types/', 'graphql/', 'admin/'],
  helmet: ['http/'],
  'file-type': ['files/upload-file.ts'],
  'image-size': ['files/upload-file.ts'],
  'lucide-react': ['admin/parts/layout/icons.ts'],
  'lru-cache': [
    'access/rate-limits.ts',
    'access/runs/',
    'access/authenticator.ts',
    'content/',
    'files/',
    'query/',
    'store/sqlite/',
    'graphql/',
    'http/',
  ],
  mongodb: ['store/mongo/'],
  'node:child_process': ['app/workers/', 'cli/'],
  'node:events': ['cli/', 'importers/'],
  'node:dns': ['outbound/'],
  'node:http': [
    'http/',
    'app/',
    'outbound/',
    'codegen/operation-types.ts',
    'contract/responses/send-after-continue.ts',
  ],
  'node:https': ['outbound/', 'contract/responses/send-after-continue.ts'],
  'node:net': [
    'app/',
    'cli/serving/run-parent.ts',
    'http/request/request-head.ts',
    'http/request/request-head.ts',
    'outbound/',
    'webhooks/check-webhook.ts',
  ],
  'node:timers': ['contract/apis/limited-client.ts', 'content/'],
  'node:sqlite': ['store/sqlite/', 'transfer/'],
  'node:stream': [
    'app/',
    'cli/demo/load-demo.ts',
    'cli/serving/log-destination.ts',
    'files/',
    'http/',
    'importers/',
    'store/',
    'transfer/files/',
  ],
  'node:v8': ['cli/', 'store/sqlite/writer/'],
  'node:vm': ['cli/serving/gc-tuning.ts'],
  sharp: ['files/variants/picture-variant.ts'],
  re2js: ['text/compile-pattern.ts'],
  'node:worker_threads': ['app/types-check/', 'store/sqlite/'],
  'node:zlib': [
    'cli/demo/draw-picture.ts',
    'http/',
    'importers/source/',
    'store/sqlite/',
    'transfer/backup/',
  ],
  '@modelcontextprotocol/sdk': ['http/mcp/protocol.ts'],
  'openid-client': ['access/openid/'],
  'openapi-backend': ['http/', 'documents/openapi-document.ts'],
  pino: ['cli/'],
  react: ['admin/'],
  'react-dom': ['admin/'],
  'react-router': ['admin/'],
  rolldown: ['codegen/request-validators.ts', 'importers/build.ts'],
  typescript: ['codegen/'],
  uuid: ['base/runtime.ts', 'model/catalog.ts', 'cli/demo/identity.ts', 'importers/ids.ts'],
  yaml: ['cli/configuration/', 'codegen/specifications.ts', 'importers/markdown/', 'importers/directus/'],
};

/** Modules of Node that any file may use: they do not go beyond the process or a file. */
const plainNode = [
  'node:async_hooks',
  'node:buffer',
  'node:crypto',
  'node:fs',
  'node:module',
  'node:os',
  'node:path',
  'node:timers',
  'node:timers/promises',
  'node:url',
  'node:util',
];

/** Finds the imports that break a rule, as `file imports path`. */
function breaches(
  pick: (file: SourceFile) => readonly string[],
  isAllowed: (file: SourceFile, what: string) => boolean,
): string[] {
  return sources.flatMap((file) =>
    pick(file)
      .filter((what) => !isAllowed(file, what))
      .map((what) => `${file.path} imports ${what}`),
  );
}

describe('src/', () => {
  it('is read completely, with imports of every kind', () => {
    expect(new Set(sources.map(({ layer }) => layer)).size).toBeGreaterThan(8);
    const importsOf = (path: string) => sources.find((file) => file.path === path)?.files;
    expect(importsOf('store/open-store.ts')).toContain('store/mongo/mongo-adapter.ts');
    expect(importsOf('http/handlers/cma.ts')).toContain('../generated/server/cma.ts');
  });

  it('has only folders with a known layer', () => {
    const unknown = sources.filter(({ layer }) => !layers.includes(layer) && !Object.hasOwn(beside, layer));
    expect(unknown.map(({ path }) => path)).toEqual([]);
  });

  it('imports downwards only', () => {
    const mayImport = ({ layer, loadedFiles }: SourceFile, path: string) => {
      const target = path.split('/')[0] ?? '';
      if (target === layer || target === '..') return true;
      const below = layers.slice(0, layers.indexOf(layer));
      const allowed = beside[layer] ?? [...below, ...(alsoImported[layer] ?? [])];
      return (
        allowed.includes(target) ||
        (!loadedFiles.includes(path) && typesOnly[layer]?.includes(target) === true)
      );
    };
    expect(breaches(({ files }) => files, mayImport)).toEqual([]);
  });

  it('imports only generated files and what describes bundles from outside src', () => {
    const isGenerated = ({ layer }: SourceFile, path: string) =>
      !path.startsWith('../') ||
      path === '../bundled-packages.ts' ||
      (generatedSources[layer] ?? ['../generated/server/', '../generated/validators/']).some((home) =>
        path.startsWith(home),
      );
    expect(breaches(({ files }) => files, isGenerated)).toEqual([]);
  });

  it('has no import cycle, not even of types', () => {
    const importsOf = new Map(sources.map(({ path, files }) => [path, files]));
    const visited = new Set<string>();
    const cycles: string[] = [];
    const visit = (path: string, trail: readonly string[]) => {
      if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
      if (trail.includes(path) || visited.has(path)) return;
      for (const next of importsOf.get(path) ?? []) visit(next, [...trail, path]);
      visited.add(path);
    };
    for (const { path } of sources) visit(path, []);
    expect(cycles).toEqual([]);
  });
});

describe('the map of the layers', () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
  const [, drawn = '', besideDrawn = ''] = read('ARCHITECTURE.md').split(
    /^## Layers$|^Beside the layers:$|^`text` stands/m,
  );

  it('shows the layers in their order: the drawing, without the lowest and the highest', () => {
    expect(namesIn(drawn, /│ ([a-z]+) +\w/g)).toEqual(layers.slice(1, -1).toReversed());
  });

  it('shows the folders beside the layers', () => {
    const folders = Object.keys(beside).filter((name) => !layers.includes(name));
    expect(namesIn(besideDrawn, /^\| `(\w+)`/gm)).toEqual(folders);
  });
});

describe('the importers', () => {
  it('open files of a source in one folder, which keeps paths from leading out of it', () => {
    const opening = sources.filter(
      ({ path, packages }) =>
        path.startsWith('importers/') && packages.some((name) => name.startsWith('node:fs')),
    );
    const others = opening.filter(({ path }) => !/^importers\/(source|output)\//.test(path));
    // One builds the package, and the other tells whether the source exists.
    expect(others.map(({ path }) => path)).toEqual(['importers/build.ts', 'importers/main.ts']);
  });
});

/** Finds the file and all that it loads, directly or not. */
function filesLoadedBy(entry: string): SourceFile[] {
  const found = new Set([entry]);
  // A set also visits what is added meanwhile.
  for (const path of found)
    for (const other of sources.find((file) => file.path === path)?.loadedFiles ?? []) found.add(other);
  return sources.filter(({ path }) => found.has(path));
}

describe('colophon-import, which runs on Node.js 20', () => {
  const loaded = filesLoadedBy('importers/main.ts');

  it('loads no module that needs a newer Node.js', () => {
    expect(loaded.length).toBeGreaterThan(50);
    const newer = /\b(findPackageJSON|registerHooks|stripTypeScriptTypes)\b|'node:sqlite'/;
    expect(loaded.filter(({ text }) => newer.test(withoutComments(text))).map(({ path }) => path)).toEqual(
      [],
    );
  });

  it('calls nothing of a newer JavaScript', () => {
    const newer =
      /\b(Map|Object)\.groupBy\(|\bArray\.fromAsync\(|\bPromise\.(try|withResolvers)\b|\bRegExp\.escape\(/;
    const own = loaded.filter(({ layer }) => layer === 'importers');
    expect(own.filter(({ text }) => newer.test(text)).map(({ path }) => path)).toEqual([]);
  });
});

describe('the store adapters', () => {
  it('do not import each other', () => {
    const isOther = ({ path }: SourceFile, imported: string) =>
      !['sqlite', 'mongo'].some(
        (one) => imported.startsWith(`store/${one}/`) && !path.startsWith(`store/${one}/`),
      ) || path === 'store/open-store.ts';
    expect(breaches(({ files }) => files, isOther)).toEqual([]);
  });

  it('are told apart in one file', () => {
    const choosing = /\bmongodbUrl\)? *([!=]==|\?[^:]|&&)|[!=]== '(sqlite|mongodb)'/i;
    const paths = sources.filter(({ text }) => choosing.test(withoutComments(text))).map(({ path }) => path);
    expect(paths).toEqual(['store/open-store.ts']);
  });

  // The parent of several workers opens the writer that they share. The others ask the adapter about the store.
  const composers = [
    'app/chosen-types.ts',
    'app/compose/compose-backup.ts',
    'app/compose/compose-commands.ts',
    'app/compose/compose-erasures.ts',
    'app/compose/compose-files.ts',
    'app/compose/compose-records.ts',
    'app/compose/compose-types-check.ts',
    'app/compose/compose-verify.ts',
    'app/compose/compose-webhooks.ts',
    'app/compose/compose.ts',
    'app/compose/readable-store.ts',
    'app/compose/services.ts',
    'app/doctor/run-checks.ts',
    'cli/serving/run-parent.ts',
  ];
  it('are opened by the composition files, and used only by the content service', () => {
    const users = sources.filter(
      ({ layer, files }) =>
        !['store', 'content'].includes(layer) && files.some((path) => path.startsWith('store/')),
    );
    // They read or write a store without the rules of content, which the source of a copy has applied.
    const copies = users.filter(({ path }) => /^transfer\/(backup|files|verify)\//.test(path));
    // The others import only types of the port.
    const others = [
      'app/compose/compose-schemas.ts',
      'app/compose/compose-served-files.ts',
      'app/compose/runtime.ts',
      'app/types-check/check-entry.ts',
      'app/types-check/check-thread.ts',
      'app/workers/supervise-workers.ts',
      'files/recorded-bytes.ts',
      'files/stored-files.ts',
      'files/upload-file.ts',
      'files/variants/picture-variants.ts',
      'http/files/serve-files.ts',
      'http/response/streamed-body.ts',
    ];
    const paths = users.filter((user) => !copies.includes(user)).map(({ path }) => path);
    expect(paths).toEqual([...composers, ...others].toSorted());
    expect(copies.length).toBeGreaterThan(0);
    const loaded = users.filter(({ loadedFiles }) => loadedFiles.some((path) => path.startsWith('store/')));
    expect(loaded.map(({ path }) => path)).toEqual(composers);
  });
});

describe('a vendor package', () => {
  it('is imported only in its folders', () => {
    const isHome = ({ path }: SourceFile, name: string) =>
      plainNode.includes(name) || (homes[name] ?? []).some((home) => path.startsWith(home));
    expect(breaches(({ packages }) => packages, isHome)).toEqual([]);
  });

  it('that is listed here is used', () => {
    const used = new Set(sources.flatMap(({ packages }) => packages));
    expect(Object.keys(homes).filter((name) => !used.has(name))).toEqual([]);
  });
});

describe('the client', () => {
  it('runs without Node and imports no package', () => {
    const inClient = sources.filter(({ layer }) => layer === 'client');
    expect(inClient.length).toBeGreaterThan(5);
    expect(inClient.flatMap(({ packages }) => packages)).toEqual([]);
    const ofNode = inClient.filter(({ text }) =>
      /\b(process|Buffer|require|setImmediate|randomUUID)\b/.test(withoutComments(text)),
    );
    expect(ofNode.map(({ path }) => path)).toEqual([]);
  });
});

describe('the descriptions of commands', () => {
  it('load no command before it is called', () => {
    const descriptions = sources.filter(({ path }) => path.startsWith('cli/descriptions/'));
    expect(descriptions.length).toBeGreaterThan(5);
    const loaded = descriptions.flatMap(({ text }) =>
      [...text.matchAll(/^import .* from '([^']*)';$/gm)].map(([, path = '']) => path),
    );
    const light = /^(\.\/[\w-]+|\.\.\/command|\.\.\/\.\.\/access\/(clients\/scopes|users\/roles))\.ts$/;
    expect(loaded.filter((path) => !light.test(path))).toEqual([]);
  });
});

describe('access to the environment:', () => {
  const mentioning = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(withoutComments(text))).map(({ path }) => path);

  it('environment variables are read only by commands', () => {
    const readers = mentioning(/process\.env|from 'node:process'/);
    // The compile cache has variables of Node.js, and .env sets some, before a command is known. A parent passes all on to its workers.
    const others = ['cli/compile-cache.ts', 'cli/env-file.ts', 'cli/serving/run-parent.ts'];
    expect(readers.filter((path) => !path.startsWith('cli/commands/') && !others.includes(path))).toEqual([]);
    expect(readers).toContain('cli/commands/types/types-option.ts');
  });

  it('clock and randomness are read only in base/runtime.ts and its counterpart in the client', () => {
    const free = ['base/runtime.ts', 'client/clock-and-random.ts'];
    const users = mentioning(/Date\.now\(|new Date\(\)|Math\.random\(|randomBytes\(|\bv[147]\(\)/);
    expect(users.filter((path) => !free.includes(path))).toEqual([]);
  });

  it('exit code and standard output are set only by the command line', () => {
    const users = mentioning(/process\.exit|console\.|process\.std/);
    // The code generator writes a README whose examples print.
    expect(users.filter((path) => !/^(cli|codegen|importers)\//.test(path))).toEqual([]);
  });
});
