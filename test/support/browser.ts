/**
 * Browser tests: Chromium on a running instance, for journeys through the admin UI.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Config } from '../../src/app/config/config.ts';
import { startInstance, type TestInstance } from './instance.ts';
import { type StoreLocation, sqliteLocation } from './stores.ts';

/**
 * Debian's Chromium: its shell without windows, which takes half of the processor time, or else the whole browser. Where both are
 * missing, the tests are skipped visibly, and fail under CI.
 */
export const chromiumPath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);

/** The tools of a journey. */
export interface Journey {
  readonly instance: () => TestInstance;
  /** The store of the instance; a test may start further servers on it. */
  readonly location: StoreLocation;
  /** The user that `openSignedIn` signs in. */
  readonly user: { readonly email: string; readonly password: string };
  /** Opens a path of the UI with no cookies and nothing stored, in a context that no open page shares. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** Opens a page with a session of the user, by the form of the sign-in page where the path leads there or elsewhere. */
  openSignedIn(path: string, options?: PageOptions): Promise<Page>;
}

/** Settings of the browser for a page. */
export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  /** In CSS pixels, as the height. */
  readonly width?: number;
  readonly height?: number;
  /** The time zone of the browser; by default that of this machine. */
  readonly timezoneId?: string;
  /** Whether pages may run scripts; they may by default. */
  readonly javaScriptEnabled?: boolean;
}

/** What a journey has other than a default instance that the browser reaches directly. */
export interface JourneySetup {
  readonly settings?: Partial<Config> | (() => Promise<Partial<Config>>);
  /** Whether the browser keeps the code of the UI from one test to the next, as it does by default, which saves a second for each. */
  readonly keepsCode?: boolean;
  /** Writes to the store before the instance starts. */
  prepareStore?(location: StoreLocation): Promise<void>;
  /** Starts what the browser sends its requests to in place of the instance. */
  startProxy?(instanceUrl: string): Promise<{ readonly url: string; stop(): Promise<void> }>;
}

/** Runs journeys in Chromium on a new instance; `finish` fails when the console of a page reported an error. */
export function describeJourneys(
  name: string,
  define: (journey: Journey) => void,
  { settings, keepsCode = true, prepareStore, startProxy }: JourneySetup = {},
): void {
  if (!chromiumPath && process.env.CI) throw new Error('Chromium is missing');
  describe.skipIf(!chromiumPath)(chromiumPath ? name : `${name} (skipped: Chromium is missing)`, () => {
    let browser: Browser;
    let kept: BrowserContext | undefined;
    let running: TestInstance;
    let proxy: Awaited<ReturnType<NonNullable<typeof startProxy>>> | undefined;
    const location = sqliteLocation();
    const user = { email: 'editor@example.org', password: 'correct horse battery' };
    beforeAll(async () => {
      await prepareStore?.(location);
      running = await startInstance(location, typeof settings === 'function' ? await settings() : settings);
      proxy = await startProxy?.(running.url);
      await running.services.users.create(user);
      browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: flags });
    });
    afterAll(async () => {
      await browser?.close();
      await proxy?.stop();
      await running?.stop();
      await location.remove();
    });

    async function open(path: string, options?: PageOptions): Promise<Page> {
      const page = await openBlank(options);
      await page.goto(path);
      return page;
    }

    async function openBlank(options?: PageOptions): Promise<Page> {
      const reuses = keepsCode && options === undefined && !kept?.pages().length;
      const page = await (reuses ? openEmptied() : (await openContext(options)).newPage());
      page.setDefaultTimeout(60_000);
      watchConsole(page);
      return page;
    }

    /** Opens a page in the context that earlier tests have used: everything but the code of the UI is as in a new one. */
    async function openEmptied(): Promise<Page> {
      kept ??= await openContext();
      const context = kept;
      if (!keptContexts.has(context))
        context.once('close', () => {
          kept = undefined;
        });
      keptContexts.add(context);
      const page = await context.newPage();
      await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
      const devtools = await context.newCDPSession(page);
      const { origin } = new URL(proxy?.url ?? running.url);
      await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb' });
      await devtools.detach();
      return page;
    }

    function openContext({
      colorScheme = 'light',
      width = 1280,
      height = 900,
      timezoneId,
      javaScriptEnabled = true,
    }: PageOptions = {}): Promise<BrowserContext> {
      return browser.newContext({
        baseURL: proxy?.url ?? running.url,
        ignoreHTTPSErrors: true,
        colorScheme,
        viewport: { width, height },
        reducedMotion: 'reduce',
        javaScriptEnabled,
        ...(timezoneId === undefined ? {} : { timezoneId }),
      });
    }

    async function openSignedIn(path: string, options?: PageOptions): Promise<Page> {
      const page = await openBlank(options);
      // Without the form, which has its own tests: to load and fill it in costs a fifth of the time of most others.
      if (path.startsWith('/admin') && !path.startsWith('/admin/sign-in')) {
        const session = await page.request.post('/api/admin/session', { data: user });
        expect(session.status()).toBe(200);
        await page.goto(path);
      } else {
        await page.goto(path);
        await page.getByLabel('Email').fill(user.email);
        await page.getByLabel(/^Password/).fill(user.password);
        await page.getByRole('button', { name: 'Sign in' }).click();
      }
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      return page;
    }

    define({ instance: () => running, location, user, open, openSignedIn });
  });
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  // A process less for each browser.
  '--in-process-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The errors and warnings that the console of each page reported. */
const consoleErrors = new WeakMap<Page, string[]>();

/** The contexts that later tests use again. */
const keptContexts = new WeakSet<BrowserContext>();

function watchConsole(page: Page): void {
  const reported: string[] = [];
  consoleErrors.set(page, reported);
  page.on('console', (message) => {
    // The browser reports every unsuccessful response by itself; the tests check how the page handles it.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isStatus) reported.push(message.text());
  });
  page.on('pageerror', (error) => reported.push(String(error)));
}

/** Closes all pages of a page's context, and asserts that the console of the page reported no errors or warnings. */
export async function finish(page: Page): Promise<void> {
  const context = page.context();
  if (keptContexts.has(context)) await Promise.all(context.pages().map((one) => one.close()));
  else await context.close();
  expect(consoleErrors.get(page)).toEqual([]);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Asserts that axe-core finds no violation on the page, once the page shows its title. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // A separate expression: the page's content security policy lets the debugger evaluate it, but forbids a script.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: Axe };
    // What a frame shows belongs to another site, the cells of a new table are empty, and lists that float are outside the landmarks.
    const rules = { 'empty-table-header': { enabled: false }, region: { enabled: false } };
    return (await axe.run({ resultTypes: ['violations'], iframes: false, preload: false, rules })).violations;
  });
  expect(
    violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) })),
  ).toEqual([]);
}

interface Axe {
  /** With result types, axe gathers the elements of those alone, in half of the time. */
  run(options: {
    resultTypes: readonly string[];
    iframes: boolean;
    /** Whether axe fetches the stylesheets for rules that are not asked for here; it says so in the console when it cannot. */
    preload: boolean;
    rules: Readonly<Record<string, { readonly enabled: boolean }>>;
  }): Promise<{ violations: Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}
