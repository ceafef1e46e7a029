/**
 * The handlers of the SDL of the content types, and of the check of a change of types.
 */
import { checkRunning, invalidBody, type SourceProblem } from '../../../../base/errors.ts';
import type { CheckOutcome } from '../../../../mapping/types-check/types-report.ts';
import type { TypeSource } from '../../../../model/types/type-sources.ts';
import { type AdminHandlers, ok } from '../responses.ts';

/** What the handlers need. */
export interface TypesCheckServices {
  readonly typesChecker: {
    /** The SDL files of the content types. */
    readonly sources: readonly TypeSource[];
    /** Checks a change until the signal. */
    check(change: {
      /** Absent means the present types. */
      readonly before: readonly TypeSource[] | undefined;
      readonly after: readonly TypeSource[];
      readonly signal: AbortSignal;
    }): Promise<CheckOutcome>;
  };
}

/** Loading a longer SDL would take too long. */
const maxSourceLength = 262_144;

/** Creates the handlers. */
export function createTypesCheckHandlers({
  typesChecker,
}: TypesCheckServices): Pick<AdminHandlers, 'getTypeSources' | 'checkTypes'> {
  let isChecking = false;
  return {
    async getTypeSources() {
      return ok({ sources: typesChecker.sources.map(({ file, text }) => ({ file, text })) });
    },

    async checkTypes({ body: { sources, against }, signal }) {
      if (isChecking) throw checkRunning();
      isChecking = true;
      try {
        assertLength(sources, 'sources');
        if (against) assertLength(against, 'against');
        const outcome = await typesChecker.check({ before: against, after: sources, signal });
        if ('report' in outcome) return ok(outcome.report);
        const { refused, problems } = outcome;
        throw refused === 'after'
          ? refuseTypes(problems, { path: 'sources', sources })
          : refuseTypes(problems, { path: 'against', sources: against ?? [] });
      } finally {
        isChecking = false;
      }
    },
  };
}

/** The files in a member of the body. */
interface SubmittedTypes {
  readonly path: string;
  readonly sources: readonly TypeSource[];
}

function assertLength(sources: readonly TypeSource[], path: string): void {
  const length = sources.reduce((sum, { text }) => sum + text.length, 0);
  if (length > maxSourceLength)
    throw invalidBody([{ path, message: `must have at most ${maxSourceLength} characters in all` }]);
}

const refuseTypes = (problems: readonly SourceProblem[], submitted: SubmittedTypes) =>
  invalidBody(
    problems.map(({ file, line, column, message }) => ({
      path: placeOf(file, submitted),
      message: `${file}:${line}:${column} ${message}`,
    })),
  );

/** Returns the member of the body that a file is from; a problem may also be in a file that every installation has. */
function placeOf(file: string, { path, sources }: SubmittedTypes): string {
  const index = sources.findIndex((source) => source.file === file);
  return index < 0 ? path : `${path}[${index}].text`;
}
