/** The parameter `preview` of a page: the token of a preview link. */

/** The query string of a page, as Next.js gives it. */
export type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** Reads the token that a page was opened with. */
export async function readPreview(searchParams: SearchParams): Promise<string | undefined> {
  const { preview } = await searchParams;
  return typeof preview === 'string' && preview !== '' ? preview : undefined;
}

/** Returns the address of a page, in the same preview. */
export const toHref = (path: string, preview: string | undefined): string =>
  preview === undefined ? path : `${path}?preview=${encodeURIComponent(preview)}`;
