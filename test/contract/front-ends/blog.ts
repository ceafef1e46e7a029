/** The blog of a user: a project by `colophon init` of the published package, its server, and a browser that visits its site. */
import { execFileSync } from 'node:child_process';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath } from '../../support/browser.ts';
import { findFreePort } from '../../support/free-port.ts';
import type { Running, Serving } from '../../support/shell.ts';
import { createProject, type Project } from '../published/published-package.ts';

/** The project with its server. */
export interface Blog {
  readonly project: Project;
  readonly browser: Browser;
  /** The address of the server. */
  readonly url: string;
  /** The address of the site. */
  readonly site: string;
  startServer(): Promise<Serving>;
  /** Starts the site by a command, and waits until it answers. */
  startSite(command: string): Promise<void>;
  /** The ID of the post "Hello". */
  findPost(): Promise<string>;
  /** Changes fields of an asset, live or in a release. */
  update(id: string, changes: object, release?: string): Promise<void>;
  /** Uploads a picture 1,000 pixels wide; returns what a field of the type `File` takes. */
  uploadPicture(): Promise<{ hash: string }>;
  createLink(): Promise<{ id: string; token: string }>;
  revokeLink(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Why these tests cannot run here; `undefined` if they can. Fails under CI. */
export async function findObstacle(): Promise<string | undefined> {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const isReachable = await fetch(new URL('react', registry), { method: 'HEAD' }).then(
    ({ ok }) => ok,
    () => false,
  );
  const obstacle = isReachable
    ? chromiumPath
      ? undefined
      : 'Chromium is missing'
    : `${registry} does not answer`;
  if (obstacle && process.env.CI) throw new Error(obstacle);
  return obstacle;
}

/** Makes the project; `init` is the command, and its port is free. */
export async function createBlog(init: string): Promise<Blog> {
  const project = await createProject();
  const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  const [port, sitePort] = [await findFreePort(), await findFreePort()];
  const [url, site] = [`http://127.0.0.1:${port}`, `http://localhost:${sitePort}`];
  const environment = { COLOPHON_PORT: `${port}`, PORT: `${sitePort}`, NEXT_TELEMETRY_DISABLED: '1' };
  // The host may have an older Node.js than the server and the sites need.
  for (const command of ['npm install colophon node@24', init]) {
    const { exitCode, output } = await project.run(command, environment);
    if (exitCode !== 0) throw new Error(`${command}: ${output}`);
  }
  project.write('.env', project.read('.env').replaceAll(/http:\/\/localhost:\d+/g, site));
  const [, secret] = /^COLOPHON_CLIENT_SECRET=(.*)$/m.exec(project.read('.env')) ?? [];
  const call = async (path: string, { method = 'GET', body }: { method?: string; body?: unknown } = {}) => {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(`${url}/api/${path}`, {
      method,
      headers: {
        Authorization: `Bearer blog.${secret}`,
        ...(body ? { 'Content-Type': isBytes ? 'image/png' : 'application/json' } : {}),
      },
      ...(body ? { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  const contents = 'rest/cma/contents';
  let running: Running | undefined;
  return {
    project,
    browser,
    url,
    site,
    startServer: () => project.serve('npm start', { COLOPHON_PORT: `${port}`, COLOPHON_LOG_LEVEL: 'info' }),
    async startSite(command) {
      running = project.start(command, { ...environment, COLOPHON_URL: url });
      const deadline = Date.now() + 60_000;
      // Its page for 404 needs no content.
      while (!(await isAnswered(`${site}/nowhere`))) {
        if (Date.now() > deadline) throw new Error(`The site does not answer: ${running.output()}`);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
    async findPost() {
      const where = encodeURIComponent("slug = 'hello'");
      return (await call(`${contents}?from=org.example.Post&where=${where}`)).result.items[0]._id;
    },
    async update(id, changes, release) {
      const query = release === undefined ? '' : `?release=${release}`;
      await call(`${contents}/${id}${query}`, { method: 'PUT', body: changes });
    },
    async uploadPicture() {
      const create = { width: 1000, height: 400, channels: 3, background: '#3366aa' } as const;
      const body = await sharp({ create }).png().toBuffer();
      const { result } = await call(`${contents}/files?name=field.png`, { method: 'POST', body });
      return { hash: result.hash };
    },
    createLink: () => call('admin/releases/drafts/preview-links', { method: 'POST', body: {} }),
    revokeLink: (id) => call(`admin/releases/drafts/preview-links/${id}`, { method: 'DELETE' }),
    async stop() {
      running?.signal('SIGKILL', 'all');
      await browser.close();
      await project.remove();
    },
  };
}

const isAnswered = (url: string) =>
  fetch(url).then(
    () => true,
    () => false,
  );
