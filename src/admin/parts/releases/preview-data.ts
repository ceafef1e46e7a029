/**
 * Reads and changes what previews need: the links of a release, and the addresses of pages.
 *
 * The server returns the token of a link once. The tokens of the links that this tab has created are kept while it is open.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiProblem, admin, answer, type CreatedPreviewLink } from '../../api.ts';

/** The links of a release that have not ended. */
export const previewLinks = (release: string) =>
  queryOptions({
    queryKey: ['releases', 'preview-links', release],
    queryFn: async () => (await answer(admin.listPreviewLinks({ path: { release } }))).items,
  });

/** The links with their tokens that this tab has created for a release. */
const createdLinks = (release: string) =>
  queryOptions({
    queryKey: ['created-preview-links', release],
    queryFn: (): readonly CreatedPreviewLink[] => [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

const dayMs = 86_400_000;

/** How long a link lasts, in days. */
export const durations = [1, 7, 28] as const;

/** Creates a link that lasts some days from now, which `nowMs` tells. */
export async function createLink(
  client: QueryClient,
  { release, days, nowMs }: { release: string; days: number; nowMs: () => number },
): Promise<CreatedPreviewLink> {
  const body = { expiresAt: nowMs() + days * dayMs };
  const link = await answer(admin.createPreviewLink({ path: { release }, body }));
  // Begins the list with its options: what is only set is dropped after some minutes.
  await client.ensureQueryData(createdLinks(release));
  client.setQueryData(createdLinks(release).queryKey, (links = []) => [...links, link]);
  await client.invalidateQueries({ queryKey: previewLinks(release).queryKey });
  return link;
}

/** Ends a link at once. */
export async function endLink(client: QueryClient, release: string, id: string): Promise<void> {
  try {
    await answer(admin.revokePreviewLink({ path: { release, link: id } }));
  } catch (error) {
    // It has ended already.
    if (!(error instanceof ApiProblem && error.status === 404)) throw error;
  }
  await client.invalidateQueries({ queryKey: previewLinks(release).queryKey });
}

/** Returns the token of a link that this tab has created and that still works, or of a new one that lasts a day. */
async function readToken(
  client: QueryClient,
  { release, nowMs }: { release: string; nowMs: () => number },
): Promise<string> {
  const present = await client.fetchQuery(previewLinks(release));
  const created = client.getQueryData(createdLinks(release).queryKey) ?? [];
  const known = created.findLast(({ id }) => present.some((link) => link.id === id));
  return (known ?? (await createLink(client, { release, days: 1, nowMs }))).token;
}

/** The page that shows an asset, and its address with the token of a link; null where the asset has no page. */
export const previewOf = (
  client: QueryClient,
  { id, release, nowMs }: { id: string; release: string; nowMs: () => number },
) =>
  queryOptions({
    queryKey: ['contents', id, 'preview', release],
    queryFn: async () => {
      const page = await readAddress(id, release);
      return page === undefined
        ? null
        : { page, address: withToken(page, await readToken(client, { release, nowMs })) };
    },
    gcTime: 0,
    // Looking at another window must not create a link in place of one that has ended.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** The address of a page with the token of a link; without a page, what to add to an address. */
export function withToken(page: string | undefined, token: string): string {
  if (page === undefined) return `?preview=${token}`;
  const url = new URL(page);
  url.searchParams.set('preview', token);
  return url.href;
}

async function readAddress(id: string, release: string): Promise<string | undefined> {
  const { error, response } = await admin.getContent({ path: { id }, query: { release } });
  if (!response?.ok) throw new ApiProblem(response?.status ?? 0, error ?? {});
  return /<([^>]*)>; rel="preview"/.exec(response.headers.get('Link') ?? '')?.[1];
}
