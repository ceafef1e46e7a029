/**
 * Loads the code of a page when the page is first opened. This fails if the server cannot be reached, or if it has been upgraded
 * and no longer has the file. Reloading the whole UI gets the current files.
 */
import { type ComponentType, lazy } from 'react';
import type { Params } from 'react-router';
import { serverUrl } from '../../base-path.ts';
import { tabValues } from '../../kept-values.ts';
import type { ReadableQuery } from './read-ahead.ts';

/** The code of a page, or of a part of it, could not be loaded. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError';
}

/** The module of a page. */
export interface PageModule {
  readonly default: ComponentType;
  /** The data that the page reads first, where it can be read ahead cheaply; `parameters` are those of the page's address. */
  readonly readAhead?: (parameters: Readonly<Params>) => readonly ReadableQuery[];
}

/** A page that is loaded when it is first drawn, or before. */
export type LazyPage = ReturnType<typeof lazyPage>;

/** A page that is loaded when it is first drawn. It throws a PageLoadError while drawing when it cannot be loaded. */
export function lazyPage(importPage: () => Promise<PageModule>) {
  let loading: Promise<PageModule> | undefined;
  /** Loads the page, once unless that fails. */
  const load = () => {
    loading ??= loadCode(importPage).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  const loadToDraw = async () => {
    const page = await load();
    if (hasReloaded()) tabValues.remove(reloadKey);
    return page;
  };
  return Object.assign(lazy(loadToDraw), { load });
}

/** The module that `load` imports. Errors: PageLoadError. */
async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new PageLoadError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Reloads the UI at the current address. */
export function reload(): void {
  tabValues.set(reloadKey, window.location.pathname);
  window.location.reload();
}

/** Whether the UI was reloaded at this address and its page still could not be loaded, so that another reload would not help. */
export function hasReloaded(): boolean {
  return tabValues.get(reloadKey) === window.location.pathname;
}

const reloadKey = 'colophon.reloaded';

/** Whether the server answers. If it does not, a reload would replace the UI with the browser's error page. */
export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch(`${serverUrl}/admin`, { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
