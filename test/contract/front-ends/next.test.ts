/**
 * `colophon init --with next` of the published package: the site is checked, built and visited in Chromium, with the samples of
 * docs/preview.md among its pages.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.ts';
import { readPage } from '../../support/guide.ts';
import { codeBlocksOf, sectionOf } from '../../support/markdown.ts';
import type { Serving } from '../../support/shell.ts';
import { type Blog, createBlog, findObstacle } from './blog.ts';

/** The members of the picture's element that the test reads. */
interface Image {
  readonly srcset: string;
  readonly currentSrc: string;
  decode(): Promise<void>;
}

const obstacle = await findObstacle();

describe.skipIf(obstacle !== undefined)(
  `init --with next${obstacle ? ` (skipped: ${obstacle})` : ''}`,
  () => {
    let blog: Blog;
    let server: Serving;
    let page: Page;
    beforeAll(async () => {
      blog = await createBlog('npx colophon init --with next');
      for (const { introduction, text } of codeBlocksOf(
        sectionOf(readPage('docs/preview.md'), 'Preview of a page'),
      )) {
        const [, path] = /`(\S+\.tsx?)`:$/.exec(introduction) ?? [];
        blog.project.write(`website/${path}`, `${text}\n`);
      }
      page = await blog.browser.newPage();
    });
    afterAll(() => blog?.stop());

    it('pins the versions of the tools that this version is tested with', () => {
      const { devDependencies: tested } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
      const { devDependencies } = JSON.parse(blog.project.read('website/package.json'));
      const pinned = ['@hey-api/openapi-ts', 'typescript'].map((name) => [name, devDependencies[name]]);
      expect(pinned).toEqual(pinned.map(([name]) => [name, tested[name]]));
      expect(JSON.parse(blog.project.read('package.json')).dependencies.sharp).toBe(tested.sharp);
    });

    it('says what is left to do when npm fails', async () => {
      const failed = await blog.project.run(
        'sh -c "mkdir other && cd other && npx colophon init --with next"',
        {
          npm_config_registry: 'http://127.0.0.1:1',
          npm_config_fetch_retries: '0',
        },
      );
      expect(failed).toEqual({
        exitCode: 1,
        output: expect.stringContaining('run npm install && npm --prefix website install && npm run client'),
      });
    });

    it('makes a site that passes its check and builds without the server', async () => {
      const environment = { NEXT_TELEMETRY_DISABLED: '1', COLOPHON_URL: blog.url };
      for (const script of ['check', 'build'])
        expect(await blog.project.run(`npm --prefix website run ${script}`, environment)).toEqual({
          exitCode: 0,
          output: expect.not.stringContaining('tsconfig.json'),
        });
      const changed = await blog.project.run('npm run client');
      expect(changed).toEqual({ exitCode: 0, output: expect.stringContaining('(up to date)') });
    });

    it('starts beside the server, which its webhook reaches', async () => {
      await blog.startSite('npm --prefix website start');
      expect(await blog.project.run('npm run apply')).toMatchObject({ exitCode: 0 });
      server = await blog.startServer();
      expect(await blog.project.run('npx colophon webhook test Website')).toMatchObject({
        output: expect.stringContaining('status 204'),
      });
      const refused = await fetch(`${blog.site}/api/revalidate`, { method: 'POST', body: '{"tags":[]}' });
      expect(refused.status).toBe(401);
    });

    it('shows the list and an article with a picture in the variant that fits', async () => {
      const id = await blog.findPost();
      await blog.update(id, { cover: { ...(await blog.uploadPicture()), alt: 'A blue field' } });
      const opened = await page.goto(blog.site);
      expect(opened?.status()).toBe(200);
      expect(opened?.headers()['content-security-policy']).toBe(`frame-ancestors 'self' ${blog.url}`);
      await page.getByRole('link', { name: 'Hello' }).click();
      await page.getByRole('heading', { name: 'Hello' }).waitFor();
      await expect
        .poll(async () => (await fetch(`${blog.site}/posts/hello`)).text())
        .toContain('A blue field');
      await page.goto(`${blog.site}/posts/hello`);
      const image = page.getByAltText('A blue field');
      const shown = await image.evaluate(async (element: Image) => {
        await element.decode();
        const { srcset, currentSrc } = element;
        return {
          widths: srcset.split(', ').map((one) => one.split(' ')[1]),
          currentSrc,
        };
      });
      expect(shown.widths).toEqual(['160w', '320w', '640w', '960w', '1000w']);
      expect(shown.currentSrc).toMatch(/\?w=(960|1280)&f=webp$/);
      expect(await page.title()).toBe('Hello – Blog');
    });

    it('answers 404 where there is no page', async () => {
      for (const path of ['/posts/none', '/news/none', '/nowhere'])
        expect((await page.goto(blog.site + path))?.status()).toBe(404);
      await page.goto(`${blog.site}/posts/none`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    });

    it('serves cached content, and the new content soon after a change', async () => {
      const countRequests = () => server.output().split('"path":"/blog/posts/hello"').length;
      const read = async () => (await fetch(`${blog.site}/posts/hello`)).text();
      await read();
      const before = countRequests();
      for (let time = 0; time < 3; time += 1) expect(await read()).toContain('<h1>Hello</h1>');
      expect(countRequests()).toBe(before);
      await blog.update(await blog.findPost(), { title: 'Hello again' });
      await expect.poll(read, { timeout: 20_000 }).toContain('<h1>Hello again</h1>');
      await expect.poll(async () => (await fetch(blog.site)).text()).toContain('Hello again');
    });

    it('shows drafts by a preview link, and says when the link has ended', async () => {
      await blog.update(await blog.findPost(), { title: 'Drafted' }, 'drafts');
      const { id, token } = await blog.createLink();
      for (const path of ['/posts/hello', '/news/hello']) {
        const opened = await page.goto(`${blog.site}${path}?preview=${token}`);
        expect(opened?.headers()).toMatchObject({
          'cache-control': expect.stringContaining('no-store'),
          'referrer-policy': 'same-origin',
        });
        await page.getByRole('heading', { name: 'Drafted' }).waitFor();
      }
      await page.goto(`${blog.site}/posts/hello?preview=${token}`);
      expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
      await page.getByRole('link', { name: 'All posts' }).click();
      await page.getByRole('link', { name: 'Drafted' }).click();
      await page.getByRole('link', { name: 'Show the live page' }).click();
      await page.getByRole('heading', { name: 'Hello again' }).waitFor();
      expect((await page.goto(`${blog.site}/posts/none?preview=${token}`))?.status()).toBe(404);
      await blog.revokeLink(id);
      for (const path of ['/', '/posts/hello', '/news/hello']) {
        expect((await page.goto(`${blog.site}${path}?preview=${token}`))?.status()).toBe(200);
        await page.getByRole('heading', { name: 'This preview has ended' }).waitFor();
      }
    });
  },
);
