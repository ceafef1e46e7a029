/**
 * The pictures of the guide can be made from the present UI. `npm run docs:screenshots` runs this file and keeps them in docs/images.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/base/package-root.ts';
import { describeJourneys, finish, type Journey } from '../support/browser.ts';
import { readPage } from '../support/guide.ts';
import { fillPicturedStore, type PicturedIds, pictureSettings, pictures } from '../support/pictures.ts';

const folder = join(packageRoot, 'docs/images');
const isKept = process.env.COLOPHON_SCREENSHOTS !== undefined;
const maxBytes = 60 * 1024;

let ids: PicturedIds;

function definePictures({ openSignedIn }: Journey): void {
  it('are all made, small, and shown with a text that describes them', async () => {
    const page = await openSignedIn('/admin', { height: 800, timezoneId: 'Europe/Berlin' });
    const guide = readPage('docs/admin-ui.md');
    for (const { name, path, prepare } of pictures) {
      await page.goto(path(ids));
      await prepare(page);
      await expect.poll(() => page.getByLabel('Loading', { exact: true }).count()).toBe(0);
      const picture = await takePicture(page);
      expect({ name, isSmall: picture.length < maxBytes, isPicture: picture.length > 5000 }).toEqual({
        name,
        isSmall: true,
        isPicture: true,
      });
      const file = join(folder, `${name}.webp`);
      if (isKept) writeFileSync(file, picture);
      expect(existsSync(file), file).toBe(true);
      expect(guide).toMatch(new RegExp(`!\\[[^\\]]{20,}\\]\\(images/${name}\\.webp\\)`));
    }
    await finish(page);
  });
}

describeJourneys('the pictures of the guide', definePictures, {
  settings: pictureSettings,
  async prepareStore(location) {
    ids = await fillPicturedStore(location);
  },
});

/** Takes a picture of what the window shows, as sharp as fits into the size. Playwright itself knows no WebP. */
async function takePicture(page: Page): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  let picture = Buffer.alloc(0);
  for (const quality of [80, 60, 40, 20]) {
    const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality });
    picture = Buffer.from(data, 'base64');
    if (picture.length < maxBytes) break;
  }
  await browser.detach();
  return picture;
}
