/** The page of content types: their SDL, and the check of a change with its report, its errors and its unsaved text. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { environmentOf, startServing } from '../support/command-line.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';
import { temporaryFolder } from '../support/opened.ts';

const present = `type Note @contentType(class: "x.Note") {
  title: String
  text: String
}
`;
const withoutTitle = present.replace('title: String', 'extra: Int');
const wrong = present.replace('text: String', 'text: Nothing');
const query = `query Notes {
  noteList { items { title text } }
}`;

const folder = temporaryFolder();
writeFileSync(join(folder, 'notes.graphql'), present);

describeJourneys(
  'the page of content types',
  ({ instance, location, openSignedIn }) => {
    const ids: string[] = [];
    let endpoint: string;
    let webhook: string;

    beforeAll(async () => {
      const { content, restEndpoints, usage } = instance().services;
      for (const title of ['one', 'two']) ids.push(await createNote({ title }));
      await createNote({ text: 'without a title' });
      const body = {
        name: 'Notes',
        source: 'delivery',
        access: 'API_KEY',
        mappings: [{ name: 'All', query }],
      };
      endpoint = (await restEndpoints.create({ body, by: 'a test' })).id;
      await restEndpoints.publish({ id: endpoint, by: 'a test' });
      const hook = { name: 'Titles', url: 'https://example.com/', types: ['x.Note'], where: 'title = "x"' };
      const { status } = await instance().services.webhooks.create({
        ...hook,
        actions: ['create'],
        payload: 'thin',
      });
      webhook = status.webhook.id;
      const reader = await instance().createClient({ name: 'Reader of notes', scopes: ['graphql'] });
      await instance().refresh();
      expect((await fetch(`${instance().url}/notes/all`, { headers: reader })).status).toBe(200);
      await usage.flush();
      async function createNote(fields: object): Promise<string> {
        return (await content.create({ _type: 'x.Note', ...fields }, {})).asset._id;
      }
    });

    it('shows the SDL files, and links to the guide', async () => {
      const page = await openTypes('/admin/types');
      const shown = page.getByRole('group', { name: 'SDL of notes.graphql' });
      expect((await shown.textContent())?.trim()).toBe(present.trim());
      await page.getByRole('button', { name: 'About Content types' }).click();
      for (const name of ['changing types', 'checking types']) {
        const href = (await page.getByRole('link', { name, exact: true }).getAttribute('href')) ?? '';
        expect(href).toMatch(/^\/docs\/guide\//);
        expect(existsSync(join(packageRoot, `${href.replace('/docs/guide', 'docs')}.md`))).toBe(true);
      }
      expect(await page.getByRole('button', { name: 'Check', exact: true }).isDisabled()).toBe(true);
      await finish(page);
    });

    it('reports what a change breaks, with links, and keeps the pasted text until the user leaves', async () => {
      const page = await openTypes('/admin/types');
      await paste(page, withoutTitle);
      await check(page);
      const report = page.getByRole('region', { name: 'Report' });
      await report.getByText(/^\d+ breaking, \d+ need attention, \d+ safe$/).waitFor();
      await report
        .getByText('Checked 1 mapping, 0 trusted documents, 1 webhook, 3 stored assets and 0 drafts.')
        .waitFor();
      const rows = (name: string) => report.getByRole('table', { name, exact: true }).getByRole('row');
      expect(await rows('Breaking: content types').nth(1).textContent()).toMatch(
        /x\.Note.*title.*is removed/,
      );
      expect(await rows('Safe: content types').nth(1).textContent()).toMatch(
        /x\.Note.*extra.*is new and optional/,
      );
      expect(await rows('Breaking: documents').filter({ hasText: 'NoteCreate.title' }).count()).toBe(1);

      expect(await rows('Breaking: mappings').count()).toBe(2);
      const mapping = rows('Breaking: mappings').filter({ hasText: 'published' });
      expect(await mapping.textContent()).toMatch(/All.*line 2, column 22.*title/);
      const endpointLink = mapping.getByRole('link', { name: 'Notes' });
      expect(await endpointLink.getAttribute('href')).toBe(`/admin/rest-endpoints/${endpoint}`);

      const broken = rows('Breaking: webhooks').nth(1);
      expect(await broken.textContent()).toMatch(/Titles.*where.*line 1, column 1.*title/);
      expect(await broken.getByRole('link', { name: 'Titles' }).getAttribute('href')).toBe(
        `/admin/webhooks/${webhook}`,
      );

      const assets = rows('Breaking: stored content').nth(1);
      expect(await assets.textContent()).toMatch(/x\.Note.*title.*2 of 3/);
      const addresses = await assets.getByRole('link').evaluateAll(hrefsOf);
      expect(addresses.toSorted()).toEqual(ids.map((id) => `/admin/content/x.Note/${id}`).toSorted());
      const client = rows('API clients').filter({ hasText: '/notes/all' });
      expect(await client.textContent()).toMatch(/x\.Note.*Reader of notes.*GET.*1.*all calls/);

      for (const colorScheme of ['light', 'dark'] as const) {
        await showIn(page, colorScheme);
        await expectAccessible(page);
      }
      await expectToFit(page);

      await page.setViewportSize({ width: 1280, height: 900 });
      await endpointLink.click();
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      await question.getByRole('button', { name: 'Stay' }).click();
      await question.waitFor({ state: 'hidden' });
      expect(await editor(page).textContent()).toContain('extra: Int');
      await paste(page, present);
      await report.getByText('The files have changed since this check').waitFor();
      await check(page);
      await report.getByText('No findings').waitFor();
      await finish(page);
    });

    it('checks the present files with one of them edited, and chosen files', async () => {
      const page = await openTypes('/admin/types');
      await page.getByRole('button', { name: 'Begin with the present files' }).click();
      await page.getByRole('button', { name: 'notes.graphql', exact: true }).last().click();
      await paste(page, withoutTitle, 'notes.graphql');
      await page.getByRole('button', { name: 'notes.graphql Edited' }).waitFor();
      await check(page);
      await page.getByRole('table', { name: 'Breaking: content types' }).waitFor();

      await choose(page, 'notes.graphql', Buffer.from(present));
      await check(page);
      await page.getByText('No findings').waitFor();
      await choose(page, 'image.graphql', Buffer.from([0xff, 0xfe, 0x00]));
      await page
        .getByRole('alert', { name: 'The files could not be read' })
        .getByText('image.graphql cannot be read as UTF-8 text')
        .waitFor();
      await paste(page, withoutTitle, 'notes.graphql');
      await page.getByRole('button', { name: 'notes.graphql Edited' }).waitFor();
      await page.getByRole('button', { name: 'Remove notes.graphql from the check' }).click();
      const question = page.getByRole('dialog', { name: 'Remove notes.graphql?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Remove notes.graphql from the check' }).click();
      await question.getByRole('button', { name: 'Remove' }).click();
      await page.getByRole('button', { name: 'types.graphql', exact: true }).waitFor();
      await finish(page);
    });

    it('shows an error of the SDL at its place', async () => {
      const page = await openTypes('/admin/types');
      await choose(page, 'wrong.graphql', Buffer.from(wrong));
      await check(page);
      const alert = page.getByRole('alert', { name: 'Not checked' });
      await alert.getByText('wrong.graphql:3:9 Unknown type "Nothing"').waitFor();
      expect(await alert.textContent()).toContain('sources[0].text');
      await page.getByRole('button', { name: /^wrong\.graphql.*1 problem$/ }).click();
      await page.getByText('Line 3, column 9: Unknown type "Nothing"').waitFor();
      await page.locator('.cm-lintRange-error', { hasText: /^Nothing$/ }).waitFor();
      await expectAccessible(page);
      await paste(page, present, 'wrong.graphql');
      await page.locator('.cm-lintRange-error').waitFor({ state: 'detached' });
      await check(page);
      await page.getByText('No findings').waitFor();
      await alert.waitFor({ state: 'detached' });
      await finish(page);
    });

    it('says when another change is being checked', async () => {
      const page = await openTypes('/admin/types');
      await paste(page, present);
      const first = startLongCheck(page);
      await expect.poll(() => statusOfCheck(page), { interval: 20 }).toBe(503);
      await check(page);
      const alert = page.getByRole('alert', { name: 'Not checked' });
      await alert.getByText('Another change of content types is being checked').waitFor();
      expect((await first).status()).toBe(200);
      await check(page);
      await page.getByText('No findings').waitFor();
      await finish(page);
    });

    it('keeps the pasted text while the server is stopped', async () => {
      const environment = { ...environmentOf(location), COLOPHON_TYPES: folder };
      const server = await startServing(environment);
      const page = await openTypes(`${server.url}/admin/types`);
      await paste(page, present);
      await server.stop();
      await check(page);
      const alert = page.getByRole('alert', { name: 'Not checked' });
      await alert.getByText('The server cannot be reached').waitFor();
      await expectAccessible(page);
      const again = await startServing({ ...environment, COLOPHON_PORT: new URL(server.url).port });
      await check(page);
      await page.getByText('No findings').waitFor();
      await alert.waitFor({ state: 'detached' });
      await finish(page);
      await again.stop();
    });

    async function openTypes(address: string): Promise<Page> {
      const page = await openSignedIn(address);
      await page.getByRole('heading', { level: 1, name: 'Content types' }).waitFor();
      await page.getByRole('group', { name: 'SDL of notes.graphql' }).waitFor();
      return page;
    }
  },
  { settings: { typesDir: folder } },
);

const editor = (page: Page, file = 'types.graphql') =>
  page.getByRole('textbox', { name: `New SDL of ${file}` });

/** Replaces the text of a file whose panel is open. */
async function paste(page: Page, sdl: string, file?: string): Promise<void> {
  await editor(page, file).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(sdl);
}

const check = (page: Page) => page.getByRole('button', { name: 'Check', exact: true }).click();

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files…' }).click(),
  ]);
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer });
}

/** Sends a check as the user of the page, past the page. */
async function sendCheck(page: Page, text: string) {
  const { csrfToken } = await (await page.request.get('/api/admin/session')).json();
  return page.request.post('/api/admin/types/check', {
    headers: { 'X-CSRF-Token': csrfToken },
    data: { sources: [{ file: 'sent.graphql', text }] },
    timeout: 60_000,
  });
}

const statusOfCheck = async (page: Page) => (await sendCheck(page, present)).status();

/** A check of so many types that it takes seconds. */
const startLongCheck = (page: Page) => {
  const fields = Array.from({ length: 10 }, (_, n) => `field${n}: String`).join(' ');
  const kinds = Array.from(
    { length: 800 },
    (_, n) => `type K${n} @contentType(class: "x.K${n}") { ${fields} }`,
  );
  return sendCheck(page, kinds.join('\n'));
};

/** The addresses of links. The tests have no types of elements. */
const hrefsOf = (links: readonly unknown[]) =>
  links.map((link) => (link as { getAttribute(name: string): string }).getAttribute('href'));
