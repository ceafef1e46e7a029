/**
 * Where the server is: the path of its public URL, and addresses below it. The links between pages are relative to it already.
 */

/** The path of the public URL, such as `/cms`; empty if it has none. The server puts it into the built page. */
const basePath = import.meta.env.BASE_URL.replace(/(\/admin)?\/$/, '');

/** The address of the server, without a slash at the end. */
export const serverUrl = window.location.origin + basePath;

/**
 * The path of this page's address that all its pages have in common: the path of the public URL, except where a page is opened at the
 * server itself, past the proxy that adds it.
 */
export const pageBasePath =
  `${window.location.pathname}/`.startsWith(`${basePath}/`) && basePath !== '' ? basePath : '/';

/** Returns the path that a link to a page needs where no router adds the rest. */
export const toHref = (path: string) => (pageBasePath === '/' ? path : pageBasePath + path);
