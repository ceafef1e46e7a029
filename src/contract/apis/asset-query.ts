/**
 * Queries of assets, and their parameters in a URL.
 */

/** A query; `ids` are the assets among which to find. */
export interface AssetQuery {
  readonly from: string;
  readonly ids?: readonly string[];
  readonly where?: string;
  readonly values?: readonly string[];
  readonly offset?: number;
  readonly limit?: number;
  readonly count?: boolean;
  readonly sort?: string;
  readonly cursor?: string;
  readonly facets?: string;
  readonly fields?: string;
  readonly include?: string;
  readonly explain?: boolean;
}

/** Returns the parameters of a query. */
export function toQuery({ from, ids, where, values = [], ...rest }: AssetQuery): [string, string][] {
  const held = ids ? `_id in [${ids.join(', ')}]` : undefined;
  const whole = where !== undefined && held !== undefined ? `(${where}) and ${held}` : (where ?? held);
  return [
    ['from', from],
    ...(whole === undefined ? [] : [['where', whole] as [string, string]]),
    ...values.map((value): [string, string] => ['values', value]),
    ...Object.entries(rest).map(([name, value]): [string, string] => [name, String(value)]),
  ];
}
