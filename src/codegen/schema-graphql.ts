/**
 * Generates the GraphQL schema of all content types.
 */
import { createSchemaSdl } from '../graphql/schema/build-schema.ts';
import { type Generator, generatedNotice } from './generated-files.ts';

/** Generates `server/schema.graphql`. */
export const generateSchema: Generator = ({ catalog }) =>
  new Map([['server/schema.graphql', `# ${generatedNotice}\n\n${createSchemaSdl(catalog)}`]]);
