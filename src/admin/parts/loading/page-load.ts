/**
 * The code of pages, which is fetched when a page is first opened: from a server that may be away just then, or may have been
 * upgraded since, so that a file is no longer there. Loading the whole UI anew gets the present files.
 */
import { type ComponentType, lazy } from 'react';

/** The code of a page, or of a part of it, could not be loaded. */
export class PageLoadError extends Error {
  override readonly name = 'PageLoadError';
}

/** A page that is loaded when it is first drawn. It throws a PageLoadError while drawing when it cannot be loaded. */
export function lazyPage(load: () => Promise<{ default: ComponentType }>) {
  return lazy(() => loadCode(load));
}

/** The module that `load` imports. Errors: PageLoadError. */
async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    const module = await load();
    if (hasReloaded()) sessionStorage.removeItem(reloadKey);
    return module;
  } catch (cause) {
    throw new PageLoadError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Loads the UI anew at the present address. */
export function reload(): void {
  sessionStorage.setItem(reloadKey, window.location.pathname);
  window.location.reload();
}

/** Whether the UI was loaded anew at this address since its page was last there, so that doing it again would not help. */
export function hasReloaded(): boolean {
  return sessionStorage.getItem(reloadKey) === window.location.pathname;
}

const reloadKey = 'colophon.reloaded';

/** Whether the server would answer if the UI was loaded anew; the browser's own error page would take its place otherwise. */
export async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch('/admin', { method: 'HEAD', cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}
