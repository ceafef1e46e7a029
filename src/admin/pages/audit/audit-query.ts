/**
 * The filters of the audit log: in the address of the page, and as parameters of the API.
 */

/** Which changes to list; absent filters do not restrict. Times are milliseconds since 1970. */
export interface AuditQuery {
  readonly byKind?: string;
  readonly by?: string;
  readonly type?: string;
  readonly action?: string;
  readonly asset?: string;
  readonly run?: string;
  readonly from?: number;
  readonly to?: number;
}

const names = ['byKind', 'by', 'type', 'action', 'asset', 'run'] as const;
const times = ['from', 'to'] as const;

/** Reads the filters from an address. Times that are none are left out. */
export function fromParameters(parameters: URLSearchParams): AuditQuery {
  const texts = names.map((name) => [name, parameters.get(name) || undefined] as const);
  const moments = times.map((name) => [name, toTime(parameters.get(name))] as const);
  return Object.fromEntries([...texts, ...moments].filter(([, value]) => value !== undefined));
}

/** Writes the filters for an address, here as in the API. */
export function toParameters(query: AuditQuery): URLSearchParams {
  const given = [...names, ...times].flatMap((name) => {
    const value = query[name];
    return value === undefined || value === '' ? [] : [[name, String(value)]];
  });
  return new URLSearchParams(given);
}

function toTime(text: string | null): number | undefined {
  return text !== null && /^\d{1,16}$/.test(text) ? Number(text) : undefined;
}
