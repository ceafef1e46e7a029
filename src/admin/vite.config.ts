/**
 * Builds the admin UI into dist/admin, from where the server serves it; or, to work on it, serves it beside a running server.
 */
import { readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { describeBundle } from '../../bundled-packages.ts';

/** The server that answers the pages while one works on them. */
const target = 'http://127.0.0.1:4000';

const { version }: { version: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
);

/**
 * Moves the stylesheet behind what index.html draws at first: browsers draw nothing below a stylesheet before it has arrived, and run no
 * script before it either. It stays before the styles that the pages add.
 */
const firstPaint: Plugin = {
  name: 'first-paint',
  transformIndexHtml: {
    order: 'post',
    handler(page) {
      const [stylesheet = ''] = /<link rel="stylesheet"[^>]*>/.exec(page) ?? [];
      return page.replace(stylesheet, '').replace('<div id="root">', (root) => `${stylesheet}\n    ${root}`);
    },
  },
};

/**
 * Lets GraphiQL format the JSON of variables with the parser that it reads them with, and not with Prettier's parser and printer of
 * JavaScript, which nothing else needs.
 */
const formatJson: Plugin = {
  name: 'format-json',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source.startsWith('prettier/') && importer?.endsWith('@graphiql/react/dist/utility/jsonc.js')
      ? join(import.meta.dirname, 'pages/explorer/format-json.ts')
      : undefined,
};

/** Leaves out the faces of Inter for other scripts than Latin, which have the font of the system: 85 kB that cannot be compressed. */
const latinFaces: Plugin = {
  name: 'latin-faces',
  enforce: 'pre',
  transform: (css, id) =>
    id.endsWith('/inter/wght.css')
      ? (css.match(/@font-face \{[^}]*inter-latin[^}]*\}/g)?.join('\n') ?? '')
      : undefined,
};

const packages = describeBundle();

/** The name of a script or its styles without the pages that share it, as in `shared~page~types`. */
const withoutPages = (name: string) => name.replace(/~.*/, '');

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // The server puts the path of its public URL in place of `/__base__`.
  base: command === 'build' ? '/__base__/admin/' : '/',
  define: { 'import.meta.env.COLOPHON_VERSION': JSON.stringify(version) },
  plugins: [react(), firstPaint, latinFaces, formatJson, packages.describe],
  worker: { plugins: () => [packages.collect] },
  build: {
    outDir: join(import.meta.dirname, '../../dist/admin'),
    emptyOutDir: true,
    // The explorer's editor is large, and loaded only where it is opened.
    chunkSizeWarningLimit: 5000,
    rolldownOptions: {
      output: {
        chunkFileNames: ({ name }) => `assets/${withoutPages(name)}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${withoutPages(parse(name).name)}-[hash][extname]`,
        // What few pages share is in the script of what nearly the same pages share, where it is small; what is always loaded is in one script.
        codeSplitting: {
          groups: [
            { name: 'index', tags: ['$initial'], priority: 1 },
            { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 2000 },
          ],
        },
      },
      onLog: (level, log, report) => {
        // GraphiQL's directives are for React's compiler, which is not used here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  optimizeDeps: {
    // GraphiQL's workers are found beside their sources, and load these two.
    exclude: ['graphiql/setup-workers/vite'],
    include: ['monaco-graphql > nullthrows', 'monaco-graphql > picomatch-browser'],
  },
  server: { proxy: { '/api/': target, '/graphql/': target } },
}));
