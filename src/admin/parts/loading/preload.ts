/**
 * Loads the code of a page, and the data that it reads first, before the page is opened: when the mouse rests on a link to it, when
 * a link gets the focus, or when it is touched. A failure shows nothing; the page reports it when it is opened.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { isValidElement, useEffect } from 'react';
import { matchRoutes, type RouteObject } from 'react-router';
import { pageBasePath } from '../../base-path.ts';
import type { LazyPage } from './page-load.ts';
import { readAhead } from './read-ahead.ts';

/** For how long the mouse has to rest on a link. Passing over a list should load nothing. */
const restMs = 60;

/** Loads ahead what the links of the current page lead to. */
export function usePreload(routes: RouteObject[]): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onTarget = (event: Event) => {
      clearTimeout(timer);
      const path = findPagePath(event.target);
      if (path === undefined) return;
      const waitMs = event.type === 'pointerover' ? restMs : 0;
      timer = setTimeout(() => void loadPage(routes, path, client), waitMs);
    };
    const events = ['pointerover', 'pointerdown', 'focusin'];
    for (const type of events) document.addEventListener(type, onTarget, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const type of events) document.removeEventListener(type, onTarget);
    };
  }, [routes, client]);
}

/** Loads the code of the page at a path, and with a client the data that it reads first. */
export async function loadPage(routes: RouteObject[], path: string, client?: QueryClient): Promise<void> {
  const matches = matchRoutes(routes, path, pageBasePath) ?? [];
  await Promise.allSettled(
    matches.map(async ({ route, params }) => {
      const page = findPage(route);
      if (!page) return;
      const module = await page.load();
      if (client && module.readAhead) await readAhead(client, module.readAhead(params));
    }),
  );
}

/** The path of the page that an element of a link leads to, if it leads to another page of the UI. */
function findPagePath(target: EventTarget | null): string | undefined {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.download !== '' || link.origin !== window.location.origin) return undefined;
  return link.pathname === window.location.pathname ? undefined : link.pathname;
}

/** The lazy page that a route draws. */
function findPage({ element }: RouteObject): LazyPage | undefined {
  if (!isValidElement(element)) return undefined;
  const { type } = element;
  // Only pages that `lazyPage` made have a function `load`.
  return typeof type === 'object' && 'load' in type ? (type as LazyPage) : undefined;
}
