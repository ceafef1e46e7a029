/**
 * Stores GraphiQL's tabs and history in the browser, separately for each endpoint.
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
