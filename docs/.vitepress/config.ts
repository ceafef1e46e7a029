/**
 * The guide: its navigation, and how it is built into dist/docs. The server serves it at /docs/guide.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { describeBundle } from '../../bundled-packages.ts';

/** Leaves out the fonts of scripts that no page of the guide is written in, 270 kB that cannot be compressed. */
const latinFonts = {
  name: 'latin-fonts',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('/theme-default/styles/fonts.css')
      ? code.replace(/@font-face \{[^}]*-(cyrillic|greek|vietnamese)[^}]*\}/g, '')
      : undefined,
};

// VitePress bundles another Vite.
const packages = describeBundle(
  fileURLToPath(new URL('../../node_modules/vitepress/node_modules/vite', import.meta.url)),
);

export default defineConfig({
  title: 'Colophon',
  description: 'The guide to Colophon, the API layer of a content platform.',
  lang: 'en',
  // The server puts the path of its public URL in place of `/__base__`.
  base: '/__base__/docs/guide/',
  outDir: '../dist/docs',
  cleanUrls: true,
  ignoreDeadLinks: ['localhostLinks'],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Without this, esbuild reads tsconfig.json, whose target it does not know yet.
  vite: { esbuild: { tsconfigRaw: {} }, plugins: [latinFonts, packages.describe] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/getting-started' },
      { text: 'Reference', link: '/command-line' },
      { text: 'Architecture', link: '/architecture/' },
    ],
    sidebar: [
      {
        text: 'Start',
        items: [
          { text: 'Overview', link: '/overview' },
          { text: 'Getting started', link: '/getting-started' },
          { text: 'Content types', link: '/content-types' },
          { text: 'Modelling', link: '/modelling' },
          { text: 'Changing types', link: '/changing-types' },
          { text: 'A change step by step', link: '/types-walkthrough' },
        ],
      },
      {
        text: 'APIs',
        items: [
          { text: 'Content management API', link: '/cma' },
          { text: 'Predicates', link: '/predicates' },
          { text: 'History', link: '/history' },
          { text: 'Releases and drafts', link: '/releases' },
          { text: 'Preview', link: '/preview' },
          { text: 'Feed of changes', link: '/feed' },
          { text: 'GraphQL endpoints', link: '/graphql' },
          { text: 'REST endpoints', link: '/rest-endpoints' },
          { text: 'Files', link: '/files' },
          { text: 'Webhooks', link: '/webhooks' },
          { text: 'Agents', link: '/agents' },
          { text: 'Admin API', link: '/admin-api' },
        ],
      },
      {
        text: 'Tools',
        items: [
          { text: 'Admin UI', link: '/admin-ui' },
          { text: 'Typed client', link: '/client' },
          { text: 'Front ends', link: '/front-ends' },
          { text: 'Checking types', link: '/checking-types' },
          { text: 'Moving from other systems', link: '/moving-in' },
          { text: 'Moving content', link: '/moving-content' },
          { text: 'Runs', link: '/runs' },
          { text: 'Configuration as files', link: '/configuration-as-files' },
          { text: 'Contract tests', link: '/contract-tests' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Command line', link: '/command-line' },
          { text: 'Configuration', link: '/configuration' },
          { text: 'Signing in', link: '/sign-in' },
          { text: 'Operating', link: '/operating' },
          { text: 'Production', link: '/production' },
          { text: 'Upgrading', link: '/upgrading' },
          { text: 'As a library', link: '/embedding' },
          { text: 'Backups', link: '/backup' },
          { text: 'Glossary', link: '/glossary' },
        ],
      },
      {
        text: 'Architecture',
        collapsed: true,
        items: [
          { text: 'Overview', link: '/architecture/' },
          { text: 'Mechanisms', link: '/architecture/mechanisms' },
          { text: 'Stores', link: '/architecture/stores' },
          { text: 'Backups', link: '/architecture/backups' },
          { text: 'Costs', link: '/architecture/costs' },
          { text: 'Dependencies', link: '/architecture/dependencies' },
          { text: 'Tests', link: '/architecture/tests' },
          { text: 'The MongoDB server of the tests', link: '/architecture/test-server' },
        ],
      },
    ],
  },
});
