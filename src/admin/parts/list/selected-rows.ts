/**
 * The selection of a list as the IDs of its rows.
 */
import type { RowSelection } from './resource-list.tsx';

/** Selects rows by adding their IDs to `chosen`, which `onChange` receives. */
export function selectRows<Row>({
  chosen,
  onChange,
  idOf,
}: {
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  idOf: (row: Row) => string;
}): RowSelection<Row> {
  return {
    has: (id) => chosen.has(id),
    set: (rows, isChosen) => {
      const ids = new Set(rows.map(idOf));
      onChange(new Set([...[...chosen].filter((id) => !ids.has(id)), ...(isChosen ? ids : [])]));
    },
  };
}
