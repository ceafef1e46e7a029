/**
 * Stores GraphiQL's tabs and history in the browser, separately for each endpoint, and which endpoint was last open.
 */
import type { Storage } from '@graphiql/toolkit';

/** The part of the browser's storage that is an endpoint's. */
export function createEndpointStorage(endpointId: string): Storage {
  const prefix = `explorer:${endpointId}:`;
  const ownKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(prefix));
  return {
    getItem: (key) => localStorage.getItem(prefix + key),
    setItem: (key, value) => localStorage.setItem(prefix + key, value),
    removeItem: (key) => localStorage.removeItem(prefix + key),
    clear() {
      for (const key of ownKeys()) localStorage.removeItem(key);
    },
    get length() {
      return ownKeys().length;
    },
  };
}

const lastEndpoint = 'explorer:endpoint';

/** Finds the ID of the endpoint that was last open; it may not exist any more. */
export function findLastEndpoint(): string | undefined {
  try {
    return localStorage.getItem(lastEndpoint) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the ID of the endpoint that is open. Without room in the browser, the first endpoint opens the next time. */
export function keepLastEndpoint(id: string | undefined): void {
  try {
    if (id !== undefined) localStorage.setItem(lastEndpoint, id);
  } catch {}
}
