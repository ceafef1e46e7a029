/** `colophon completion`: what the printed script completes, in a real bash. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

const folder = temporaryFolder();

beforeAll(async () => {
  writeFileSync(join(folder, 'content.jsonl'), '');
  mkdirSync(join(folder, 'own'));
  const own = 'type Tea implements Content @was(class: "org.own.Leaf") @contentType(class: "org.own.Tea") {';
  writeFileSync(join(folder, 'own', 'tea.graphql'), own);
  const { exitCode, stdout } = await runCommand(['completion', 'bash']);
  expect(exitCode).toBe(0);
  writeFileSync(join(folder, 'bash'), stdout);
});

/** What bash offers at the end of a line. */
function complete(line: string, environment: Record<string, string> = {}): string[] {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: bash expands it.
  const script = 'source ./bash; COMP_LINE=$1; COMP_POINT=${#1}; _colophon; printf "%s\\n" "${COMPREPLY[@]}"';
  const output = execFileSync('bash', ['-c', script, 'bash', line], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, COLOPHON_TYPES: '', ...environment },
  });
  return output.split('\n').filter((word) => word !== '');
}

it.each<[line: string, offered: string[]]>([
  ['colophon cl', ['client', 'clock']],
  ['colophon client re', ['revoke', 'remove-key']],
  ['colophon client create --n', ['--name']],
  ['colophon client create --name "Web site" --s', ['--scope', '--site']],
  ['colophon client create --scope m', ['metrics']],
  // Bash keeps what is before the colon.
  ['colophon client create --scope cma:', ['read', 'write', 'draft']],
  ['colophon completion b', ['bash']],
  ['colophon import c', ['content.jsonl']],
  ['colophon export --out c', ['content.jsonl']],
  ['colophon help doct', ['doctor']],
  ['colophon list-types --nothing', []],
  ['colophon show-type com.example.news.A', ['com.example.news.Article', 'com.example.news.Author']],
  ['colophon export --from com.colophon.cms.db.', ['com.colophon.cms.db.Site', 'com.colophon.cms.db.Text']],
  ['colophon audit --type com.example.news.P', ['com.example.news.Page']],
  ['colophon export --types own --from ', ['com.colophon.cms.db.Site', 'org.own.Tea']],
  ['colophon export --types=own --from org.', ['org.own.Tea']],
])('bash completes %s', (line, offered) => {
  expect(complete(line)).toEqual(offered);
});

it('bash completes class names from the folder in COLOPHON_TYPES', () => {
  expect(complete('colophon show-type org.', { COLOPHON_TYPES: 'own' })).toEqual(['org.own.Tea']);
});

it('another shell is refused', async () => {
  const { exitCode, stderr } = await runCommand(['completion', 'csh']);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('completion takes bash, not csh')]);
});
