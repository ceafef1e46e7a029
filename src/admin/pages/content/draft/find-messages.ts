/**
 * Finds the error message of each input of an asset's form.
 */
import { ApiProblem, type ContentType, type Place } from '../../../api.ts';
import { sayPattern } from '../../../parts/data/describe-pattern.ts';
import { isWithin } from '../../../parts/data/field-label.ts';
import type { DraftObject } from './draft.ts';
import type { Flaw } from './read-draft.ts';

/**
 * The messages by path.
 *
 * What does not fit in the stored asset stands until the field is changed. What is merely missing is said once a save was tried (`isJudged`); other flaws of what was changed, as one types. What the server
 * said stands until the field is changed from what was `saved`.
 */
export function findMessages({
  type,
  draft,
  changed,
  flaws,
  isJudged,
  unfit,
  error,
  saved,
}: {
  type: ContentType;
  draft: DraftObject;
  changed: ReadonlySet<string>;
  flaws: readonly Flaw[];
  isJudged: boolean;
  unfit: readonly Place[];
  error: unknown;
  saved: { readonly draft: DraftObject } | undefined;
}): ReadonlyMap<string, string> {
  const ownerOf = (path: string) => type.fields.find(({ name }) => isWithin(path, name))?.name ?? '';
  const stored = unfit.filter(({ path }) => !changed.has(ownerOf(path)));
  const answers = error instanceof ApiProblem ? error.problems : [];
  const standing = answers.filter(({ path }) => saved?.draft[ownerOf(path)] === draft[ownerOf(path)]);
  const local = flaws.filter(({ path, isMissing }) => isJudged || (!isMissing && changed.has(ownerOf(path))));
  // A reference is one input, whichever of its members is wrong. What is found here comes before what the server said.
  return new Map(
    [...stored, ...standing, ...local].map(({ path, message }) => [
      path.replace(/\._(ref|type)$/, ''),
      sayPattern(message),
    ]),
  );
}
