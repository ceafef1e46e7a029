/**
 * The API's message about one field of a form.
 */
import { ApiProblem } from '../../api.ts';

/** The message at `path` or below it, or undefined when there is none. */
export function errorAt(error: unknown, path: string): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const isHere = (place: string) =>
    place === path || place.startsWith(`${path}[`) || place.startsWith(`${path}.`);
  const messages = error.problems.filter((problem) => isHere(problem.path)).map(({ message }) => message);
  return messages.length > 0 ? messages.join('; ') : undefined;
}
