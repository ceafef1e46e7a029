/** The site with Astro: docs/front-ends.md, followed to its end with the published package, and visited in Chromium. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPage } from '../../support/guide.ts';
import { codeBlocksOf, sectionOf } from '../../support/markdown.ts';
import { type Blog, createBlog, findObstacle } from './blog.ts';

const obstacle = await findObstacle();
const blocks = codeBlocksOf(sectionOf(readPage('docs/front-ends.md'), 'Astro'));
const [making, client, serving] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
const linesOf = (text = '') => text.split('\n');

describe.skipIf(obstacle !== undefined)(
  `a site with Astro${obstacle ? ` (skipped: ${obstacle})` : ''}`,
  () => {
    let blog: Blog;
    beforeAll(async () => {
      expect(linesOf(making).slice(0, 2)).toEqual(['npm install colophon', 'npx colophon init']);
      blog = await createBlog('npx colophon init');
    });
    afterAll(() => blog?.stop());

    /** Runs a line in a shell that prefers the Node.js of the project: Astro needs a newer one than the host may have. */
    const inShell = (line: string) =>
      `env PATH="${blog.project.folder}/node_modules/.bin:$PATH" sh -c '${line}'`;

    it('is made by the commands and the files of the page', async () => {
      for (const line of [...linesOf(making).slice(2), ...linesOf(client)])
        expect(await blog.project.run(inShell(line))).toMatchObject({ exitCode: 0 });
      for (const { introduction, language, text } of blocks) {
        const [, path] = /`(website\/\S+)`:$/.exec(introduction) ?? [];
        expect([language, path === undefined]).toEqual([language, language === 'sh']);
        if (path) blog.project.write(path, `${text}\n`);
      }
      const built = await blog.project.run(inShell(linesOf(serving)[0] ?? ''), {
        ASTRO_TELEMETRY_DISABLED: '1',
      });
      expect(built).toEqual({ exitCode: 0, output: expect.stringContaining('Complete!') });
    });

    it('shows the list, an article with a picture, 404, and previews until they end', async () => {
      await blog.startServer();
      await blog.startSite(inShell(linesOf(serving)[1] ?? ''));
      const page = await blog.browser.newPage();
      const id = await blog.findPost();
      await blog.update(id, { cover: { ...(await blog.uploadPicture()), alt: 'A blue field' } });
      expect((await page.goto(blog.site))?.status()).toBe(200);
      await page.getByRole('link', { name: 'Hello' }).click();
      await page.getByRole('heading', { name: 'Hello' }).waitFor();
      expect(await page.getByAltText('A blue field').getAttribute('srcset')).toMatch(
        /w=160&f=webp 160w, .* 1000w$/,
      );
      expect((await page.goto(`${blog.site}/posts/none`))?.status()).toBe(404);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      await blog.update(id, { title: 'Drafted' }, 'drafts');
      const link = await blog.createLink();
      const preview = `?preview=${link.token}`;
      const opened = await page.goto(`${blog.site}/${preview}`);
      expect(opened?.headers()).toMatchObject({
        'cache-control': 'private, no-store',
        'referrer-policy': 'same-origin',
      });
      await page.getByRole('link', { name: 'Drafted' }).click();
      await page.getByRole('heading', { name: 'Drafted' }).waitFor();
      await page.getByRole('link', { name: 'Show the live page' }).click();
      await page.getByRole('heading', { name: 'Hello' }).waitFor();
      await blog.revokeLink(link.id);
      for (const path of ['/', '/posts/hello']) {
        expect((await page.goto(blog.site + path + preview))?.status()).toBe(401);
        await page.getByRole('heading', { name: 'This preview has ended' }).waitFor();
      }
    });
  },
);
