/** Imports and exports that are interrupted: by Ctrl-C, by a full disk, by a reader that closes the pipe. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandLine } from '../../support/command-line.ts';
import type { TestInstance } from '../../support/instance.ts';
import { type StoreLocation, sqliteLocation } from '../../support/stores.ts';
import { texts, textType } from './content.ts';
import { startFaultyProxy } from './faulty-proxy.ts';
import {
  createWorkspace,
  onServer,
  onStore,
  run,
  type Site,
  start,
  summaryOf,
  type Workspace,
} from './workspace.ts';

const count = 400;

// Each test starts several processes.
vi.setConfig({ testTimeout: 600_000 });

let work: Workspace;
let location: StoreLocation;
let instance: TestInstance;
let site: Site;
beforeEach(async () => {
  work = createWorkspace();
  location = sqliteLocation();
  instance = await work.serve(location);
  site = onServer(instance);
});
afterEach(() => work.stop());

async function namesThere(): Promise<unknown[]> {
  const { stdout } = await run('export', onServer(instance), ['--from', textType]);
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).name]));
}

/** Runs a shell script in which "$@" is the command. */
async function shell(script: string, words: readonly string[], { environment, words: at } = site) {
  const command = ['-c', script, 'sh', process.execPath, commandLine, ...words, ...at];
  const child = spawn('sh', command, { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  return { status: child.exitCode, stdout, stderr };
}

describe('Ctrl-C', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '(%s) waits for the batches in progress, and the next run continues',
    async (signal) => {
      let seen: (value?: unknown) => void = () => {};
      const second = new Promise((resolve) => {
        seen = resolve;
      });
      const proxy = await startFaultyProxy(instance.url, async ({ number }) => {
        if (number === 2) seen();
        await sleep(100);
        return 'pass' as const;
      });
      const file = work.input(texts(count));
      const words = [file, '--batch-size', '10', '--concurrency', '2', '--json'];
      const slow = onServer({ ...instance, url: proxy.url });
      const importing = start('import', slow, words);
      await second;
      importing.signal(signal);
      const first = await importing.ended;
      expect(first.exitCode).toBe(1);
      expect(first.stderr).toContain('stopping after what is under way');
      expect(first.stderr).toMatch(
        /stopped\nThe import reached line \d+; run the same command again to continue/,
      );
      const { created } = summaryOf(first);
      expect(created % 10).toBe(0);
      expect(await namesThere()).toHaveLength(created);
      const last = await run('import', slow, words);
      expect(summaryOf(last)).toMatchObject({ complete: true, created: count });
      expect(new Set(await namesThere()).size).toBe(count);
      expect(proxy.requests).toHaveLength(count / 10);
      await proxy.stop();
    },
  );

  it('pressed twice stops at once, even while the target hangs, and causes no duplicates', async () => {
    let arrived: (value?: unknown) => void = () => {};
    const hanging = new Promise((resolve) => {
      arrived = resolve;
    });
    const proxy = await startFaultyProxy(instance.url, () => {
      arrived();
      return new Promise(() => {});
    });
    const file = work.input(texts(count));
    const importing = start('import', onServer({ ...instance, url: proxy.url }), [file]);
    await hanging;
    importing.signal('SIGINT');
    while (!importing.stderr().includes('stopping')) await sleep(5);
    importing.signal('SIGINT');
    expect(await importing.ended).toMatchObject({ exitCode: 1 });
    const port = Number(new URL(proxy.url).port);
    await proxy.stop();
    const healed = await startFaultyProxy(instance.url, () => 'pass', port);
    expect(await run('import', onServer({ ...instance, url: healed.url }), [file])).toMatchObject({
      exitCode: 0,
    });
    expect(await namesThere()).toHaveLength(count);
    await healed.stop();
  });

  it('stops an import that waits for standard input', async () => {
    const words = ['import', '-', '--json', '--batch-size', '100', ...site.words];
    const child = spawn(process.execPath, [commandLine, ...words], {
      env: { ...site.environment },
      cwd: work.path('.'),
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    const lines = texts(20_000).map((line) => `${JSON.stringify(line)}\n`);
    // More than a pipe holds, so the import has begun to read it.
    await new Promise((resolve) => child.stdin.write(lines.join(''), resolve));
    child.kill('SIGINT');
    const [stdout, stderr, [exitCode]] = await ended;
    expect([exitCode, stdout, stderr]).toEqual([1, '', expect.stringContaining('stopped')]);
    // It is read to its end before the first line is sent.
    expect(await namesThere()).toEqual([]);
  });

  it('stops an export, which leaves no file', async () => {
    await run('import', site, [work.input(texts(count))]);
    const proxy = await startFaultyProxy(instance.url, ({ number }) =>
      sleep(number * 50).then(() => 'pass' as const),
    );
    const out = work.path('out.ndjson');
    const exporting = start('export', onServer({ ...instance, url: proxy.url }), [
      '--from',
      textType,
      '--out',
      out,
    ]);
    while (proxy.requests.length === 0) await sleep(5);
    exporting.signal('SIGINT');
    expect(await exporting.ended).toMatchObject({ exitCode: 1 });
    expect(readdirSync(work.path('.')).filter((name) => name.startsWith('out'))).toEqual([]);
    await proxy.stop();
  });
});

/** Mounts a file system of the given size; returns false where this user may not mount. */
function mountSmall(path: string, bytes: number): boolean {
  mkdirSync(path);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', path]).status === 0;
}

describe('a full disk', () => {
  it('stops an import that cannot write its journal; the next run completes it', async () => {
    const file = work.input(texts(count));
    const words = ['import', file, '--batch-size', '10', '--json', '--concurrency', '2'];
    // The limit stops every file at 400 KB, as a full disk would.
    const first = await shell(`trap '' XFSZ; ulimit -f 800; exec "$@"`, words);
    expect(first.stderr).toMatch(/the journal cannot be written: (database or disk is full|disk I\/O error)/);
    expect(first.status).toBe(1);
    const last = await run('import', site, words.slice(1));
    expect(last.stderr).toContain('going on behind line');
    expect(summaryOf(last)).toMatchObject({ complete: true, created: count });
    expect(new Set(await namesThere()).size).toBe(count);
    expect(await namesThere()).toHaveLength(count);
  });

  it('makes an import say that it cannot write its report; the next run writes it', async () => {
    const disk = work.path('small');
    const isMounted = mountSmall(disk, 4096);
    const file = work.input([...texts(3), JSON.stringify({ _type: 'nope', name: 'x'.repeat(10_000) })]);
    try {
      if (isMounted) {
        const { exitCode, stderr } = await run('import', site, [file, '--report', join(disk, 'report')]);
        expect([exitCode, stderr]).toEqual([1, expect.stringContaining('ENOSPC')]);
        expect(readdirSync(disk)).toEqual([]);
      }
    } finally {
      if (isMounted) execFileSync('umount', [disk]);
    }
    expect(await run('import', site, [file, '--report', join(disk, 'report')])).toMatchObject({
      exitCode: 1,
    });
    expect(work.lines('small/report')).toMatchObject([{ line: 4 }]);
    expect(await namesThere()).toHaveLength(3);
  });

  it('makes an export fail without a file that looks complete', async () => {
    await run('import', site, [work.input(texts(count))]);
    const out = work.path('out.ndjson');
    writeFileSync(out, 'before\n');
    const limited = await shell(`trap '' XFSZ; ulimit -f 8; exec "$@"`, [
      'export',
      '--from',
      textType,
      '--out',
      out,
    ]);
    expect([limited.status, limited.stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect(readdirSync(work.path('.')).filter((name) => name.startsWith('out'))).toEqual(['out.ndjson']);
    expect(existsSync('/dev/full')).toBe(true);
    const full = await shell('exec "$@" > /dev/full', ['export', '--from', textType]);
    expect([full.status, full.stderr]).toEqual([1, expect.stringContaining('ENOSPC')]);
    rmSync(out);
  });
});

describe('standard input and output', () => {
  it('of an export may be closed early by the reader', async () => {
    await run('import', site, [work.input(texts(count))]);
    const piped = await shell(`"$@" | head -n 1; echo done`, ['export', '--from', textType]);
    expect(piped.stderr).toBe('');
    expect(piped.stdout.split('\n')).toEqual([expect.stringContaining('"_id"'), 'done', '']);
  });

  it.each(['files list', 'user list', 'runs list'])(
    'of %s may be closed before the first line',
    async (words) => {
      const isGone = `sh -c 'exec 0<&-; sleep 2'`;
      const piped = await shell(`"$@" | ${isGone}; echo done`, words.split(' '), onStore(location));
      expect([piped.stderr, piped.stdout]).toEqual(['', 'done\n']);
    },
  );

  it('that cannot be written makes any command fail', async () => {
    const full = await shell('exec "$@" > /dev/full', ['user', 'list'], onStore(location));
    expect([full.status, full.stderr]).toEqual([1, expect.stringContaining('ENOSPC')]);
    expect(full.stderr).not.toMatch(/^\s+at /m);
  });

  it('connect an export to an import, without a journal', async () => {
    work.input(texts(count));
    const piped = await shell(`cat ${work.path('input.ndjson')} | (cd ${work.path('.')} && "$@")`, [
      'import',
      '-',
    ]);
    expect(piped).toMatchObject({ status: 0, stdout: `created ${count}, updated 0, failed 0\n` });
    expect(readdirSync(work.path('.'))).toEqual(['input.ndjson']);
  });

  it('with --journal let a second run with the same input continue', async () => {
    const file = work.input(texts(count));
    const words = [
      'import',
      '-',
      '--journal',
      work.path('journal'),
      '--batch-size',
      '10',
      '--attempts',
      '1',
      '--json',
    ];
    let isFailing = true;
    const action = (n: number) => (isFailing && n > 5 ? 'cut after' : 'pass');
    const proxy = await startFaultyProxy(instance.url, ({ number }) => action(number));
    site = onServer({ ...instance, url: proxy.url });
    const first = await shell(`"$@" < ${file}`, words);
    expect([first.status, first.stderr]).toEqual([
      1,
      expect.stringContaining('run the same command again to continue'),
    ]);
    isFailing = false;
    expect((await shell(`tac ${file} | "$@"`, words)).stderr).toContain('the input has changed');
    expect(await shell(`cat ${file} | "$@"`, words)).toMatchObject({ status: 0 });
    expect(new Set(await namesThere()).size).toBe(count);
    expect(await namesThere()).toHaveLength(count);
    await proxy.stop();
  });
});
