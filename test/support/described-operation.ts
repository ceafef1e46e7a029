/** Describes operations of a test schema in the way that a mapping needs. */
import { buildSchema, type DocumentNode, type GraphQLSchema, Kind, parse, validate } from 'graphql';
import type { OutputShape, PreparedOperation } from '../../src/graphql/operation.ts';
import { describeData, describeVariables } from '../../src/graphql/operations/describe-operation.ts';
import { findNonNullVariables } from '../../src/graphql/operations/non-null-variables.ts';

/** The description of an operation, without the means to run it. */
export type DescribedOperation = Pick<
  PreparedOperation,
  'kind' | 'isSingleMutation' | 'variables' | 'readTypes' | 'describeData'
> & {
  readonly name: string;
  readonly data: OutputShape;
  readonly document: DocumentNode;
};

/** Describes the only operation of a document, which must be valid. */
export function describedOperation(schema: GraphQLSchema | string, source: string): DescribedOperation {
  const built = typeof schema === 'string' ? buildSchema(schema) : schema;
  const document = parse(source);
  const [flaw] = validate(built, document);
  if (flaw) throw flaw;
  const operation = document.definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || operation.operation === 'subscription') throw new Error('no operation');
  const data = describeData(built, document, operation);
  return {
    document,
    name: operation.name?.value ?? '',
    kind: operation.operation,
    isSingleMutation: operation.operation === 'mutation' && data.size === 1,
    variables: describeVariables(built, operation, findNonNullVariables(built, document, operation)),
    readTypes: operation.operation === 'query' ? ['org.example.Article'] : [],
    data,
    describeData: () => data,
  };
}
