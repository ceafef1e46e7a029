/**
 * The guide: its navigation, and how it is built into dist/docs. The server serves it at /docs/guide.
 */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { describeBundle } from '../../bundled-packages.ts';
import { guidePages } from '../../src/admin/find/guide-pages.ts';

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
    sidebar: guidePages,
  },
});
