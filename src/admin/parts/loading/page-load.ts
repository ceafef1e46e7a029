/**
 * Loads the code of a page when the page is first opened. This fails if the server cannot be reached, or if it has been upgraded
 * and no longer has the file. Reloading the whole UI gets the current files.
 */
import { type ComponentType, lazy } from 'react';
import { serverUrl } from '../../base-path.ts';

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

/** Reloads the UI at the current address. */
export function reload(): void {
  sessionStorage.setItem(reloadKey, window.location.pathname);
  window.location.reload();
}

/** Whether the UI was reloaded at this address and its page still could not be loaded, so that another reload would not help. */
export function hasReloaded(): boolean {
  return sessionStorage.getItem(reloadKey) === window.location.pathname;
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
