/**
 * The part of the store port that explains a search: which indexes it uses, which are not complete yet, and what it visits.
 */

/** An index that is being built, and that no search uses yet. */
export interface IndexProgress {
  /** The class name of its type. */
  readonly type: string;
  /** The path of its field. */
  readonly field: string;
  /** The part of the assets whose values it has, from 0 to 1. */
  readonly filled: number;
}

/** How a store has run a search. */
export interface SearchPlan {
  /** The paths of the fields whose indexes were used; `_id` is the index of all assets of a type. */
  readonly indexes: readonly string[];
  /** The indexes of the searched types that are not complete yet; absent when all are. */
  readonly incomplete?: readonly IndexProgress[];
  /** How many assets and entries of indexes were visited; absent when the database does not tell. */
  readonly rowsVisited?: number;
  /** How long it took, without waiting for its turn. */
  readonly ms: number;
}
