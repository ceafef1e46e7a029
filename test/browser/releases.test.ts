/** Releases in a real browser: their schedules, the withdrawal of assets, and previews beside the form. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit } from '../support/displayed-page.ts';
import { makeTypesFolder } from '../support/types-folder.ts';

const story = 'lib.Story';
const note = 'lib.Note';
const folder = makeTypesFolder(`
  type Story @contentType(class: "${story}") @preview(path: "/news/{slug}") {
    slug: String @indexed(unique: true)
    title: String! @title
  }
  type Note @contentType(class: "${note}") { text: String @title, about: Story }
`);

/** A page of a site; it shows its own address. */
const site = createServer(({ url = '' }, response) => {
  response.setHeader('Content-Type', 'text/html');
  response.end(
    `<!doctype html><html lang="en"><title>Site</title><main><h1>${url.split('?')[0]}</h1></main></html>`,
  );
});

describeJourneys(
  'releases',
  ({ instance, openSignedIn }) => {
    afterAll(() => site.close());
    const content = () => instance().services.content;
    const pathOf = (id: string, type = story) => `/admin/content/${type}/${id}`;
    const create = async (body: { readonly _type: string } & Record<string, unknown>) =>
      (await content().create(body, {})).asset._id;

    it('are scheduled in the time zone of the user, listed by day, and stop with a reason', async () => {
      const { releases } = content();
      await releases.create({ name: 'spring', title: 'Spring' });
      await content().inRelease('spring', {}).create({ _type: story, slug: 'unfinished' }, {});
      const page = await openSignedIn('/admin/releases/spring', { timezoneId: 'America/New_York' });
      await button(page, 'Schedule…').click();
      const dialog = page.getByRole('dialog', { name: 'Schedule Spring' });
      await dialog.getByLabel('Time').fill('2001-03-01T08:00');
      await dialog.getByRole('button', { name: 'Schedule' }).click();
      await dialog.getByText('must be later than the present time').waitFor();
      await dialog.getByLabel('Time').fill('2091-03-01T08:00');
      await dialog.getByText('Goes live on Mar 1, 2091, 08:00 AM EST').waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Schedule' }).click();
      await page.getByRole('region', { name: 'Schedule' }).getByText('Goes live on').waitFor();
      expect((await releases.get('spring')).publishAt).toBe(Date.UTC(2091, 2, 1, 13));

      await button(page, 'Actions: Spring').click();
      await page.getByRole('menuitem', { name: 'Change the title…' }).click();
      await page.getByRole('dialog').getByLabel('Title').fill('Spring and summer');
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
      await page.getByRole('heading', { name: 'Spring and summer', level: 1 }).waitFor();

      await page.getByRole('link', { name: '← Releases' }).click();
      const days = page.getByRole('list', { name: 'Thursday, March 1, 2091' });
      await days.getByRole('link', { name: 'Spring and summer' }).click();
      await button(page, 'Remove the schedule…').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove the schedule' }).click();
      await page.getByText('Not scheduled').waitFor();
      await releases.schedules.schedule('spring', Date.now() + 600_000);
      await page.clock.install();
      await page.reload();
      await page.getByText('Goes live on').waitFor();
      instance().advanceClock(700_000);
      await expect.poll(async () => (await releases.get('spring')).stopped).toBeDefined();
      // The page looks for the end of its schedule by itself.
      await page.clock.fastForward(60_000);
      await page.getByRole('alert', { name: 'The scheduled publication has stopped' }).waitFor();
      await page.goto('/admin');
      await page.getByRole('link', { name: 'Open the release' }).click();
      await page.getByRole('alert', { name: 'The scheduled publication has stopped' }).waitFor();
      await expectAccessible(page);
      await page.goto('/admin/releases');
      await page.getByRole('row').filter({ hasText: 'Stopped' }).waitFor();
      await page.setViewportSize({ width: 360, height: 640 });
      await expectToFit(page);
      await expectAccessible(page);
      await finish(page);
    });

    it('keep an asset that is withdrawn, and publish it again', async () => {
      const id = await create({ _type: story, slug: 'tides', title: 'Tides' });
      await create({ _type: note, text: 'A note on tides', about: { _ref: id, _type: story } });
      const page = await openSignedIn(pathOf(id));
      await button(page, 'Actions').click();
      await button(page, 'Withdraw').click();
      const dialog = page.getByRole('dialog', { name: 'Withdraw this Story?' });
      await dialog.getByRole('link', { name: 'A note on tides' }).waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Withdraw' }).click();
      await page.getByRole('alert', { name: 'Withdrawn' }).waitFor();
      await button(page, 'Actions').click();
      await page.getByRole('link', { name: 'Duplicate' }).waitFor();
      expect(await button(page, 'Withdraw').count()).toBe(0);
      await page.keyboard.press('Escape');
      await expect(content().get(id, {})).rejects.toMatchObject({ code: 'not_found' });
      await page.getByRole('tab', { name: 'History' }).click();
      await page.getByRole('heading', { name: /^Created by / }).waitFor();
      expect(await page.getByRole('radio', { name: 'Draft', exact: true }).isChecked()).toBe(true);
      expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
      const drafts = await openSignedIn('/admin/releases/drafts');
      await drafts.getByRole('cell', { name: 'Withdrawn' }).waitFor();
      await button(drafts, 'Publish all…').click();
      const all = drafts.getByRole('dialog');
      await all.getByText('Not published: 1 withdrawn asset.').waitFor();
      await all.getByText('Tides (Withdrawn)').waitFor();
      expect(await all.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
      await expectAccessible(drafts);
      await finish(drafts);
      await page.getByRole('tab', { name: 'Edit' }).click();
      await button(page, 'Publish').click();
      await page.getByRole('alert', { name: 'Withdrawn' }).waitFor({ state: 'hidden' });
      expect((await content().get(id, {})).asset).toMatchObject({ title: 'Tides' });
      await finish(page);
    });

    it('are previewed beside the form, and by links that end', async () => {
      const id = await create({ _type: story, slug: 'bridges', title: 'Bridges' });
      const page = await openSignedIn(pathOf(id));
      await button(page, 'Actions').click();
      await button(page, 'Preview').click();
      const frame = page.frameLocator('iframe[title="Preview"]');
      await frame.getByRole('heading', { name: '/news/bridges' }).waitFor();
      await page.getByLabel('slug').fill('canals');
      await button(page, 'Save draft').click();
      await frame.getByRole('heading', { name: '/news/canals' }).waitFor();
      const opened = page.getByRole('link', { name: 'Open preview in a new tab' });
      const token = new URL((await opened.getAttribute('href')) ?? '').searchParams.get('preview') ?? '';
      expect(token).not.toBe('');
      await button(page, 'Create a preview link').click();
      await page
        .getByRole('group', { name: 'New preview link' })
        .getByText('/news/canals?preview=')
        .waitFor();
      await expectAccessible(page);
      const ends = page.getByRole('button', { name: /^Actions: the link that expires on/ });
      await expect.poll(() => ends.count()).toBe(2);
      await ends.first().click();
      await page.getByRole('menuitem', { name: 'End…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'End the link' }).click();
      await expect.poll(() => ends.count()).toBe(1);
      await page.setViewportSize({ width: 360, height: 640 });
      await expectToFit(page);
      await finish(page);

      const other = await create({ _type: note, text: 'A note' });
      const without = await openSignedIn(pathOf(other, note));
      await button(without, 'Actions').click();
      await button(without, 'Preview').click();
      await without.getByRole('alert', { name: 'This type has no preview' }).waitFor();
      await expectAccessible(without);
      await finish(without);
    });
  },
  {
    settings: async () => {
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      // Listening on a port, so the address is no text.
      const { port } = site.address() as AddressInfo;
      return { typesDir: folder, previewUrl: `http://127.0.0.1:${port}` };
    },
  },
);

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
