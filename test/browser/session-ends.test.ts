/** Sessions that end, fail to load or are replaced in another tab while a page is open: no typed text is lost. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { endSession, endSessionAtNextChange, signInAgain } from '../support/ended-session.ts';

const article = 'com.example.news.Article';

describeJourneys('a session', ({ instance, user, openSignedIn }) => {
  const other = { email: 'other@example.org', password: 'another fine password' };

  async function createArticle(slug: string): Promise<string> {
    const body = { _type: article, slug, headline: `About ${slug}`, status: 'DRAFT' };
    return (await instance().services.content.create(body, {})).asset._id;
  }

  const headlineOf = async (id: string) =>
    (await instance().services.content.get(id, {})).asset.headline as string;

  it('is renewed in a dialog over the form, and the save continues', async () => {
    const id = await createArticle('bridges');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('Typed for an hour');
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe(user.email);
    await expectAccessible(page);
    await dialog.getByLabel(/^Password/).fill('not the password');
    await page.keyboard.press('Enter');
    await dialog.getByText('The email or the password is wrong').waitFor();
    await signInAgain(page, user.password);
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('All changes saved').waitFor();
    expect(await headlineOf(id)).toBe('Typed for an hour');
    await finish(page);
  });

  it('need not be renewed at once: the form stays and says that it is not saved', async () => {
    const id = await createArticle('tides');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('Half a thought');
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Not now' }).click();
    await page
      .getByRole('alert', { name: 'Not saved' })
      .getByText(/Your session has ended/)
      .waitFor();
    expect(await page.getByLabel('headline').inputValue()).toBe('Half a thought');
    await expectAccessible(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('button', { name: 'Sign in' }).click();
    await signInAgain(page, user.password);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    expect(await headlineOf(id)).toBe('About tides');
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await headlineOf(id)).toBe('Half a thought');
    await finish(page);
  });

  it('does not save the form of one user when another user signs in', async () => {
    await instance().services.users.create(other);
    const id = await createArticle('storms');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('Begun by one');
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Email').fill(other.email);
    await signInAgain(page, other.password);
    await page
      .getByRole('alert', { name: 'Not saved' })
      .getByText(`you are now signed in as ${other.email}`)
      .waitFor();
    expect(await headlineOf(id)).toBe('About storms');
    expect(await page.getByRole('navigation', { name: 'Main' }).textContent()).toContain(other.email);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await headlineOf(id)).toBe('Begun by one');
    await finish(page);
  });

  it('is replaced by a sign-in in another tab, of the same or another user', async () => {
    const id = await createArticle('fairs');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('From the first tab');
    await signInElsewhere(page, user);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('All changes saved').waitFor();
    expect(await headlineOf(id)).toBe('From the first tab');

    await page.getByLabel('headline').fill('From the first tab again');
    await signInElsewhere(page, other);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByRole('alert', { name: 'Not saved' }).getByText(other.email).waitFor();
    expect(await headlineOf(id)).toBe('From the first tab');

    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await signInElsewhere(page, other);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('All changes saved').waitFor();
    expect(await headlineOf(id)).toBe('From the first tab again');
    await finish(page);
  });

  it('keeps the form of an API client, and later pages wait for the sign-in too', async () => {
    const page = await openSignedIn('/admin/api-clients/new');
    await page.getByLabel('Name').fill('Night import');
    await page.getByRole('checkbox', { name: 'cma:read' }).check();
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Create API client' }).click();
    await signInAgain(page, user.password);
    await page.getByRole('dialog', { name: 'Credentials of Night import' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: 'Night import', level: 1 }).waitFor();
    const { length } = (await instance().services.clients.list()).filter(
      ({ name }) => name === 'Night import',
    );
    expect(length).toBe(1);

    await endSession(page);
    // A read that the page still makes may open the dialog first; the click then comes after it.
    const clicking = page.getByRole('link', { name: '← Endpoints' }).click();
    await signInAgain(page, user.password);
    await clicking;
    await page.getByRole('link', { name: 'Night import' }).waitFor();
    await finish(page);
  });

  it('is renewed over the check of a change of content types, which continues', async () => {
    const page = await openSignedIn('/admin/types');
    await page.getByRole('button', { name: 'Begin with the present files' }).click();
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await signInAgain(page, user.password);
    await page.getByText('No findings').waitFor();
    await finish(page);
  });

  it('ends by signing out only after a question about unsaved changes', async () => {
    const id = await createArticle('drafts');
    const page = await openSignedIn(`/admin/content/${article}/${id}`);
    await page.getByLabel('headline').fill('Half a thought');
    await page.getByRole('button', { name: 'Sign out' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('headline').inputValue()).toBe('Half a thought');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Sign in to Colophon' }).waitFor();
    expect((await page.request.get('/api/admin/session')).status()).toBe(401);
    expect(await headlineOf(id)).toBe('About drafts');
    await finish(page);
  });

  it('shows the reason when it cannot be loaded, and can be loaded again', async () => {
    const page = await openSignedIn('/admin/content');
    await page.route('**/api/admin/session', (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.reload();
    await page.getByRole('alert', { name: 'Could not check whether you are signed in' }).waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/admin/session');
    await page.route('**/api/admin/session', (route) => route.abort());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.unroute('**/api/admin/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('main').getByRole('link', { name: 'Article' }).waitFor();
    await finish(page);
  });
});

/** Signs in as in another tab of the same browser. */
async function signInElsewhere(page: Page, user: { email: string; password: string }): Promise<void> {
  const { email, password } = user;
  expect((await page.request.post('/api/admin/session', { data: { email, password } })).status()).toBe(200);
}
