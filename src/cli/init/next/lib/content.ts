/**
 * Reads the content of the site by the routes of the REST endpoint "Blog".
 *
 * Live content is cached under the cache tags of its query, and `app/api/revalidate` receives the tags of what has changed. A preview
 * is never cached.
 */
import { createRoutes, NotFoundError, UnauthorizedError } from 'colophon-client/routes';
import { cache } from 'react';

const { blog } = createRoutes({
  baseUrl: process.env.COLOPHON_URL ?? 'http://127.0.0.1:4000',
  // Needed if the endpoint has the access API_KEY.
  apiKey: process.env.COLOPHON_API_KEY || undefined,
});

/** What is found with a preview link that has ended. */
export const previewEnded = 'preview ended' as const;

/** Finds the posts, newest first. `preview` is the token of a preview link. */
export const findPosts = cache((preview?: string) =>
  settle(blog.posts({}, optionsOf(blog.posts, preview)), preview),
);

/** Finds a post; `undefined` if there is none. */
export const findPost = cache((slug: string, preview?: string) =>
  settle(blog.post({ slug }, optionsOf(blog.post, preview)), preview),
);

/** Live content is read again after five minutes at the latest, in case the site was down when it changed. */
const optionsOf = ({ cacheTags }: { cacheTags: string[] }, preview: string | undefined) =>
  preview === undefined ? { fetch: { next: { tags: cacheTags, revalidate: 300 } } } : { preview };

/** Waits for content, and returns what a page can show where there is none. */
async function settle<Content>(reading: Promise<Content>, preview: string | undefined) {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (error instanceof UnauthorizedError && preview !== undefined) return previewEnded;
    throw error;
  }
}
