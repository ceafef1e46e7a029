/** The first page of editors: what they and others have changed, their drafts and the scheduled releases. */
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { colorSchemes, expectToFit, showIn } from '../support/displayed-page.ts';

const site = 'com.colophon.cms.db.Site';

describeJourneys('the first page', ({ instance, open, openSignedIn }) => {
  it('leads editors to what they have changed, to their drafts and to the schedules', async () => {
    const { content, users } = instance().services;
    const user = { email: 'eve@example.org', password: 'a password for editors' };
    await users.create({ ...user, role: 'editor' });
    await content.releases.create({ name: 'spring', title: 'Spring catalogue' });
    await content.releases.schedules.schedule('spring', Date.now() + 86_400_000);

    const page = await open('/admin');
    await page.getByLabel('Email').fill(user.email);
    await page.getByLabel(/^Password/).fill(user.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    const region = (name: string) => page.getByRole('region', { name, exact: true });
    const first = region('Last edited').getByText('Create the first asset in All content');
    await first.waitFor();
    await expectAccessible(page);
    await content.create({ _type: site, name: 'Of the server' }, {});
    await page.getByRole('button', { name: 'Refresh' }).click();
    await region('Last edited').getByText('You have not changed any content lately.').waitFor();
    const others = region('What others changed').getByRole('listitem');
    await others.filter({ hasText: 'Of the server' }).getByText('Created').waitFor();
    const schedules = region('Drafts and scheduled').getByRole('list', { name: 'Scheduled releases' });
    await schedules.getByRole('link', { name: 'Spring catalogue' }).waitFor();
    expect(await page.getByRole('region', { name: 'Needs attention' }).count()).toBe(0);

    await page.goto(`/admin/content/${site}/new`);
    await page.getByRole('textbox', { name: /^Name/ }).fill('My site');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL(/[0-9a-f-]{36}$/);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    await region('Last edited').getByRole('link', { name: 'My site' }).waitFor();
    const draft = region('Drafts and scheduled').getByRole('listitem').filter({ hasText: 'My site' });
    await draft.getByText('Draft', { exact: true }).waitFor();
    for (const colorScheme of colorSchemes) {
      await showIn(page, colorScheme);
      await expectAccessible(page);
    }
    await expectToFit(page);
    await draft.getByRole('link', { name: 'My site' }).click();
    await page.getByRole('heading', { level: 1, name: 'My site' }).waitFor();
    await finish(page);
  });

  it('tells developers what comes next until all is set up, and what an import has written', async () => {
    const { cmaUrl, headers } = instance();
    const run = 'import-2026-11-22-Zk3v9QxT';
    const created = await fetch(cmaUrl, {
      method: 'POST',
      headers: { ...headers, 'X-Run': run, 'Content-Type': 'application/json' },
      body: JSON.stringify({ _type: site, name: 'Imported' }),
    });
    expect(created.ok).toBe(true);
    const page = await openSignedIn('/admin');
    const steps = page.getByRole('region', { name: 'Set up' }).getByRole('listitem');
    await steps.nth(3).waitFor();
    expect(await steps.allTextContents()).toEqual([
      expect.stringMatching(/^DoneContent types\d+ types$/),
      'DoneFirst assetThere is content.',
      'NextEndpointCreate a REST endpoint: routes that serve the content to programs.',
      'Front endCreate an API client, and give a front end its key.',
    ]);
    await expectAccessible(page);
    await expectToFit(page);
    const card = page.getByRole('region', { name: 'Needs attention' }).getByRole('listitem');
    await card.filter({ hasText: run }).getByText('1 created').waitFor();
    await finish(page);
  });

  it('keeps what it shows when a part of it cannot be loaded', async () => {
    const page = await openSignedIn('/admin/content');
    await page.route('**/api/admin/activity?user=others*', (route) => route.abort());
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    const failed = page.getByRole('region', { name: 'What others changed' });
    await failed.getByRole('alert', { name: 'Could not load the changes' }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.getByRole('listitem').first().waitFor();
    await page.getByRole('region', { name: 'Needs attention' }).getByText('Nothing: ').waitFor();
    await finish(page);
  });
});
