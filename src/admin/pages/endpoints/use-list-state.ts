/**
 * The search, the choices and the page of a list. The address holds them, so that they are there after going back.
 */
import { useParameters } from '../../parts/data/use-parameters.ts';

/** The state of a list, and how to change it. */
export interface ListState {
  readonly search: string;
  readonly offset: number;
  /** Returns the chosen one of some values; undefined if none of them is. */
  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined;
  /** Changes members; an empty text removes one. All changes but that of the page lead to the first page. */
  change(members: Readonly<Record<string, string>>): void;
  move(offset: number): void;
}

/** Reads the state of the list whose parameters begin with `prefix`. */
export function useListState(prefix: string): ListState {
  const [parameters, changeParameters] = useParameters();
  const nameOf = (member: string) => `${prefix}.${member}`;
  const offset = Number(parameters.get(nameOf('offset')));

  function change(members: Readonly<Record<string, string>>): void {
    const next = (before: URLSearchParams) => {
      const after = new URLSearchParams(before);
      for (const [member, value] of Object.entries({ offset: '', ...members })) {
        if (value === '') after.delete(nameOf(member));
        else after.set(nameOf(member), value);
      }
      return after;
    };
    changeParameters(next, { replace: true, preventScrollReset: true });
  }

  return {
    search: parameters.get(nameOf('search')) ?? '',
    offset: Number.isSafeInteger(offset) && offset > 0 ? offset : 0,
    choice: (name, values) => values.find((value) => value === parameters.get(nameOf(name))),
    change,
    move: (to) => change({ offset: to === 0 ? '' : String(to) }),
  };
}
