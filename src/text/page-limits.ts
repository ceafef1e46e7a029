/** How many assets a page has, in every API and in the admin UI. */

/** The number of assets on a page unless another is asked for. */
export const defaultLimit = 10;

/** The largest number of assets on a page. */
export const maxLimit = 1000;
