/**
 * What forms say about their fields: the API's messages, and the rule of new passwords.
 */
import { ApiProblem } from '../../api.ts';

/** The message at `path` or below it, or undefined when there is none. */
export function errorAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const isHere = (place: string) =>
    place === path || place.startsWith(`${path}[`) || place.startsWith(`${path}.`);
  const found = error.problems.filter((problem) => isHere(problem.path));
  return found.length > 0 ? found.map(({ message }) => sentenceOf(message)).join(' ') : undefined;
}

/** Makes a sentence of a message of the API: most go on from the name of a field, such as `must not be empty`. */
export function sentenceOf(message: string): string {
  const sentence = /^(is|are|has|have|must|may|can|cannot|does|do|needs|names|refers)\b/.test(message)
    ? `It ${message}`
    : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** What forms say about a new password; the server checks it. */
export const newPasswordRule =
  'At least 12 characters. Not your email address or its first part, a common password, or one of these with digits or signs after it.';
