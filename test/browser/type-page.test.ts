/** The page of a content type, read by an editor who writes no SDL and by a developer. */
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, expectAccessible, finish } from '../support/browser.ts';
import { expectToFit, showIn } from '../support/displayed-page.ts';

const article = 'com.example.news.Article';
const author = 'com.example.news.Author';

describeJourneys('the page of a content type', ({ instance, open, openSignedIn }) => {
  beforeAll(async () => {
    const { content, webhooks, restEndpoints } = instance().services;
    const create = (fields: object) =>
      content.create({ _type: article, headline: 'A story', status: 'DRAFT', ...fields }, {});
    await create({ slug: 'one', summary: 'Short.' });
    await create({ slug: 'two' });
    const hook = { url: 'https://example.com/', actions: ['create' as const], payload: 'thin' as const };
    await webhooks.create({ ...hook, name: 'Search index', types: [article] });
    await webhooks.create({ ...hook, name: 'Authors only', types: [author] });
    const mappings = [{ name: 'All', query: 'query All { articleList { items { slug } } }' }];
    const body = { name: 'News', source: 'delivery', access: 'API_KEY', mappings };
    const { id } = await restEndpoints.create({ body, by: 'a test' });
    await restEndpoints.publish({ id, by: 'a test' });
    await instance().services.publishedApis.refresh();
    await instance().createClient({ name: 'Newsroom import', scopes: ['cma:write'] });
    await instance().createClient({ name: 'Monitoring', scopes: ['metrics'] });
  });

  it('says in plain words what an editor can write, and leads to the assets and the types around', async () => {
    const editor = { email: 'plain@example.org', password: 'correct horse battery' };
    await instance().services.users.create({ ...editor, role: 'editor' });
    const page = await open('/admin/sign-in');
    expect((await page.request.post('/api/admin/session', { data: editor })).status()).toBe(200);
    await page.goto(`/admin/content/${article}`);
    await page.getByRole('button', { name: 'About Article' }).click();
    await page.getByRole('link', { name: 'Fields, references and use' }).click();
    await page.getByRole('heading', { name: 'Article', level: 1 }).waitFor();
    await page.getByText('A piece of news.').waitFor();
    const fields = page.getByRole('table', { name: 'Fields of Article' });
    const row = (name: string) => fields.getByRole('row').filter({ hasText: name });
    await row('summary').getByText('Text, at most 500 characters').waitFor();
    await row('summary').getByText('One or two sentences for lists.').waitFor();
    await row('score').getByText('Number from 0 to 1').waitFor();
    await row('status').getByText('One of Draft, Review, Published, or Archived').waitFor();
    await row('related')
      .getByText('List of references to Article, Author, or Section, at most 20 items')
      .waitFor();
    await row('headline').getByText('required, searchable').waitFor();
    await row('slug').getByText('required, unique').waitFor();
    await row('sources').getByText('List of groups of fields: Source').waitFor();
    await page.getByRole('table', { name: 'Fields of Place' }).waitFor();
    await expectAccessible(page);
    for (const hidden of [
      page.getByRole('region', { name: 'Used by' }),
      page.getByRole('button', { name: 'SDL' }),
    ])
      expect(await hidden.count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectToFit(page);
    await expectAccessible(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    const parts = page.getByRole('navigation', { name: 'Parts of the page' });
    expect(await parts.getByRole('link').allTextContents()).toEqual(['Fields', 'References']);
    await parts.getByRole('link', { name: 'References' }).click();
    await page.getByRole('heading', { name: 'References' }).waitFor();
    expect(page.url()).toMatch(/#references$/);
    await page.goto(page.url().replace(/#.*/, ''));
    const facts = page.getByRole('table', { name: 'Facts' });
    await facts.getByRole('link', { name: '2 assets' }).waitFor();
    await fields.getByRole('link', { name: 'Summary' }).click();
    await page.getByText('1 asset found').waitFor();
    await page.goBack();
    await page
      .getByRole('list', { name: 'From its assets to' })
      .getByRole('link', { name: 'Author' })
      .click();
    await page.getByRole('heading', { name: 'Author', level: 1 }).waitFor();
    const from = page.getByRole('list', { name: 'To its assets from' }).getByRole('listitem');
    await expect.poll(() => from.allTextContents()).toEqual(['Article: Author; Related']);
    await facts.getByRole('link', { name: 'Page' }).click();
    await facts
      .getByRole('row')
      .filter({ hasText: 'Stands for' })
      .getByText('Article, Author, Section')
      .waitFor();
    await finish(page);
  });

  it('tells a developer who uses the type, and shows its SDL', async () => {
    const page = await openSignedIn('/admin/types');
    await page.getByRole('table', { name: 'Types' }).getByRole('link', { name: 'Article' }).click();
    const uses = page.getByRole('region', { name: 'Used by' });
    await uses.getByText('delivery (reads)').waitFor();
    await uses.getByText(/GET \/\S+ News, All \(reads\)/).waitFor();
    await uses.getByText('Search index (create)').waitFor();
    await uses.getByText('Newsroom import (cma:write)').waitFor();
    expect(await uses.getByText(/Authors only|Monitoring/).count()).toBe(0);
    await page.getByRole('button', { name: 'SDL' }).click();
    const sdl = page.getByRole('group', { name: 'SDL of Article in content/news.graphql' });
    await sdl.getByText('"A piece of news."').waitFor();
    expect(await sdl.textContent()).toMatch(
      /^"A piece of news\."\ntype Article implements Page .*importData: JSON\n\}$/s,
    );
    await expectAccessible(page);
    await showIn(page, 'dark');
    await expectAccessible(page);
    await uses.getByRole('link', { name: 'Search index' }).click();
    await page.getByRole('heading', { name: 'Search index', level: 1 }).waitFor();
    await page.goto('/admin/types/com.example.Nothing');
    await page.getByRole('alert', { name: 'Could not load: com.example.Nothing' }).waitFor();
    await expectAccessible(page);
    await finish(page);
  });
});
