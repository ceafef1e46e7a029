/** What a newcomer meets first: the file `.env`, and settings that cannot work. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Environment, runCommand } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/opened.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const inFolder = (words: readonly string[], environment: Environment = {}) =>
  runCommand(words, environment, { cwd: folder });
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

describe('the file .env of the folder', () => {
  it('sets variables that are not set, and says which', async () => {
    write('.env', '# Settings\nCOLOPHON_DATA_DIR="from file"\nCOLOPHON_LOG_LEVEL=error\nOTHER=1\n');
    const created = await inFolder(['client', 'create', '--name', 'A', '--json']);
    expect(created).toMatchObject({
      exitCode: 0,
      stderr: 'colophon: .env sets COLOPHON_DATA_DIR, COLOPHON_LOG_LEVEL\n',
    });
    expect(JSON.parse(created.stdout)).toEqual({ clientId: expect.any(String), secret: expect.any(String) });
    expect(existsSync(join(folder, 'from file/colophon.db'))).toBe(true);
    const environment = { COLOPHON_DATA_DIR: join(folder, 'given'), COLOPHON_LOG_LEVEL: 'info' };
    expect(await inFolder(['client', 'list'], environment)).toMatchObject({
      stderr: expect.not.stringContaining('.env'),
    });
  });

  it('is a file: a folder of this name is left alone', async () => {
    mkdirSync(join(folder, '.env'));
    expect((await inFolder(['client', 'list'])).stderr).not.toContain('.env');
  });
});

describe('a setting that cannot work is named', () => {
  const refusal = async (environment: Environment, command = 'serve') => {
    const { exitCode, stdout, stderr } = await inFolder([command], { COLOPHON_PORT: '0', ...environment });
    expect([exitCode, stdout]).toEqual([1, '']);
    return stderr;
  };

  it.each([
    [
      { COLOPHON_DATA_DIR: 'file' },
      'COLOPHON_DATA_DIR is file, which is a file, and must be a folder (EEXIST)',
    ],
    [{ COLOPHON_TYPES: 'none' }, 'The types folder none does not exist (ENOENT)'],
    [{ COLOPHON_TYPES: 'file' }, 'The types folder file is a file, and must be a folder (ENOTDIR)'],
    [
      { COLOPHON_TYPES: 'empty' },
      'The types folder empty has no file whose name ends with .graphql, and is empty',
    ],
    [
      { COLOPHON_TYPES: 'other' },
      'The types folder other has no file whose name ends with .graphql: it has a.gql, b.txt',
    ],
    [
      { COLOPHON_HOST: '192.0.2.1' },
      'COLOPHON_HOST is 192.0.2.1, which is no address of this machine (EADDRNOTAVAIL)',
    ],
    [
      { COLOPHON_MONGODB_URL: 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=100' },
      'The store is busy: MongoDB cannot be reached at COLOPHON_MONGODB_URL: connect ECONNREFUSED 127.0.0.1:1',
    ],
  ])('%o', async (environment, message) => {
    write('file', '');
    for (const name of ['empty', 'other']) mkdirSync(join(folder, name));
    for (const name of ['other/a.gql', 'other/b.txt']) write(name, '');
    expect(await refusal(environment)).toBe(`colophon: ${message}\n`);
  });

  it('a port that another program uses, before the demo loads anything', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = Object(other.address());
    const message = `COLOPHON_PORT is ${port}, which another program uses at 127.0.0.1 (EADDRINUSE)`;
    expect(await refusal({ COLOPHON_PORT: String(port) }, 'demo')).toBe(`colophon: ${message}\n`);
    other.close();
    const { stdout } = await inFolder(['client', 'list', '--json'], { COLOPHON_DATA_DIR: 'data/demo' });
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('types other than those of the demo, before it opens the store of a project', async () => {
    expect(await refusal({ COLOPHON_TYPES: 'types', COLOPHON_DATA_DIR: 'data' }, 'demo')).toBe(
      'colophon: COLOPHON_TYPES is types, and the demo has its own content types: run it in another folder, or without this variable\n',
    );
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('a file that is not there', async () => {
    expect((await inFolder(['import', 'none.jsonl'])).stderr).toBe(
      'colophon: none.jsonl does not exist (ENOENT)\n',
    );
  });
});
