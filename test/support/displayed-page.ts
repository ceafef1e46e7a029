/** How a page is displayed: its colours, and its width on a small screen. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export const colorSchemes = ['light', 'dark'] as const;
export type ColorScheme = (typeof colorSchemes)[number];

/** The colours that the page shows. As texts, since the tests have no types for browser globals. */
const shownColors = 'document.documentElement.dataset.mantineColorScheme';

/** Reads the colour scheme that the page shows. */
export const colorsOf = (page: Page): Promise<string> => page.evaluate(shownColors);

/** Lets the browser prefer a colour scheme, and waits until the page has it. */
export async function showIn(page: Page, colorScheme: ColorScheme): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect.poll(() => page.evaluate(shownColors)).toBe(colorScheme);
  // Buttons of the reference change their colours over some 300 ms.
  const changing = 'document.getAnimations().filter((one) => one instanceof CSSTransition).length';
  await expect.poll(() => page.evaluate(changing)).toBe(0);
}

/** Shows the page on a screen of a width in CSS pixels, and expects that it does not scroll horizontally. */
export async function expectToFit(page: Page, width = 360): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  // As text, since the tests have no types for browser globals.
  // The header does not widen the page, because it stands above it.
  const tooWide = `Math.max(...[document.documentElement, ...document.querySelectorAll('header')].map(
    (box) => box.scrollWidth - box.clientWidth))`;
  await expect.poll(() => page.evaluate(tooWide)).toBe(0);
}

/** Replaces the identifiers on the page by one at which the browser breaks no line: a hyphen before a letter would allow it to. */
export async function showUnbreakableIds(page: Page): Promise<void> {
  const replaceIds = `
    const nodes = document.createNodeIterator(document.body, NodeFilter.SHOW_TEXT);
    for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
      node.nodeValue = node.nodeValue.replace(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        '00000000-0000-7000-8000-000000000000',
      );
    }`;
  await page.evaluate(replaceIds);
}
