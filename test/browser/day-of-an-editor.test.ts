/** A day of an editor among 10,000 articles: each step, which other tests show in depth, follows the one before. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { drawPortrait } from '../../src/cli/demo/draw-picture.ts';
import { idOf } from '../bench/articles.ts';
import { fillStore } from '../bench/fill-store.ts';
import { describeJourneys, finish } from '../support/browser.ts';
import { endSession } from '../support/ended-session.ts';
import { pasteHtml } from '../support/paste-html.ts';

const article = 'com.example.news.Article';
const list = `/admin/content/${article}`;
const day = 86_400_000;

describeJourneys(
  'a day of an editor',
  ({ instance, user, openSignedIn }) => {
    const get = async (id: string) => (await instance().services.content.get(id, {})).asset;
    const update = (id: string, body: object) => instance().services.content.update({ id, body }, {});
    const count = async (where: string) => {
      const query = { from: article, where, offset: 0, limit: 0, withCount: true };
      return (await instance().services.content.find(query, {})).count;
    };

    it('writes, finds, mends, undoes, restores, merges, and loses nothing', async () => {
      const edited = idOf('01', 4_711);
      for (let n = 0; n < 31; n++) await update(idOf('01', n), { body: `<p>The harbuor of town ${n}.</p>` });
      await update(edited, { summary: 'What was written yesterday.' });
      instance().advanceClock(day);
      await update(edited, { summary: 'What someone wrote over it.' });

      const page = await openSignedIn(list);
      page.on('dialog', (dialog) => dialog.accept());
      await page.route('https://pictures.example/**', (route) => route.fulfill(dot));
      await page.getByRole('link', { name: 'New Article' }).click();
      await page.getByRole('textbox', { name: 'Headline' }).fill('The lighthouse opens');
      await page.getByRole('combobox', { name: 'Status' }).selectOption('PUBLISHED');
      const text = page.getByRole('textbox', { name: 'Body', exact: true });
      await text.focus();
      await text.evaluate(
        pasteHtml,
        readFileSync(new URL('pasted/google-docs.html', import.meta.url), 'utf8'),
      );
      await text.getByText('four').waitFor();
      await page.keyboard.press('Control+End');
      await page.getByRole('button', { name: 'Table', exact: true }).click();
      await page.getByText('3 rows, 3 columns').waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.type('Height');
      for (const name of ['Tower', 'Lamp']) await addPicture(page, name);
      await publish(page);
      await page.waitForURL(/[0-9a-f-]{36}$/);
      const written = await get(new URL(page.url()).pathname.split('/').at(-1) ?? '');
      expect(written).toMatchObject({ headline: 'The lighthouse opens', slug: 'the-lighthouse-opens' });
      for (const part of [/<h1.*Lights/, /<th>Height/, /alt="Tower"/, /alt="Lamp"/])
        expect(written.body).toMatch(part);

      await page.getByRole('link', { name: '← Article' }).click();
      await page.getByText('10,001 assets').waitFor();
      await search(page, 'lightho');
      await page.getByText('1 asset found').waitFor();
      await page.getByRole('link', { name: 'The lighthouse opens' }).waitFor();

      await search(page, 'harbuor');
      await page.getByText('31 assets found').waitFor();
      await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
      await page.getByRole('button', { name: 'Select all 31 that match' }).click();
      await page.getByRole('button', { name: 'Find and replace…' }).click();
      const replacing = page.getByRole('dialog', { name: 'Find and replace in 31 assets' });
      await replacing.getByRole('textbox', { name: 'Find', exact: true }).fill('harbuor');
      await replacing.getByRole('textbox', { name: 'Replace with' }).fill('harbour');
      await replacing.getByText('31 of 31 assets will change, in 31 places.').waitFor();
      await replacing.getByRole('button', { name: 'Replace', exact: true }).click();
      await replacing.getByText('31 of 31 changed').waitFor();
      expect(await count("body matches 'harbour'")).toBe(31);
      await replacing.getByRole('button', { name: 'Undo' }).click();
      await replacing.getByText('Undone: 31 assets').waitFor();
      expect(await count("body matches 'harbuor'")).toBe(31);

      await page.goto(`${list}/${edited}?tab=history`);
      await page.getByRole('group', { name: 'Changes' }).getByRole('radio').nth(1).check();
      await page.getByRole('button', { name: 'Restore this state…' }).click();
      const restoring = page.getByRole('dialog', { name: /^Restore the state of/ });
      await restoring.getByRole('button', { name: 'Restore', exact: true }).click();
      await restoring.waitFor({ state: 'hidden' });
      expect(await get(edited)).toMatchObject({ summary: 'What was written yesterday.' });

      await page.getByRole('tab', { name: 'Edit' }).click();
      await page.getByRole('textbox', { name: 'Headline' }).fill('My headline');
      await update(edited, { readingMinutes: 7 });
      await publish(page);
      await page.getByText('Someone else has changed reading minutes').waitFor();
      expect(await get(edited)).toMatchObject({ headline: 'My headline', readingMinutes: 7 });

      await page.getByRole('textbox', { name: 'Summary' }).fill('A thought that nobody has saved.');
      await endSession(page);
      await page.context().setOffline(true);
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByRole('alert', { name: 'Not saved' }).waitFor();
      await page.context().setOffline(false);
      await page.reload();
      await page.getByLabel('Email').fill(user.email);
      await page.getByLabel(/^Password/).fill(user.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Restore them' }).click();
      expect(await page.getByRole('textbox', { name: 'Summary' }).inputValue()).toBe(
        'A thought that nobody has saved.',
      );
      await publish(page);
      expect(await get(edited)).toMatchObject({ summary: 'A thought that nobody has saved.' });
      await finish(page);
    });
  },
  { prepareStore: ({ config }) => fillStore(String(config.dataDir), 10_000) },
);

const dot = {
  contentType: 'image/svg+xml',
  body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
};

async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('All changes saved').waitFor();
}

const search = (page: Page, word: string) => page.getByRole('main').getByRole('searchbox').fill(word);

/** Puts a picture at the end of the text. */
async function addPicture(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Body', exact: true }).focus();
  await page.keyboard.press('Control+End');
  await page.getByRole('button', { name: 'Picture', exact: true }).click();
  const form = page.getByRole('group', { name: 'Picture' });
  const picture = { name: `${name}.png`, mimeType: 'image/png', buffer: drawPortrait(name) };
  await form.locator('input[type=file]').setInputFiles(picture);
  await form.getByText('image/png, 640 × 640 pixels').waitFor();
  await form.getByLabel('Alternative text').fill(name);
  await form.getByLabel('Alternative text').press('Enter');
  await page.getByRole('img', { name }).waitFor();
}
