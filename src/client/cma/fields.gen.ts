/** Stands in for the generated module of this name, which takes its place in the package. */
export type * from '../../../generated/client/lib/cma/fields.gen.js';
