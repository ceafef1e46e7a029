/** People in a real browser: invitations, roles, disabled users, and one's own password and sessions. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish, type Journey } from '../support/browser.ts';
import { endSessionAtNextChange, signInAgain } from '../support/ended-session.ts';

const password = 'a password of Ed';

describeJourneys('people', (journey) => {
  const { instance, open, openSignedIn } = journey;

  it('are invited by a link, set a password once, and see as editors content alone', async () => {
    const page = await openSignedIn('/admin/users');
    const link = await invite(page, 'ed@example.org', 'editor');
    await page.getByRole('row').filter({ hasText: 'ed@example.org' }).getByText('Invited').waitFor();

    const editor = await open(link);
    await editor.getByText('ed@example.org').waitFor();
    await expectAccessible(editor);
    await editor.getByRole('textbox', { name: 'Name' }).fill('Ed Example');
    await editor.getByRole('textbox', { name: /^Password/ }).fill('short');
    await editor.getByRole('button', { name: 'Set password and sign in' }).click();
    await editor.getByText('must have 12 to 1000 characters').waitFor();
    await editor.getByRole('textbox', { name: /^Password/ }).fill(password);
    await editor.getByRole('button', { name: 'Set password and sign in' }).click();
    await editor.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    expect(new URL(editor.url()).pathname).toBe('/admin');
    await expect.poll(() => places(editor)).toEqual(editorPlaces);
    const heads = editor.getByRole('navigation', { name: 'Main' }).locator('[aria-expanded]');
    expect(await heads.allTextContents()).toEqual(['Content', 'Administration']);
    await heads.first().click();
    await editor.reload();
    await expect
      .poll(() => places(editor))
      .toEqual([
        ...['Home', 'All content', 'Releases', 'Files', 'Runs', 'Deleted assets', 'My account', 'Guide'],
      ]);
    expect(await heads.first().getAttribute('aria-expanded')).toBe('false');
    await expectAccessible(editor);
    await heads.first().press('Enter');
    await editor.getByRole('navigation').getByRole('link', { name: 'All content' }).click();
    await editor.getByRole('main').getByRole('link', { name: 'Article' }).click();
    await editor.getByRole('heading', { name: 'Article', level: 1 }).waitFor();
    expect(await editor.getByRole('link', { name: 'Open in Predicates' }).count()).toBe(0);
    for (const [address, role] of [
      ['/admin/users', 'admin'],
      ['/admin/types', 'developer'],
      ['/admin/api-clients/new', 'developer'],
    ] as const) {
      await editor.goto(address);
      await editor.getByRole('heading', { name: 'Your role may not open this page' }).waitFor();
      await editor.getByText(`This page needs the role ${role}`).waitFor();
    }
    await expectAccessible(editor);
    await finish(editor);

    const again = await open(link);
    await again.getByRole('alert', { name: 'The invitation is not valid' }).waitFor();
    await expectAccessible(again);
    await finish(again);

    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Ed Example' }).getByText('Active').waitFor();
    await finish(page);
  });

  it('lose their session when they are disabled, and their pages when their role changes', async () => {
    const user = await createUser(journey, 'dev@example.org', 'developer');
    const theirs = await signInAs(journey, user, '/admin/types');
    await theirs.getByRole('heading', { name: 'Content types', level: 1 }).waitFor();
    expect(await places(theirs)).not.toContain('Users');
    const page = await openSignedIn('/admin/users');
    await act(page, 'Change role', user.email, async (dialog) => {
      await dialog.getByRole('combobox', { name: 'Role' }).selectOption('editor');
      await dialog.getByRole('button', { name: 'Change role' }).click();
    });
    await theirs.getByRole('link', { name: 'GraphQL', exact: true }).click();
    await theirs.getByRole('heading', { name: 'Your role may not open this page' }).waitFor();
    await expect.poll(() => places(theirs)).toEqual(editorPlaces);

    await act(page, 'Disable', user.email, (dialog) =>
      dialog.getByRole('button', { name: 'Disable' }).click(),
    );
    await page.getByRole('row').filter({ hasText: user.email }).getByText('Disabled').waitFor();
    await theirs.getByRole('navigation').getByRole('link', { name: 'All content' }).click();
    const dialog = theirs.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await dialog.getByLabel(/^Password/).fill(user.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('This user is disabled').waitFor();
    await finish(theirs);

    await act(page, 'Enable', user.email, (one) => one.getByRole('button', { name: 'Enable' }).click());
    await page.getByRole('row').filter({ hasText: user.email }).getByText('Active').waitFor();
    await expectAccessible(page);
    await finish(page);
  });

  it('change their password, which ends their other sessions, and sign out elsewhere', async () => {
    const user = await createUser(journey, 'ann@example.org', 'editor');
    const [page, other, third] = [
      await signInAs(journey, user, '/admin/account'),
      await signInAs(journey, user, '/admin/content'),
      await signInAs(journey, user, '/admin/content'),
    ];
    await page.reload();
    const rows = page.getByRole('table', { name: 'Sessions' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    await rows
      .getByRole('button', { name: /^Sign out… / })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(() => rows.count()).toBe(3);

    await page.getByRole('textbox', { name: 'Present password' }).fill('not the password');
    await page.getByRole('textbox', { name: 'New password' }).fill('another password');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('is not your present password').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Present password' }).fill(user.password);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password has changed').waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    for (const ended of [other, third]) {
      expect((await ended.request.get('/api/admin/session')).status()).toBe(401);
      await finish(ended);
    }
    expect((await page.request.get('/api/admin/session')).status()).toBe(200);
    const last = await signInAs(journey, { ...user, password: 'another password' }, '/admin/account');
    await last.getByRole('button', { name: 'Sign out everywhere else…' }).click();
    await last.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await expect.poll(() => last.getByRole('table', { name: 'Sessions' }).getByRole('row').count()).toBe(2);
    expect((await page.request.get('/api/admin/session')).status()).toBe(401);
    await finish(page);
    await finish(last);
  });

  it('who are developers cannot give the scope admin, or change a client that has it', async () => {
    const user = await createUser(journey, 'grace@example.org', 'developer');
    const { clientId } = await instance().services.clients.create({ name: 'Powerful', scopes: ['admin'] });
    const page = await signInAs(journey, user, `/admin/api-clients/${clientId}`);
    await page.getByRole('alert', { name: 'Only administrators can change this client' }).waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await expectAccessible(page);
    await page.goto('/admin/api-clients/new');
    expect(await page.getByRole('checkbox', { name: 'admin' }).isDisabled()).toBe(true);
    await finish(page);
  });

  it('are told when the last administrator would be lost', async () => {
    const page = await openSignedIn('/admin/users');
    await page.getByRole('table', { name: 'Users' }).waitFor();
    await act(page, 'Disable', journey.user.email, async (dialog) => {
      await dialog.getByRole('button', { name: 'Disable' }).click();
      await dialog.getByRole('alert').getByText('is the last user with the role admin').waitFor();
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });
    await finish(page);
  });

  it.each([
    ['/admin/users', 'users', '**/api/admin/users'],
    ['/admin/account', 'your sessions', '**/api/admin/account/sessions'],
  ] as const)('%s shows that the server fails, is away or slow, and goes on', async (address, what, url) => {
    const page = await openSignedIn('/admin/content');
    await page.route(url, (route) => route.fulfill({ status: 500, body: 'broken' }));
    await page.goto(address);
    const alert = page.getByRole('alert', { name: `Could not load: ${what}` });
    await alert.waitFor();
    await expectAccessible(page);
    await page.unroute(url);
    await page.route(url, (route) => route.abort());
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.unroute(url);
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(url, (route) => held.then(() => route.continue()));
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Loading', { exact: true }).waitFor();
    answer();
    await page.getByRole('table', { name: address === '/admin/users' ? 'Users' : 'Sessions' }).waitFor();
    await finish(page);
  });

  it('keep what they have typed when the session ends during an invitation', async () => {
    const page = await openSignedIn('/admin/users');
    await page.getByRole('button', { name: 'Invite…' }).click();
    await page.getByLabel('Email').fill('late@example.org');
    await endSessionAtNextChange(page);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await signInAgain(page, journey.user.password);
    await page.getByRole('dialog', { name: 'Link for late@example.org' }).waitFor();
    await finish(page);
  });
});

/** Invites a user, and returns the link. */
async function invite(page: Page, email: string, role: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite…' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('combobox', { name: 'Role' }).selectOption(role);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Link for ${email}` });
  const link = String(await dialog.getByRole('group', { name: 'Link' }).textContent());
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  return link.trim();
}

/** Begins an action of the users page, and lets `run` answer its dialog. */
async function act(
  page: Page,
  action: string,
  email: string,
  run: (dialog: ReturnType<Page['getByRole']>) => Promise<void>,
) {
  await page.getByRole('button', { name: `Actions: ${email}` }).click();
  await page.getByRole('menuitem', { name: `${action}…` }).click();
  const dialog = page.getByRole('dialog');
  await run(dialog);
  await dialog.waitFor({ state: 'hidden' });
}

const editorPlaces = [
  ...['Home', 'All content', 'Releases', 'Files'],
  ...['Article', 'Author', 'Image', 'Section', 'Site', 'Text'],
  ...['Runs', 'Deleted assets', 'My account', 'Guide'],
];

/** The names of the pages in the navigation. */
const places = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();

async function createUser({ instance }: Journey, email: string, role: 'editor' | 'developer') {
  await instance().services.users.create({ email, password, role });
  return { email, password };
}

async function signInAs(
  { open }: Journey,
  user: { email: string; password: string },
  path: string,
): Promise<Page> {
  const page = await open(path);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel(/^Password/).fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor();
  return page;
}
