/**
 * Does what docs/moving-in.md says for each system: runs the commands that export and convert, starts the server, imports, publishes the
 * route and prints the page.
 *
 * `npx` is this checkout's programs. The programs and the servers of the other systems are scripts that copy a small source.
 */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import { compileCache } from '../../support/compile-cache.ts';
import { findFreePort } from '../../support/free-port.ts';
import { readPage, stepsOf } from '../../support/guide.ts';
import { sectionOf } from '../../support/markdown.ts';
import { hostPath, startScript, untilServing } from '../../support/shell.ts';

const page = readPage('docs/moving-in.md');
const sources = join(import.meta.dirname, 'sources');
const importer = join(import.meta.dirname, '../../../src/importers/main.ts');

/** What the program of another system writes. */
const npx = `#!/bin/sh
set -e
case "$1" in
colophon) shift; exec '${process.execPath}' '${commandLine}' "$@" ;;
colophon-import) shift; exec '${process.execPath}' '${importer}' "$@" ;;
contentful) cp '${sources}/contentful.json' contentful.json ;;
sanity) tar -czf sanity.tar.gz -C '${sources}/sanity' . ;;
strapi) tar -czf strapi.tar.gz -C '${sources}/strapi' . ;;
directus) cp -r '${sources}/directus/.' directus ;;
*) exit 1 ;;
esac
`;

/** The answers of another system; all other requests are sent. */
const curl = `#!/bin/sh
set -e
case "$*" in
*https://cms.example.com*)
  while [ "$1" != -o ]; do shift; done
  mkdir -p "$(dirname "$2")"
  cp "${sources}/strapi-$2" "$2" || cp "${sources}/$2" "$2" ;;
*) PATH='${hostPath}' exec curl "$@" ;;
esac
`;

/** The chapters, each with the files that a reader has and with the titles in the page. */
const chapters = [
  ['WordPress', { 'wordpress.xml': 'export.xml' }, ['The new ferry']],
  ['Contentful', {}, ['the-ferry']],
  ['Sanity', {}, ['Second', 'The ferry']],
  ['Strapi', {}, ['The ferry']],
  ['Strapi over REST', {}, ['The ferry']],
  ['Directus', {}, ['The ferry']],
  ['Tables and lists', { 'products.csv': 'products.csv' }, ['Anchor', 'Rope, 10 m']],
  ['Markdown', { markdown: 'blog' }, ['The first ferry', 'The pier']],
] as const;

describe.each(chapters)('%s', (heading, files, titles) => {
  it('leads from an export to a page', { timeout: 120_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'colophon-moving-in-'));
    const port = await findFreePort();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll(':4000', `:${port}`));
    };
    for (const [name, text] of Object.entries({ npx, curl })) {
      write(`bin/${name}`, text);
      chmodSync(join(folder, 'bin', name), 0o755);
    }
    for (const [source, name] of Object.entries(files))
      cpSync(join(sources, source), join(folder, name), { recursive: true });
    const start = (command: string) =>
      startScript(command.replaceAll(':4000', `:${port}`), {
        cwd: folder,
        environment: {
          ...compileCache,
          PATH: [join(folder, 'bin'), dirname(process.execPath), hostPath].join(delimiter),
          COLOPHON_PORT: `${port}`,
          COLOPHON_LOG_LEVEL: 'silent',
        },
      });
    const stops: (() => Promise<unknown>)[] = [];
    try {
      let printed = '';
      const run = async (command: string) => {
        const { exitCode, output } = await start(command).ended;
        expect(exitCode, `${command}: ${output}`).toBe(0);
        printed = output;
      };
      const [firstPart = ''] = sectionOf(page, 'Steps').split('When the other system has changed');
      for (const step of [...stepsOf(sectionOf(page, heading)), ...stepsOf(firstPart)]) {
        if (step.kind === 'write') write(step.path, step.text);
        else if (step.command.includes('colophon serve'))
          stops.push((await untilServing(start(step.command))).stop);
        // A server notices within a second what another process has published.
        else if (step.command.startsWith('node ')) await vi.waitFor(() => run(step.command), 20_000);
        else await run(step.command);
      }
      expect(printed).toBe(titles.map((title) => `<h2>${title}</h2>\n`).join(''));
    } finally {
      for (const stop of stops) await stop();
      rmSync(folder, { recursive: true });
    }
  });
});
