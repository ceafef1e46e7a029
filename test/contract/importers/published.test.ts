/** The published package `colophon-import`, packed from a clean checkout and installed into an empty folder: it converts each source. */
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { temporaryFolder } from '../../support/opened.ts';
import { hostPath, startScript } from '../../support/shell.ts';

const place = temporaryFolder();
const project = join(place, 'project');

async function run(script: string, cwd = project): Promise<string> {
  const environment = { HOME: process.env.HOME ?? place, PATH: hostPath, npm_config_loglevel: 'error' };
  const { exitCode, output } = await startScript(script, { cwd, environment }).ended;
  expect(exitCode, output).toBe(0);
  return output;
}

beforeAll(async () => {
  copyCheckout(join(place, 'checkout'));
  mkdirSync(project);
  await run(`npm pack --pack-destination ${place}`, join(place, 'checkout/src/importers'));
  await run(`npm install --no-audit --no-fund ${place}/colophon-import-*.tgz`);
  cpSync(join(import.meta.dirname, 'sources'), join(project, 'sources'), { recursive: true });
});

it('has the program, and nothing of the server', () => {
  const files = readdirSync(join(project, 'node_modules/colophon-import'), { recursive: true });
  expect(files).toContain('dist/main.js');
  expect(
    files.map(String).filter((name) => !/^(dist|package\.json$|README\.md$|LICENSE$)/.test(name)),
  ).toEqual([]);
  expect(readdirSync(join(project, 'node_modules'))).not.toContain('colophon');
});

it.each([
  ['wxr', 'wordpress.xml'],
  ['contentful', 'contentful.json'],
  ['sanity', 'sanity'],
  ['strapi', 'strapi'],
  ['directus', 'directus'],
  ['csv', 'products.csv'],
  ['json', 'talks.json'],
  ['markdown', 'markdown'],
])('converts %s', async (format, source) => {
  const out = `converted-${format}`;
  expect(await run(`npx colophon-import ${format} sources/${source} --out ${out}`)).toMatch(
    /has [1-9]\d* assets/,
  );
  expect(readFileSync(join(project, out, 'types/content.graphql'), 'utf8')).toContain('@contentType(class: ');
});
