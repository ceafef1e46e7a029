/**
 * Limits the errors that GraphQL reports: their number, and how much each quotes.
 *
 * GraphQL quotes a whole value in the message of each error in it, so that the messages can be many times larger than the request.
 */

/** The most errors in one response. */
export const maxErrors = 100;

/** Returns how many errors GraphQL may report for a document or for variables of a size: fewer if each can quote very much. */
export function maxErrorsFor(size: number): number {
  if (size <= 10_000) return maxErrors;
  return size <= 100_000 ? 10 : 2;
}

/** Shortens each value that a message quotes, and the message. */
export function shortenMessage(message: string): string {
  if (message.length <= maxQuoted) return message;
  const start = message.slice(0, maxMessage);
  const shortened = start
    .replace(/"([^"]{200})[^"]+("|$)/g, '"$1…"')
    .replace(/found: (.{200}).+$/s, 'found: $1…');
  return message.length > maxMessage && shortened.length === start.length ? `${start}…` : shortened;
}

/** The most characters of a value that a message quotes; the expressions above repeat it. */
const maxQuoted = 200;
const maxMessage = 500;
