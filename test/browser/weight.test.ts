/** What the browser has to load before the first page can be used. */
import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, finish } from '../support/browser.ts';

const maxFirstPageBytes = 300 * 1024;

/** The responses a page gets from here on. */
function collectResponses(page: Page): Response[] {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  return responses;
}

async function bytesOf(responses: readonly Response[]): Promise<number> {
  const lengths = await Promise.all(responses.map((response) => response.headerValue('content-length')));
  return lengths.reduce((sum, length) => sum + Number(length), 0);
}

describeJourneys('the weight of the admin UI', ({ openSignedIn }) => {
  it('is below 300 KB for the first page, and what is large comes where it is opened', async () => {
    const page = await openSignedIn('/admin');
    const first = collectResponses(page);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Network.clearBrowserCache');
    await page.reload();
    await page.getByRole('heading', { name: 'APIs', level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(first.length).toBeGreaterThan(2);
    expect(await bytesOf(first)).toBeLessThan(maxFirstPageBytes);
    const further = collectResponses(page);
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Explorer' }).click();
    await page.locator('.graphiql-container').waitFor();
    expect(await bytesOf(further.filter((response) => response.url().includes('/assets/')))).toBeGreaterThan(
      maxFirstPageBytes,
    );
    await finish(page);
  });
});
