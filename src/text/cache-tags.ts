/**
 * The names of cache tags, as mapped routes send them and webhooks purge them.
 *
 * A response has the tag of each asset that it shows and of their types. A response that another asset of a type could change, such as
 * a list, also has the tag of any change of the type.
 */

/** The tag of responses that show assets of a type. It is purged when too many assets have changed to name them. */
export const typeTag = (className: string): string => className;

/** The tag of responses that any change of an asset of a type may change. */
export const anyTag = (className: string): string => `${className}:any`;

/** The tag of responses that depend on too many types to name them. It is purged with every change. */
export const anyTypeTag = 'colophon:any';

/** The tag of test purges, which no response has. */
export const testTag = 'colophon:test';
