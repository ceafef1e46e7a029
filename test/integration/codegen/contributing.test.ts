/** Does in a copy of the checkout what CONTRIBUTING.md says under "What the compiler asks for", and compares what codegen and the compiler say. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { readPage } from '../../support/guide.ts';
import { temporaryFolder } from '../../support/opened.ts';

const checkout = temporaryFolder();
beforeAll(() => {
  copyCheckout(checkout);
});

/** What a command says is wrong, a line each. */
function run(script: string): string[] {
  const { stdout, stderr } = spawnSync('npm', ['run', script], { cwd: checkout, encoding: 'utf8' });
  return `${stdout}${stderr}`.split('\n').filter((line) => /^codegen: |error TS/.test(line));
}

/** A part of the text up to the end of a block of code, if one follows, and what it names. */
const parts = [
  ...(/^## What the compiler asks for$([\s\S]*?)^## /m.exec(readPage('CONTRIBUTING.md'))?.[1] ?? '').matchAll(
    /In `([^`]+)`, below `([^`]+)`(, in place of the line)?:\n\n```\w+\n([\s\S]*?)```|(`npm run [\s\S]*?)(?:report[s]? nothing|:\n\n```text\n([\s\S]*?)```)/g,
  ),
].map(([, file, line, replaces, code, commands, output = '']) => ({
  file,
  line,
  replaces,
  code,
  commands,
  output,
}));

/** Inserts a block below a line, in place of the line there if the text says so. */
function edit(
  path: string,
  { line, code, replaces }: { line: string; code: string; replaces: boolean },
): void {
  const file = join(checkout, path);
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.indexOf(line);
  expect([path, line, at]).not.toEqual([path, line, -1]);
  writeFileSync(file, lines.toSpliced(at + 1, replaces ? 1 : 0, code.replace(/\n$/, '')).join('\n'));
}

const toPattern = (line: string) => new RegExp(`^${line.split('…').map(RegExp.escape).join('.*')}$`);

it('says what the page shows', () => {
  expect(parts.length).toBeGreaterThan(9);
  for (const { file, line, replaces, code, commands = '', output } of parts) {
    if (file !== undefined && line !== undefined && code !== undefined)
      edit(file, { line, code, replaces: replaces !== undefined });
    const scripts = [...commands.matchAll(/`npm run (\w+)`/g)].map(([, script = '']) => script);
    const said = scripts.map(run).at(-1) ?? [];
    const shown = output.split('\n').filter((text) => text !== '');
    expect([commands, said]).toEqual([commands, shown.map((text) => expect.stringMatching(toPattern(text)))]);
  }
});
