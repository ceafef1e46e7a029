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

/**
 * Focuses each control of the page, and expects that a ring, its own or that of what it stands in, has a contrast of at least 3 to 1 with
 * what is around. Editors of code show a caret.
 */
export async function expectVisibleFocus(page: Page): Promise<void> {
  // As text, since the tests have no types for browser globals.
  expect(await page.evaluate(findWeakFocus)).toEqual([]);
}

const findWeakFocus = `(() => {
  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const toRgba = (color) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = color;
    pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, ground) => [0, 1, 2].map((i) => top[i] * top[3] + ground[i] * (1 - top[3]));
  const groundOf = (element) =>
    element
      ? over(toRgba(getComputedStyle(element).backgroundColor), groundOf(element.parentElement))
      : [255, 255, 255];
  const luminance = (color) => {
    const [r, g, b] = color.map((part) => (part / 255 <= 0.04045 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ringContrast = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    if (outlineStyle === 'none' || parseFloat(outlineWidth) < 1) return 0;
    const ground = groundOf(element.parentElement);
    const [low, high] = [luminance(ground), luminance(over(toRgba(outlineColor), ground))].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const weak = [];
  const focused = document.activeElement;
  for (const control of document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')) {
    if (!control.checkVisibility() || control.tabIndex < 0 || control.closest('.monaco-editor, .cm-editor')) continue;
    control.focus({ focusVisible: true, preventScroll: true });
    if (document.activeElement !== control) continue;
    const rings = [control, control.nextElementSibling, control.parentElement, control.closest('.mantine-Input-input, .colophon-rich-text')];
    if (Math.max(...rings.map((element) => (element ? ringContrast(element) : 0))) < 3)
      weak.push((control.ariaLabel ?? control.textContent).trim().slice(0, 60) + ' ' + control.outerHTML.slice(0, 120));
  }
  focused.focus({ preventScroll: true });
  return weak;
})()`;
