/**
 * The part of the store port that explains a search: which indexes it uses, and what it visits.
 */

/** How a store has run a search. */
export interface SearchPlan {
  /** The paths of the fields whose indexes were used; `_id` is the index of all assets of a type. */
  readonly indexes: readonly string[];
  /** How many assets and entries of indexes were visited; absent when the database does not tell. */
  readonly rowsVisited?: number;
  /** How long it took, without waiting for its turn. */
  readonly ms: number;
}
