/** The guide as the server serves it: its scripts run under the content security policy, and its search works. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { describeJourneys, finish } from '../support/browser.ts';

const isMissing = !existsSync(join(packageRoot, 'dist/docs/index.html'));
if (isMissing && process.env.CI) throw new Error('The guide is not built: npm run docs:build');

describe.skipIf(isMissing)(isMissing ? 'the guide (skipped: npm run docs:build)' : 'the guide', () => {
  describeJourneys('in the browser', ({ open }) => {
    it('opens a page from the start page without reloading the site', async () => {
      const page = await open('/docs/guide');
      await page.getByRole('link', { name: 'Get started' }).click();
      await page.getByRole('heading', { name: 'Getting started', level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/docs/guide/getting-started');
      await page.reload();
      await page.getByRole('heading', { name: 'Load the demo' }).waitFor();
      // On paper there is the text alone.
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('navigation', { name: 'Main navigation' }).isVisible()).toBe(false);
      expect(await page.getByRole('heading', { name: 'Load the demo' }).isVisible()).toBe(true);
      await finish(page);
    });

    it('finds a term with its search', async () => {
      const page = await open('/docs/guide/glossary');
      // Until its scripts run, the page shows a button that does nothing.
      await page.waitForFunction('document.getElementById("app").__vue_app__ !== undefined');
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.getByRole('searchbox').fill('idempotency');
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => !url.pathname.endsWith('/glossary') || url.hash !== '');
      await finish(page);
    });
  });
});
