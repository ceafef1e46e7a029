/**
 * Which types an endpoint reads and writes, and how one choice follows from another.
 *
 * A name stands for itself, an interface for all that implement it, and `*`, then alone, for everything. What is written is
 * read too.
 */
import type { TypeSummary } from 'colophon-client/admin';

/** Class names of content types and interfaces, or `*`. */
export interface TypeChoice {
  readonly readTypes: readonly string[];
  readonly writeTypes: readonly string[];
}

/** One of the two lists. */
export type TypeList = keyof TypeChoice;

/** A type of the table. */
export type ChoosableType = Pick<TypeSummary, 'class' | 'name' | 'label' | 'interfaces'> & {
  readonly kind: TypeSummary['kind'] | 'gone';
};

/** The types to choose from, then those of `names` that no longer exist. */
export function choosableTypes(types: readonly TypeSummary[], names: readonly string[]): ChoosableType[] {
  const isOfUse = ({ kind, class: name }: TypeSummary) =>
    kind === 'object' || types.some(({ interfaces }) => interfaces.includes(name));
  const known = new Set(['*', ...types.map((type) => type.class)]);
  const gone = new Set(names).difference(known);
  return [
    ...types.filter(isOfUse),
    ...[...gone].map((name) => ({ class: name, name, interfaces: [], kind: 'gone' as const })),
  ];
}

/** The name by which a type is chosen without being named: `*` or an interface of it. */
export function chosenThrough(type: ChoosableType, names: readonly string[]): string | undefined {
  return names.find((name) => name === '*' || type.interfaces.includes(name));
}

/** The choice with a type, or `*`, added to or taken from one of the lists. */
export function choose(
  choice: TypeChoice,
  types: readonly ChoosableType[],
  { list, name, isChosen }: { list: TypeList; name: string; isChosen: boolean },
): TypeChoice {
  const names = toggle(choice[list], name, isChosen);
  if (list === 'readTypes') {
    const readable = concrete(types, names);
    const isReadable = (written: string) => concrete(types, [written]).isSubsetOf(readable);
    return { readTypes: names, writeTypes: choice.writeTypes.filter(isReadable) };
  }
  const isReadAlready = concrete(types, names).isSubsetOf(concrete(types, choice.readTypes));
  return {
    readTypes: isReadAlready ? choice.readTypes : toggle(choice.readTypes, name, true),
    writeTypes: names,
  };
}

function toggle(names: readonly string[], name: string, isChosen: boolean): readonly string[] {
  const others = names.filter((other) => other !== name);
  if (!isChosen) return others;
  return name === '*' ? ['*'] : [...others, name];
}

/** The content types that names stand for. */
function concrete(types: readonly ChoosableType[], names: readonly string[]): Set<string> {
  const isMeant = (type: ChoosableType) =>
    type.kind !== 'interface' && (names.includes(type.class) || chosenThrough(type, names) !== undefined);
  return new Set(types.filter(isMeant).map((type) => type.class));
}
