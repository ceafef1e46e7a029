/** The bundle of a checkout: it is always that of the present sources, and keeps its compiled code. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyCheckout } from '../../support/clean-checkout.ts';
import { type Environment, startCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

const checkout = temporaryFolder();
const builds = () => join(checkout, 'dist/checkout');
const list = (folder: string) => (existsSync(folder) ? readdirSync(folder).sort() : []);

/** Runs a command in the copy of the checkout. */
const run = (environment: Environment = {}) =>
  startCommand(['list-types', 'nothing'], environment, { entry: join(checkout, 'colophon.cjs') }).ended;

/** Changes what this command prints, in the sources. */
function renameCommand(from: string, to: string): void {
  const path = join(checkout, 'src/cli/descriptions/types.ts');
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`name: '${from}'`, `name: '${to}'`));
}

beforeAll(() => {
  copyCheckout(checkout);
});

describe('in a checkout', () => {
  it('the first command builds the bundle, and later ones use it', async () => {
    expect(await run()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('list-types') });
    const [build = '', ...others] = list(builds());
    expect([others, list(join(builds(), build))]).toEqual([
      [],
      expect.arrayContaining([
        'LICENSES.txt',
        'checkpoint-entry.cjs',
        'inspection-entry.cjs',
        'launch.cjs',
        'main.cjs',
        'reader-entry.cjs',
        'writer-entry.cjs',
      ]),
    ]);
    await run();
    expect(list(builds())).toEqual([build]);
  });

  it('only the contract suite and the endpoint for agents load the compiler of JSON Schemas', () => {
    const build = join(builds(), list(builds())[0] ?? '');
    const loading = list(build).filter(
      (name) => name.endsWith('.cjs') && readFileSync(join(build, name), 'utf8').includes('require("ajv'),
    );
    expect(loading).toEqual([expect.stringMatching(/^contract-/), expect.stringMatching(/^protocol-/)]);
  });

  it('two commands at once build one bundle', async () => {
    rmSync(builds(), { recursive: true });
    const outcomes = await Promise.all([run(), run(), run()]);
    expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2]);
    expect(list(builds())).toHaveLength(1);
  });

  it('changed sources are what runs, also when they have become older', async () => {
    const [before] = list(builds());
    renameCommand('list-types', 'enumerate-types');
    expect((await run()).stderr).toContain('there is no command "list-types nothing"');
    const [changed] = list(builds()).filter((build) => build !== before);
    expect(changed).toBeDefined();
    renameCommand('enumerate-types', 'list-types');
    expect((await run()).stderr).not.toContain('there is no command');
  });

  describe('compiled code', () => {
    const refusal = { exitCode: 2, stderr: expect.stringMatching(/^colophon: list-types takes/) };
    const beside = () => join(builds(), list(builds())[0] ?? '', 'compile-cache');
    let other: string;

    beforeAll(async () => {
      rmSync(builds(), { recursive: true });
      await run({ NODE_DISABLE_COMPILE_CACHE: '1' });
    });
    beforeEach(() => {
      rmSync(beside(), { recursive: true, force: true });
      other = mkdtempSync(join(checkout, 'other-'));
    });

    it('is not kept with NODE_DISABLE_COMPILE_CACHE', async () => {
      expect(await run({ NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject(refusal);
      expect(existsSync(beside())).toBe(false);
    });

    it('is kept beside the bundle', async () => {
      expect(await run()).toMatchObject(refusal);
      expect(list(beside())).not.toEqual([]);
    });

    it('is kept in the folder of NODE_COMPILE_CACHE', async () => {
      expect(await run({ NODE_COMPILE_CACHE: other })).toMatchObject(refusal);
      expect([existsSync(beside()), list(other)]).toEqual([false, [expect.any(String)]]);
    });

    it('is kept in the folder of the user when there can be none beside the bundle', async () => {
      writeFileSync(beside(), '');
      expect(await run({ XDG_CACHE_HOME: other })).toMatchObject(refusal);
      expect(list(other)).toEqual(['colophon']);
    });

    it('is not kept where nothing can be written', async () => {
      writeFileSync(beside(), '');
      expect(await run({ XDG_CACHE_HOME: beside() })).toMatchObject(refusal);
    });
  });

  it('sources that the bundler refuses run without it, which says what is wrong', async () => {
    const path = join(checkout, 'src/store/sqlite/schema.ts');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, `${text}\nconst = 1;\n`);
    const { exitCode, stderr } = await run();
    writeFileSync(path, text);
    expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/schema\.ts.*list-types/s)]);
  });

  it('the sources run when the bundler is not installed', async () => {
    rmSync(builds(), { recursive: true });
    rmSync(join(checkout, 'node_modules/rolldown'));
    expect(await run()).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^colophon: list-types takes/),
    });
    expect(list(builds())).toEqual([]);
  });
});
