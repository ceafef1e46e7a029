/**
 * The pages that the user opened last, which the browser keeps until the user signs out.
 */
import { browserValues } from '../../kept-values.ts';

/** A page with its title; `path` is its address below the base path. */
export interface RecentPage {
  readonly path: string;
  readonly title: string;
}

const key = 'colophon.recent';
const maxPages = 8;

/** The pages, the last one first. */
export function readRecentPages(): readonly RecentPage[] {
  const kept = browserValues.getJson(key);
  return Array.isArray(kept) ? kept.filter(isPage) : [];
}

/** Keeps a page as the last one. */
export function keepRecentPage(page: RecentPage): void {
  const others = readRecentPages().filter(({ path }) => path !== page.path);
  browserValues.set(key, JSON.stringify([page, ...others].slice(0, maxPages)));
}

/** Forgets all. */
export function forgetRecentPages(): void {
  browserValues.remove(key);
}

const isPage = (value: unknown): value is RecentPage => {
  const { path, title } = Object(value);
  return typeof path === 'string' && typeof title === 'string';
};
