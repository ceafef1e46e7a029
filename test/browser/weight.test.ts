/** How much the browser loads before the first page is usable. */
import type { Page, Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { describeJourneys, finish } from '../support/browser.ts';

const maxFirstPageBytes = 300 * 1024;

/** Collects all further responses that a page receives. */
function collectResponses(page: Page): Response[] {
  const responses: Response[] = [];
  page.on('response', (response) => responses.push(response));
  return responses;
}

async function bytesOf(responses: readonly Response[]): Promise<number> {
  const lengths = await Promise.all(responses.map((response) => response.headerValue('content-length')));
  return lengths.reduce((sum, length) => sum + Number(length), 0);
}

describeJourneys('the download size of the admin UI', ({ openSignedIn }) => {
  it('is below 300 KB for the first page, and large parts load when opened', async () => {
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
