/**
 * The container image: the steps of `deploy/Containerfile` run in empty folders, and the server starts from the result as its ENTRYPOINT
 * and CMD say. No container engine takes part, so base images, layers and the isolation of containers are not tested.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyCheckout } from '../support/clean-checkout.ts';
import { buildImage, canBuildImages, type Image } from '../support/container-build.ts';
import { findFreePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/opened.ts';

/** Installs all packages twice, and builds the admin UI, the guide and the server. */
const buildTimeoutMs = 900_000;

const isPossible = canBuildImages();
if (!isPossible && process.env.CI)
  throw new Error('Building the image needs root and the permission to mount');

describe.skipIf(!isPossible)(`the image${isPossible ? '' : ' (skipped: no permission to mount)'}`, () => {
  const checkout = temporaryFolder();
  let image: Image;
  let server: ChildProcess;
  let url: string;
  let environment: Record<string, string>;
  let printed = '';

  beforeAll(async () => {
    copyCheckout(checkout);
    image = await buildImage(readFileSync(join(checkout, 'deploy/Containerfile'), 'utf8'), checkout);
    const port = await findFreePort();
    url = `http://127.0.0.1:${port}`;
    environment = { COLOPHON_PORT: `${port}`, COLOPHON_CLIENT_ID: 'one', COLOPHON_CLIENT_SECRET: 'first' };
  }, buildTimeoutMs);
  afterAll(() => {
    server?.kill('SIGKILL');
    image?.remove();
  });

  /** Runs the command of HEALTHCHECK; resolves with its exit code. */
  async function checkHealth(): Promise<number> {
    const [exitCode] = await once(image.start(image.settings.healthcheck ?? [], environment), 'close');
    return exitCode;
  }
  const start = () => {
    const { entrypoint = [], command = [] } = image.settings;
    server = image.start([...entrypoint, ...command], environment);
    for (const stream of [server.stdout, server.stderr]) {
      stream?.on('data', (more: Buffer) => {
        printed += more;
      });
    }
  };
  const stop = async () => {
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    const [exitCode] = await ended;
    return exitCode;
  };
  const compiled = () => globSync('var/cache/colophon/*/*', { cwd: image.root });

  it('has the published files with the packages that run them, and no more', () => {
    const folder = join(image.root, 'opt/colophon');
    for (const path of ['dist/server/launch.cjs', 'dist/admin/index.html', 'dist/docs/production.html'])
      expect(existsSync(join(folder, path))).toBe(true);
    expect(globSync('src/*', { cwd: folder })).toEqual(['src/client']);
    expect(existsSync(join(folder, 'node_modules/mongodb'))).toBe(true);
    expect(existsSync(join(folder, 'node_modules/typescript'))).toBe(false);
    const size = execFileSync('du', ['-sm', folder], { encoding: 'utf8' });
    expect(Number.parseInt(size, 10)).toBeLessThan(80);
  });

  it('starts as a user who cannot change the program, and is healthy', async () => {
    const known = compiled();
    expect(known.length).toBeGreaterThan(200);
    start();
    await vi.waitUntil(async () => (await checkHealth()) === 0, { timeout: 60_000, interval: 100 });
    expect(readFileSync(`/proc/${server.pid}/status`, 'utf8')).toMatch(/^Uid:\s+1000\s+1000\s/m);
    expect(statSync(join(image.root, 'opt/colophon/dist/server/launch.cjs'))).toMatchObject({ uid: 0 });
    expect(existsSync(join(image.root, `${image.settings.volume}`, 'colophon.db'))).toBe(true);
    // Without this line the server would listen on the container's own loopback interface only.
    expect(printed).toContain(`listening on http://0.0.0.0:${environment.COLOPHON_PORT}`);
    for (const path of ['/admin', '/docs/guide']) {
      const page = await fetch(url + path);
      expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    }
    expect(await stop()).toBe(0);
    expect(await checkHealth()).toBe(1);
    // What was compiled now is what the pages need beyond a start.
    expect(compiled().filter((path) => !known.includes(path)).length).toBeLessThan(known.length / 10);
  });

  it('keeps content in its volume', async () => {
    const contents = `${url}/api/rest/cma/contents`;
    const headers = { Authorization: 'Bearer one.first', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ _type: 'com.colophon.cms.db.Text', name: 'Kept' });
    start();
    await vi.waitUntil(async () => (await checkHealth()) === 0, { timeout: 60_000, interval: 100 });
    const created = await fetch(contents, { method: 'POST', headers, body });
    expect(created.status).toBe(200);
    expect(await stop()).toBe(0);
    start();
    await vi.waitUntil(async () => (await checkHealth()) === 0, { timeout: 60_000, interval: 100 });
    const found = await fetch(`${contents}?from=com.colophon.cms.db.Text`, { headers });
    expect(await found.json()).toMatchObject({ result: { count: 1, items: [{ name: 'Kept' }] } });
    expect(await stop()).toBe(0);
  });

  it('runs the other commands of the command line', async () => {
    const { entrypoint = [] } = image.settings;
    const command = image.start([...entrypoint, 'verify'], environment);
    let output = '';
    command.stdout?.on('data', (more: Buffer) => {
      output += more;
    });
    const [exitCode] = await once(command, 'close');
    expect([exitCode, output]).toEqual([0, expect.stringContaining('no damage')]);
  });
});
