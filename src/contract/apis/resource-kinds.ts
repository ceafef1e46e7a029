/**
 * The kinds of resources of the admin API that the cases create.
 */

/** The kinds, by the segment of their path. */
export const resourceKinds = ['api-clients', 'graphql-endpoints', 'rest-endpoints', 'contents'] as const;
export type ResourceKind = (typeof resourceKinds)[number];
