/**
 * A real browser on a running instance, for whole journeys through the admin UI.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startInstance, type TestInstance } from './instance.ts';
import { type StorePlace, sqlitePlace } from './stores.ts';

/** Debian's Chromium; tests that need it say so where it is missing, and fail under CI. */
const executablePath = '/usr/bin/chromium';

/** What journeys are made with. */
export interface Journey {
  readonly instance: () => TestInstance;
  /** The store of the instance, for further servers on it. */
  readonly place: StorePlace;
  /** The user whom `signIn` signs in. */
  readonly user: { readonly email: string; readonly password: string };
  /** Opens a page of its own context; `path` is one of the UI's. */
  open(path: string, options?: PageOptions): Promise<Page>;
  /** Opens a page as the user. */
  openSignedIn(path: string, options?: PageOptions): Promise<Page>;
}

/** How a page is looked at. */
export interface PageOptions {
  readonly colorScheme?: 'light' | 'dark';
  /** In CSS pixels. */
  readonly width?: number;
  /** Of the browser; that of this machine unless another is given. */
  readonly timezoneId?: string;
}

/** Runs journeys in Chromium on an instance of their own; each page must end without an error in its console. */
export function describeJourneys(name: string, define: (journey: Journey) => void): void {
  const isMissing = !existsSync(executablePath);
  if (isMissing && process.env.CI) throw new Error(`${executablePath} is missing`);
  describe.skipIf(isMissing)(isMissing ? `${name} (skipped: no ${executablePath})` : name, () => {
    let browser: Browser;
    let running: TestInstance;
    const place = sqlitePlace();
    const user = { email: 'editor@example.org', password: 'correct horse battery' };
    beforeAll(async () => {
      running = await startInstance(place);
      await running.services.users.create(user);
      browser = await chromium.launch({ executablePath, args: flags });
    });
    afterAll(async () => {
      await browser?.close();
      await running?.stop();
      await place.remove();
    });

    async function open(
      path: string,
      { colorScheme = 'light', width = 1280, timezoneId }: PageOptions = {},
    ): Promise<Page> {
      const context = await browser.newContext({
        baseURL: running.url,
        colorScheme,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
        ...(timezoneId === undefined ? {} : { timezoneId }),
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      watchConsole(page);
      await page.goto(path);
      return page;
    }

    async function openSignedIn(path: string, options?: PageOptions): Promise<Page> {
      const page = await open(path, options);
      await page.getByLabel('Email').fill(user.email);
      await page.getByLabel(/^Password/).fill(user.password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
      return page;
    }

    define({ instance: () => running, place, user, open, openSignedIn });
  });
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** What the console of a page said against it. */
const complaints = new WeakMap<Page, string[]>();

function watchConsole(page: Page): void {
  const said: string[] = [];
  complaints.set(page, said);
  page.on('console', (message) => {
    // The browser itself reports each answer that is no success; what the page makes of it is tested.
    const isStatus = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !isStatus) said.push(message.text());
  });
  page.on('pageerror', (error) => said.push(String(error)));
}

/** Closes a page, whose console must have stayed empty. */
export async function finish(page: Page): Promise<void> {
  await page.context().close();
  expect(complaints.get(page)).toEqual([]);
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Asserts that axe-core finds nothing serious on a page as it stands; `without` selects what is a library's own and cannot be
 * mended here.
 */
export async function expectAccessible(
  page: Page,
  { without = [] }: { without?: string[] } = {},
): Promise<void> {
  // As an expression of its own, which the page's content security policy lets the debugger evaluate.
  await page.evaluate(axe);
  const violations = await page.evaluate(async (exclude) => {
    const { axe } = globalThis as unknown as { axe: Axe };
    return (await axe.run({ exclude })).violations;
  }, without);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.map(({ html }) => html) }))).toEqual(
    [],
  );
}

interface Axe {
  run(context: { exclude: string[] }): Promise<{ violations: Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}
