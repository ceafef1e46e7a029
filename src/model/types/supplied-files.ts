/**
 * The names of the SDL files that come with Colophon and belong to every catalog, below its folder `graphql`.
 */
export const suppliedFiles = ['directives.graphql', 'content/site.graphql'] as const;
