/**
 * Finds conditions of filters that a document leaves empty, `or: []` and `in: []`. They are valid and hold for nothing, which is rarely meant;
 * a variable may be empty on purpose.
 */
import { type DocumentNode, Kind, type OperationDefinitionNode, visit } from 'graphql';
import type { EmptyFilter } from '../operation.ts';
import { fragmentsOf, positionOf } from '../operations/read-document.ts';
import { findFilter } from './check-filter.ts';

/** Finds the empty conditions in the filters of one operation of a valid document. */
export function findEmptyFilters(document: DocumentNode, operation: OperationDefinitionNode): EmptyFilter[] {
  const found: EmptyFilter[] = [];
  const definitions = [operation, ...fragmentsOf(document).values()];
  visit(
    { kind: Kind.DOCUMENT, definitions },
    {
      Field(field) {
        const filter = findFilter(field);
        if (!filter) return;
        visit(filter, {
          ObjectField({ name: { value: name }, value }) {
            if ((name !== 'or' && name !== 'in') || value.kind !== Kind.LIST || value.values.length > 0)
              return;
            found.push({ list: field.name.value, condition: `${name}: []`, ...positionOf(value) });
          },
        });
      },
    },
  );
  return found;
}
