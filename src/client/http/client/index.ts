/** Stands in for the generated module of this name, which takes its place in the package. */
export * from '../../../../generated/client/lib/http/client/index.js';
