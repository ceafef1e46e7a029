/**
 * Finds the error message of each input of an asset's form.
 */
import { ApiProblem, type ContentType, type Place } from '../../../api.ts';
import { sayPattern } from '../../../parts/data/describe-pattern.ts';
import { isWithin } from '../../../parts/data/field-label.ts';
import type { DraftObject } from './draft.ts';
import { followPath } from './follow-path.ts';
import type { Flaw } from './read-draft.ts';

/** What is wrong with a draft. */
export interface Messages {
  /** The message of each input, by its path. */
  readonly messages: ReadonlyMap<string, string>;
  /** Those that keep the asset from being saved. */
  readonly toFix: readonly (readonly [path: string, message: string])[];
}

/**
 * Finds the messages.
 *
 * What does not fit in the stored asset stands until its value is changed. What is merely missing is said once a save was tried
 * (`isSubmitted`); other flaws of what was changed, and the rules that it breaks, as one types. What the server said stands until the value is changed from what was
 * `saved`, wherever it moves in a list.
 */
export function findMessages({
  type,
  base,
  draft,
  changed,
  flaws,
  isSubmitted,
  unfit,
  rules,
  error,
  saved,
}: {
  type: ContentType;
  /** The draft of the stored asset. */
  base: DraftObject;
  draft: DraftObject;
  changed: ReadonlySet<string>;
  flaws: readonly Flaw[];
  isSubmitted: boolean;
  unfit: readonly Place[];
  /** The rules of the type that the draft breaks; absent where those of the stored asset still tell. */
  rules: readonly Place[] | undefined;
  error: unknown;
  saved: { readonly draft: DraftObject } | undefined;
}): Messages {
  const ownerOf = (path: string) => type.fields.find(({ name }) => isWithin(path, name))?.name ?? '';
  const local = flaws.filter(
    ({ path, isMissing }) => isSubmitted || (!isMissing && changed.has(ownerOf(path))),
  );
  const isJudgedAnew = ({ message }: Pick<Place, 'message'>) =>
    rules !== undefined && type.checks?.some((check) => check.message === message);
  const before = (places: readonly Pick<Place, 'path' | 'message'>[]) =>
    places.filter((place) => !isJudgedAnew(place));
  const answers =
    error instanceof ApiProblem && saved ? followAll(before(error.problems), saved.draft, draft) : [];
  // What is found here comes before what the server said.
  const messages = toMessages([
    ...followAll(before(unfit), base, draft),
    ...(rules ?? []),
    ...answers,
    ...local,
  ]);
  const blocking = toMessages([...(rules ?? []), ...answers, ...flaws]);
  // What does not fit in the stored asset does not keep other fields from being saved.
  const toFix = isSubmitted || error !== null ? [...messages].filter(([path]) => blocking.has(path)) : [];
  return { messages, toFix };
}

/** The path of the input that shows a problem: a reference is one input, whichever of its members is wrong. */
export const toInputPath = (path: string) => path.replace(/\._(ref|type)$/, '');

const toMessages = (places: readonly Pick<Place, 'path' | 'message'>[]) =>
  new Map(places.map(({ path, message }) => [toInputPath(path), sayPattern(message)]));

/** Those of the places whose values have not changed, where they are now. */
function followAll(
  places: readonly Pick<Place, 'path' | 'message'>[],
  before: DraftObject,
  now: DraftObject,
): Pick<Place, 'path' | 'message'>[] {
  return places.flatMap(({ path, message }) => {
    const present = followPath(toInputPath(path), before, now);
    return present === undefined ? [] : [{ path: present, message }];
  });
}
