/**
 * How soon pages of the admin UI are usable when the browser has nothing of them yet, and how long their longest tasks are: medians of a few
 * loads, on a machine that does nothing else.
 */
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { describeJourneys, finish } from '../support/browser.ts';

const article = 'com.example.news.Article';
const loads = 7;
const maxTaskMs = 200;
const assets = 200;

interface MeasuredPage {
  readonly path: string;
  /** What shows that the page can be used. */
  readonly shows: (page: Page) => ReturnType<Page['locator']>;
  readonly maxMs: number;
}

const pages: readonly MeasuredPage[] = [
  { path: '/admin', shows: (page) => page.getByRole('link', { name: 'Program 009' }), maxMs: 1_000 },
  {
    path: `/admin/content/${article}`,
    shows: (page) => page.getByRole('link', { name: `Story ${assets - 1}`, exact: true }),
    maxMs: 1_000,
  },
  { path: '/admin/explorer', shows: (page) => page.getByText('query Example').first(), maxMs: 2_500 },
];

/** Notes the duration of each long task. As a text, since the tests have no types for browser globals. */
const noteTasks = `globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true });`;

describeJourneys('pages of the admin UI', ({ instance, openSignedIn }) => {
  beforeAll(async () => {
    const { clients, content, restEndpoints, refresh } = instance().services;
    for (let n = 0; n < 10; n++) {
      await clients.create({ name: `Program 00${n}`, scopes: ['cma:read'] });
      const mappings = [{ name: 'List', query: 'query List { articleList { items { headline } } }' }];
      const body = { name: `Endpoint ${n}`, source: 'delivery', access: 'ANYONE', mappings };
      const { id } = await restEndpoints.create({ body, by: 'a test' });
      await restEndpoints.publish({ id, by: 'a test' });
    }
    for (let n = 0; n < assets; n++) {
      const body = '<p>A long story of many words. </p>'.repeat(100);
      const asset = { _type: article, slug: `story-${n}`, headline: `Story ${n}`, status: 'DRAFT', body };
      await content.create(asset, {});
    }
    await refresh();
  });

  it.each(pages)('$path is usable in time', async ({ path, shows, maxMs }) => {
    const page = await openSignedIn('/admin/deleted');
    const browser = await page.context().newCDPSession(page);
    await page.addInitScript(noteTasks);
    const usable: number[] = [];
    const tasks: number[] = [];
    for (let load = 0; load < loads; load++) {
      await page.goto('about:blank');
      await browser.send('Network.clearBrowserCache');
      const startedMs = performance.now();
      await page.goto(new URL(path, instance().url).href, { waitUntil: 'commit' });
      await shows(page).waitFor();
      usable.push(Math.round(performance.now() - startedMs));
      await page.waitForLoadState('networkidle');
      const durations = (await page.evaluate('longTasks')) as number[]; // `noteTasks` fills it.
      tasks.push(Math.round(Math.max(0, ...durations)));
    }
    console.log(path, { usable, tasks });
    expect(medianOf(usable)).toBeLessThan(maxMs);
    expect(medianOf(tasks)).toBeLessThan(maxTaskMs);
    await finish(page);
  });
});

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
